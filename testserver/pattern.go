package testserver

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// isPythonPattern reports whether a text is a regular expression in the syntax of
// Python's re module, which is what the hosted service compiles. It takes all of that
// syntax: groups of each kind, flags, references, lookbehinds (which need a fixed
// width), conditionals, possessive and lazy repeats, verbose mode. It takes any name
// behind \N, and refuses what is nested deeper than Python itself can read.
func isPythonPattern(s string) bool {
	p := &patternParser{text: []rune(s), names: map[string]int{}, begins: true}
	if endsInBackslash(p.text) {
		return false
	}
	_, ok := p.alternatives(0)
	return ok && p.at == len(p.text) && p.condition <= len(p.groups)
}

// endsInBackslash reports whether the last character is a backslash that escapes
// nothing.
func endsInBackslash(text []rune) bool {
	n := 0
	for n < len(text) && text[len(text)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// maxPatternDepth is the depth of groups at which Python gives up.
const maxPatternDepth = 200

// patternParser reads a regular expression. Its methods return false on an error.
type patternParser struct {
	text []rune
	at   int
	// groups are the widths of the capturing groups, those that are open included.
	groups []patternGroup
	names  map[string]int
	// verbose ignores blanks and comments.
	verbose bool
	// begins is true until there is something else than comments and flags.
	begins bool
	// condition is the greatest number of a group that a condition asks for.
	condition int
}

type patternGroup struct {
	width patternWidth
	open  bool
}

// patternWidth is the number of characters that a part of a pattern can match.
type patternWidth struct{ least, most int64 }

// endless is the width of what has no bound.
const endless = math.MaxInt32

func (w patternWidth) plus(other patternWidth) patternWidth {
	return patternWidth{min(w.least+other.least, endless), min(w.most+other.most, endless)}
}

func (w patternWidth) times(least, most int64) patternWidth {
	return patternWidth{min(w.least*least, endless), min(w.most*most, endless)}
}

func (w patternWidth) or(other patternWidth) patternWidth {
	return patternWidth{min(w.least, other.least), max(w.most, other.most)}
}

func (p *patternParser) ends() bool { return p.at >= len(p.text) }

// sees reports whether a text comes next, and steps over it.
func (p *patternParser) sees(s string) bool {
	next := []rune(s)
	if len(p.text)-p.at < len(next) || !slices.Equal(p.text[p.at:p.at+len(next)], next) {
		return false
	}
	p.at += len(next)
	return true
}

// next steps over one character; 0 at the end.
func (p *patternParser) next() rune {
	if p.ends() {
		return 0
	}
	p.at++
	return p.text[p.at-1]
}

// until reads up to a character and steps over it.
func (p *patternParser) until(end rune) (string, bool) {
	for i, r := range p.text[p.at:] {
		if r == end {
			s := string(p.text[p.at : p.at+i])
			p.at += i + 1
			return s, true
		}
	}
	return "", false
}

// alternatives reads up to a closing bracket or the end.
func (p *patternParser) alternatives(depth int) (patternWidth, bool) {
	if depth > maxPatternDepth {
		return patternWidth{}, false
	}
	width, ok := p.sequence(depth)
	for ok && p.sees("|") {
		p.begins = false
		var branch patternWidth
		branch, ok = p.sequence(depth)
		width = width.or(branch)
	}
	return width, ok
}

// sequence reads items with their repeats.
func (p *patternParser) sequence(depth int) (patternWidth, bool) {
	var width patternWidth
	for !p.ends() {
		if r := p.text[p.at]; r == '|' || r == ')' {
			break
		}

		if p.skipsVerbose() {
			continue
		}

		if p.sees("(?#") {
			if _, ok := p.until(')'); !ok {
				return width, false
			}
			continue
		}

		if p.begins && p.globalFlags() {
			continue
		}
		p.begins = false

		item, repeatable, ok := p.item(depth)
		if !ok {
			return width, false
		}
		if item, ok = p.repeats(item, repeatable); !ok {
			return width, false
		}

		width = width.plus(item)
	}
	return width, true
}

// skipsVerbose steps over a blank or a comment in verbose mode.
func (p *patternParser) skipsVerbose() bool {
	if !p.verbose {
		return false
	}
	switch r := p.text[p.at]; {
	case strings.ContainsRune(" \t\n\r\v\f", r):
		p.at++
		return true
	case r == '#':
		if _, ok := p.until('\n'); !ok {
			p.at = len(p.text)
		}
		return true
	}
	return false
}

// item reads one thing; repeatable is what may be repeated, which positions may not.
func (p *patternParser) item(depth int) (width patternWidth, repeatable, ok bool) {
	one := patternWidth{1, 1}
	switch r := p.next(); r {
	case '*', '+', '?':
		return one, false, false
	case '{':
		// Without the form of a repeat it stands for itself.
		p.at--
		if _, _, isRepeat, _ := p.repeat(); isRepeat {
			return one, false, false
		}
		p.at++
		return one, true, true
	case '^', '$':
		return patternWidth{}, false, true
	case '[':
		return one, true, p.class()
	case '(':
		return p.group(depth)
	case '\\':
		return p.escape()
	}
	return one, true, true
}

// repeats reads the repeat behind an item, if there is one. A repeat is not repeated.
func (p *patternParser) repeats(item patternWidth, repeatable bool) (patternWidth, bool) {
	p.skipComments()
	least, most, isRepeat, ok := p.repeat()
	switch {
	case !isRepeat:
		return item, true
	case !ok, !repeatable:
		return item, false
	}
	if !p.sees("?") {
		p.sees("+")
	}
	if _, _, again, _ := p.repeat(); again {
		return item, false
	}
	return item.times(least, most), true
}

// skipComments steps over what may come before a repeat.
func (p *patternParser) skipComments() {
	for !p.ends() {
		here := p.at
		if p.sees("(?#") {
			if _, ok := p.until(')'); !ok {
				// The sequence meets it again, and refuses it.
				p.at = here
				return
			}
			continue
		}
		if !p.skipsVerbose() {
			return
		}
	}
}

// repeat reads *, +, ? or {least,most}; what is in braces and has another form is no
// repeat, and not stepped over.
func (p *patternParser) repeat() (least, most int64, isRepeat, ok bool) {
	switch {
	case p.sees("*"):
		return 0, endless, true, true
	case p.sees("+"):
		return 1, endless, true, true
	case p.sees("?"):
		return 0, 1, true, true
	}

	here := p.at
	if !p.sees("{") || p.sees("}") {
		p.at = here
		return 0, 0, false, true
	}

	low := p.digits()
	high := low
	if p.sees(",") {
		high = p.digits()
		if high == "" {
			high = strconv.Itoa(endless)
		}
	} else if low == "" {
		p.at = here
		return 0, 0, false, true
	}

	if !p.sees("}") {
		p.at = here
		return 0, 0, false, true
	}

	least, ok = bound(low)
	most, high2 := bound(high)
	return least, most, true, ok && high2 && least <= most
}

// maxRepeat is the bound at which Python's numbers of repeats end.
const maxRepeat = math.MaxUint32

func bound(digits string) (int64, bool) {
	if digits == "" {
		return 0, true
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil && n < maxRepeat
}

func (p *patternParser) digits() string {
	start := p.at
	for !p.ends() && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return string(p.text[start:p.at])
}

// isPatternName reports whether a group can have a name: it is an identifier.
func isPatternName(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}
