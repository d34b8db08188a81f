package selector

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// set returns the set of words in a text.
func set(words string) map[string]bool {
	members := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		members[word] = true
	}
	return members
}

// Names that browsers support, in lower case: pseudo-classes, pseudo-elements, pseudo-elements that a single colon may
// introduce, and pseudo-elements with arguments.
var (
	pseudoClasses = set(`active active-view-transition any-link autofill buffering checked current default defined disabled empty enabled
		first first-child first-of-type focus focus-visible focus-within fullscreen future has-slotted host hover in-range
		indeterminate invalid last-child last-of-type left link local-link modal muted only-child only-of-type open optional out-of-range
		past paused picture-in-picture placeholder-shown playing popover-open read-only read-write required right root
		scope seeking stalled target target-after target-before target-current user-invalid user-valid valid visited volume-locked xr-overlay
		-webkit-any-link -webkit-autofill -webkit-drag -webkit-full-page-media -webkit-full-screen -webkit-full-screen-ancestor
		window-inactive horizontal vertical decrement increment start end double-button single-button no-button corner-present`)
	pseudoElements = set(`after backdrop before checkmark column cue details-content file-selector-button first-letter first-line
		grammar-error interest-hint marker picker-icon placeholder scroll-marker scroll-marker-group search-text selection spelling-error target-text
		view-transition`)
	oneColon = set("after before first-letter first-line")

	elementFunctions = set(`cue highlight part picker scroll-button slotted view-transition-group view-transition-group-children
		view-transition-image-pair view-transition-new view-transition-old`)
	// mayBeFollowed are the pseudo-elements that a pseudo-class such as :hover may follow, in addition to those with
	// the prefix -webkit-.
	mayBeFollowed = set("details-content file-selector-button part picker search-text")
	// notInBrowsers are standard pseudo-classes that browsers do not support.
	notInBrowsers = set("current future past first left right local-link xr-overlay has-slotted")
)

// pseudo parses a pseudo-class or a pseudo-element.
func (p *parser) pseudo(ctx context, previous string) (element string, err error) {
	p.next()
	colons := ":"
	if p.peek().is(":") {
		p.next()
		colons = "::"
	}
	t := p.next()
	name := strings.ToLower(t.value)
	isElement := colons == "::" || oneColon[name]
	if isElement {
		element = name
	}
	isKnown := pseudoClasses[name] && !notInBrowsers[name]
	if isElement {
		isKnown = pseudoElements[name] || strings.HasPrefix(name, "-webkit-")
	}
	switch {
	case isElement && ctx.isInside:
		return element, fmt.Errorf("%s%s is not allowed in parentheses", colons, name)
	case previous != "" && !mayFollow(previous, name, isElement, t.kind == function):
		return element, fmt.Errorf("%s%s cannot follow a pseudo-element", colons, name)
	case t.kind == function && isElement:
		if !elementFunctions[name] {
			return element, fmt.Errorf("browsers do not have %s%s()", colons, name)
		}
		return element, p.elementFunction(name)
	case t.kind == function:
		return "", p.function(name, ctx)
	case t.kind != ident:
		return "", fmt.Errorf("%q is not the name of a pseudo-class", colons+rawText(t))
	case !isKnown:
		return element, fmt.Errorf("browsers do not have %s%s", colons, name)
	}
	return element, nil
}

// function parses the arguments of a pseudo-class, up to the closing parenthesis.
func (p *parser) function(name string, ctx context) error {
	inner := context{isInside: true, hasHas: ctx.hasHas}
	var err error
	switch name {
	case "is", "where": // they ignore invalid arguments
		p.skipArguments()
		return nil
	case "not", "-webkit-any":
		err = p.selectors(inner)
	case "has":
		if ctx.hasHas {
			return fmt.Errorf(":has is not allowed in :has")
		}
		inner.isRelative, inner.hasHas = true, true
		err = p.selectors(inner)
	case "host", "host-context":
		inner.isCompound = true
		err = p.complex(inner)
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		return p.nth(strings.HasSuffix(name, "child"), inner)
	case "lang", "dir", "state", "active-view-transition-type":
		return p.names(name)
	default:
		return fmt.Errorf("browsers do not have :%s()", name)
	}
	if err == nil && !p.closes(")") {
		err = unexpectedToken(p.peek())
	}
	return err
}

// position matches the argument of :nth-child and similar pseudo-classes.
var position = regexp.MustCompile(`(?i)^(odd|even|[+-]?\d+|[+-]?\d*n(\s*[+-]\s*\d+)?)$`)

// nth parses the argument of :nth-child and similar pseudo-classes, with an optional "of" and selectors if mayHaveOf
// is set.
func (p *parser) nth(mayHaveOf bool, ctx context) error {
	var formula strings.Builder
	for !p.ends(ctx) {
		if t := p.peek(); mayHaveOf && t.kind == ident && strings.EqualFold(t.value, "of") {
			break
		}
		formula.WriteString(p.next().raw)
	}
	if text := strings.TrimSpace(formula.String()); !position.MatchString(text) {
		return fmt.Errorf("%q is not a position", text)
	}
	if t := p.peek(); t.kind == ident {
		p.next()
		if err := p.selectors(ctx); err != nil {
			return err
		}
	}
	if !p.closes(")") {
		return unexpectedToken(p.peek())
	}
	return nil
}

// names parses names separated by commas.
func (p *parser) names(kind string) error {
	for {
		p.skipSpace()
		if t := p.next(); t.kind != ident {
			return fmt.Errorf(":%s() needs a name", kind)
		}
		p.skipSpace()
		if p.closes(")") {
			return nil
		}
		if t := p.next(); !t.is(",") || kind != "active-view-transition-type" {
			return unexpectedToken(t)
		}
	}
}

// mayFollow reports whether a pseudo-class or pseudo-element may follow a pseudo-element.
func mayFollow(previous, name string, isElement, hasArguments bool) bool {
	switch {
	case isElement:
		return previous == "part" && name != "part"
	case name == "is" || name == "where":
		return true
	case strings.HasPrefix(previous, "-webkit-"):
		return !hasArguments
	}
	return mayBeFollowed[previous]
}

// elementFunction parses the arguments of a pseudo-element.
func (p *parser) elementFunction(name string) error {
	switch name {
	case "part":
		return p.parts()
	case "slotted":
		err := p.complex(context{isInside: true, isCompound: true})
		if err == nil && !p.closes(")") {
			err = unexpectedToken(p.peek())
		}
		return err
	}
	p.skipArguments()
	return nil
}

// parts parses the names in ::part.
func (p *parser) parts() error {
	for count := 0; ; count++ {
		p.skipSpace()
		if count > 0 && p.closes(")") {
			return nil
		}
		if t := p.next(); t.kind != ident {
			return errors.New("::part() needs a name")
		}
	}
}

// skipArguments skips to the closing parenthesis. It ignores closing brackets that were not opened.
func (p *parser) skipArguments() {
	open := []string{")"}
	for len(open) > 0 && p.peek().kind != end {
		t := p.next()
		last := len(open) - 1
		switch {
		case t.kind == function, t.is("("):
			open = append(open, ")")
		case t.is("["):
			open = append(open, "]")
		case t.is("{"):
			open = append(open, "}")
		case t.is(open[last]):
			open = open[:last]
		}
	}
}
