// Package selector finds selectors that querySelector of a browser refuses, by the grammar of CSS
// Selectors 4. Apps that pass one to querySelector throw. The package must not refuse what browsers take.
// Start reading at Check.
package selector

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Check returns why a browser refuses a selector, with what to write instead where that is known; nil if it
// takes it.
func Check(source string) error {
	p := parser{list: tokens(source)}
	err := p.selectors(context{})
	if err == nil {
		return nil
	}
	if hint := findHint(source); hint != "" {
		return fmt.Errorf("%w: %s", err, hint)
	}
	return err
}

// context is where a list of selectors stands.
type context struct {
	// isInside is set in the parentheses of a pseudo-class, which end the list.
	isInside bool
	// isRelative allows a combinator at the beginning, as in :has(> img).
	isRelative bool
	// isCompound refuses combinators, as in :host(.a).
	isCompound bool
	// hasHas is set inside :has, which must not contain itself.
	hasHas bool
}

type parser struct {
	list []token
	at   int
}

func (p *parser) peek() token {
	if p.at < len(p.list) {
		return p.list[p.at]
	}
	return token{}
}

func (p *parser) next() token {
	t := p.peek()
	p.at++
	return t
}

func (p *parser) skipSpace() bool {
	start := p.at
	for p.peek().kind == space {
		p.at++
	}
	return p.at > start
}

// ends reports whether a list ends here.
func (p *parser) ends(ctx context) bool {
	return p.peek().kind == end || ctx.isInside && p.peek().is(")")
}

// selectors parses a list of selectors with commas between them.
func (p *parser) selectors(ctx context) error {
	for {
		if err := p.complex(ctx); err != nil {
			return err
		}
		if !p.peek().is(",") {
			return nil
		}
		p.next()
	}
}

// complex parses compounds with combinators between them.
func (p *parser) complex(ctx context) error {
	p.skipSpace()
	if isCombinator(p.peek()) {
		if !ctx.isRelative {
			return fmt.Errorf("nothing precedes %q", p.peek().value)
		}
		p.next()
		p.skipSpace()
	}
	for {
		element, err := p.compound(ctx)
		if err != nil {
			return err
		}
		hasSpace := p.skipSpace()
		t := p.peek()
		switch {
		case p.ends(ctx) || t.is(","):
			return nil
		case ctx.isCompound, element != "":
			return fmt.Errorf("%q is not allowed there", rawText(t))
		case isCombinator(t):
			p.next()
			p.skipSpace()
			if p.ends(ctx) || p.peek().is(",") {
				return fmt.Errorf("nothing follows %q", t.value)
			}
		case !hasSpace:
			return unexpectedToken(t)
		}
	}
}

func isCombinator(t token) bool { return t.is(">") || t.is("+") || t.is("~") }

// compound parses what one element has to be: a type, then classes, IDs, attributes, and pseudo-classes. It
// returns the pseudo-element at its end, empty for none.
func (p *parser) compound(ctx context) (element string, err error) {
	start := p.at
	if err := p.elementType(); err != nil {
		return "", err
	}
	for {
		t := p.peek()
		switch {
		case element != "" && (t.kind == hash || t.is(".") || t.is("[") || t.is("&")):
			return "", fmt.Errorf("%q cannot follow a pseudo-element", rawText(t))
		case t.kind == hash && !t.isID:
			return "", fmt.Errorf("%q is not an ID: a name does not begin with a digit", t.raw)
		case t.kind == hash, t.is("&"):
			p.next()
		case t.is("."):
			if err := p.class(); err != nil {
				return "", err
			}
		case t.is("["):
			if err := p.attribute(); err != nil {
				return "", err
			}
		case t.is(":"):
			next, err := p.pseudo(ctx, element)
			if err != nil {
				return "", err
			}
			element = cmp.Or(next, element)
		case p.at == start:
			return "", p.missing(ctx, t)
		default:
			return element, nil
		}
	}
}

// missing says what stands where an element was expected.
func (p *parser) missing(ctx context, t token) error {
	switch {
	case p.ends(ctx) && len(p.list) == 0:
		return errors.New("it is empty")
	case p.ends(ctx), t.is(","):
		return errors.New("a part of it is empty")
	}
	return unexpectedToken(t)
}

func unexpectedToken(t token) error { return fmt.Errorf("%q is not allowed there", rawText(t)) }

// rawText is how a token is written.
func rawText(t token) string { return strings.TrimSpace(t.raw) }

// elementType parses a name or *, with a namespace before it.
func (p *parser) elementType() error {
	name := p.peek()
	isName := name.kind == ident || name.is("*")
	hasBar := func(i int) bool {
		return i+1 < len(p.list) && p.list[i].is("|") && (p.list[i+1].kind == ident || p.list[i+1].is("*"))
	}
	switch {
	case isName && hasBar(p.at+1):
		if name.kind == ident {
			return fmt.Errorf("the namespace %q is not declared", name.value)
		}
		p.at += 3
	case hasBar(p.at):
		p.at += 2
	case isName:
		p.next()
	}
	return nil
}

func (p *parser) class() error {
	p.next()
	if t := p.peek(); t.kind != ident {
		return fmt.Errorf("%q is not the name of a class", "."+rawText(t))
	}
	p.next()
	return nil
}

// attribute parses [name], [name=value], and the like. What is open at the end is closed there.
func (p *parser) attribute() error {
	p.next()
	p.skipSpace()
	if p.peek().is("*") || p.peek().is("|") {
		if p.next().is("*") && !p.next().is("|") {
			return errors.New("an attribute needs a name")
		}
	}
	if t := p.next(); t.kind != ident {
		return errors.New("an attribute needs a name")
	}
	p.skipSpace()
	if p.closes("]") {
		return nil
	}

	if err := p.matcher(); err != nil {
		return err
	}
	p.skipSpace()
	if t := p.next(); t.kind != ident && t.kind != text {
		return fmt.Errorf("the value %s of an attribute needs quotes", strconv.Quote(rawText(t)))
	}
	p.skipSpace()
	if t := p.peek(); t.kind == ident {
		if !strings.EqualFold(t.value, "i") {
			return unexpectedToken(t)
		}
		p.next()
		p.skipSpace()
	}
	if !p.closes("]") {
		return fmt.Errorf("%q is not allowed in an attribute", rawText(p.peek()))
	}
	return nil
}

// matcher parses = and the like.
func (p *parser) matcher() error {
	t := p.next()
	if t.kind == delim && strings.Contains("~|^$*", t.value) {
		t = p.next()
	}
	if !t.is("=") {
		return fmt.Errorf("%q is not allowed in an attribute", rawText(t))
	}
	return nil
}

// closes takes a closing bracket, or the end, which closes everything.
func (p *parser) closes(bracket string) bool {
	if p.peek().kind == end {
		return true
	}
	if p.peek().is(bracket) {
		p.next()
		return true
	}
	return false
}
