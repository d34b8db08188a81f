// Package selector finds selectors that a browser's querySelector rejects, according to the CSS Selectors 4 grammar. An
// app that passes such a selector to querySelector gets an exception. The package must not reject selectors that
// browsers accept. Start reading at [Check].
package selector

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Check explains why browsers reject a selector, with a suggestion if possible. It returns nil if browsers accept the
// selector.
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

// context is the context of a selector list.
type context struct {
	// isInside is set in the parentheses of a pseudo-class. The list then ends at the closing parenthesis.
	isInside bool
	// isRelative allows a leading combinator, as in :has(> img).
	isRelative bool
	// isCompound forbids combinators, as in :host(.a).
	isCompound bool
	// hasHas is set inside :has, which must not contain another :has.
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

// selectors parses selectors separated by commas.
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

// complex parses compound selectors separated by combinators.
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

// compound parses a compound selector: a type, followed by classes, IDs, attributes, and pseudo-classes. It returns
// the pseudo-element at the selector's end, or an empty string.
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

// missing returns the error for a token where an element is expected.
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

// rawText returns a token as it is written.
func rawText(t token) string { return strings.TrimSpace(t.raw) }

// elementType parses a name or * with an optional namespace.
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

// attribute parses [name], [name=value], and similar selectors. The end of the text closes an open bracket.
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

// matcher parses a matcher, such as = or ^=.
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

// closes consumes a closing bracket. The end of the text closes every bracket.
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
