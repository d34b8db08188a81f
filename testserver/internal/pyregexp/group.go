package pyregexp

import (
	"strconv"
	"strings"
)

// group reads what follows an opening bracket.
func (p *parser) group(depth int) (width extent, repeatable, ok bool) {
	if !p.sees("?") {
		return p.captures("", depth)
	}

	switch {
	case p.sees(":"), p.sees(">"):
		return p.closes(depth)
	case p.sees("="), p.sees("!"):
		_, _, ok = p.closes(depth)
		return extent{}, true, ok
	case p.sees("<="), p.sees("<!"):
		width, _, ok = p.closes(depth)
		return extent{}, true, ok && width.least == width.most
	case p.sees("P<"):
		name, named := p.until('>')
		if _, taken := p.names[name]; !named || taken || !isName(name) {
			return width, false, false
		}
		return p.captures(name, depth)
	case p.sees("P="):
		name, named := p.until(')')
		n, known := p.names[name]
		if !named || !known || p.groups[n].open {
			return width, false, false
		}
		return p.groups[n].width, true, true
	case p.sees("("):
		return p.conditional(depth)
	}
	return p.flags(depth)
}

// captures reads a group that can be referred to.
func (p *parser) captures(name string, depth int) (width extent, repeatable, ok bool) {
	n := len(p.groups)
	p.groups = append(p.groups, capture{open: true})
	if name != "" {
		p.names[name] = n
	}
	width, _, ok = p.closes(depth)
	p.groups[n] = capture{width: width}
	return width, true, ok
}

// closes reads the inside of a group with its closing bracket.
func (p *parser) closes(depth int) (width extent, repeatable, ok bool) {
	verbose := p.verbose
	width, ok = p.alternatives(depth + 1)
	p.verbose = verbose
	return width, true, ok && p.sees(")")
}

// conditional reads (?(group)yes|no).
func (p *parser) conditional(depth int) (width extent, repeatable, ok bool) {
	name, named := p.until(')')
	if !named || !p.knows(name) {
		return width, false, false
	}
	width, ok = p.sequence(depth + 1)
	other := extent{}
	if ok && p.sees("|") {
		other, ok = p.sequence(depth + 1)
	}
	return width.or(other), true, ok && depth < maxDepth && p.sees(")")
}

// knows reports whether a condition can ask for a group: by its name, or by a number,
// which may be that of a group to come.
func (p *parser) knows(name string) bool {
	if _, known := p.names[name]; known {
		return true
	}
	n, err := strconv.Atoi(name)
	if err != nil || n <= 0 || name[0] == '+' {
		return false
	}
	p.condition = max(p.condition, n)
	return true
}

// globalFlags steps over (?flags), which must come before everything but comments.
func (p *parser) globalFlags() bool {
	here := p.at
	if p.sees("(?") {
		if on := p.letters("aiLmsux"); on != "" && fitsTexts(on) && p.sees(")") {
			p.verbose = p.verbose || strings.ContainsRune(on, 'x')
			return true
		}
	}
	p.at = here
	return false
}

// flags reads (?flags-flags:...).
func (p *parser) flags(depth int) (width extent, repeatable, ok bool) {
	on := p.letters("aiLmsux")
	off, given := "", p.sees("-")
	if given {
		if off = p.letters("imsx"); off == "" {
			return width, false, false
		}
	}
	if on == "" && !given || !fitsTexts(on) || strings.ContainsAny(off, on) || !p.sees(":") {
		return width, false, false
	}

	verbose := p.verbose
	switch {
	case strings.ContainsRune(on, 'x'):
		p.verbose = true
	case strings.ContainsRune(off, 'x'):
		p.verbose = false
	}
	width, repeatable, ok = p.closes(depth)
	p.verbose = verbose
	return width, repeatable, ok
}

// fitsTexts reports whether flags go together, and with a pattern that is a text.
func fitsTexts(flags string) bool {
	both := strings.ContainsRune(flags, 'a') && strings.ContainsRune(flags, 'u')
	return !both && !strings.ContainsRune(flags, 'L')
}

func (p *parser) letters(known string) string {
	start := p.at
	for !p.ends() && strings.ContainsRune(known, p.text[p.at]) {
		p.at++
	}
	return string(p.text[start:p.at])
}
