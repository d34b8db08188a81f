package pyregexp

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// maxDepth is the depth of groups at which Python gives up.
const maxDepth = 200

// parser reads a regular expression. Its methods return false on an error.
type parser struct {
	text []rune
	at   int
	// groups are the widths of the capturing groups, those that are open included.
	groups []capture
	names  map[string]int
	// verbose ignores blanks and comments.
	verbose bool
	// begins is true until there is something else than comments and flags.
	begins bool
	// condition is the greatest number of a group that a condition asks for.
	condition int
}

type capture struct {
	width extent
	open  bool
}

// extent is the number of characters that a part of a pattern can match.
type extent struct{ least, most int64 }

// endless is the width of what has no bound.
const endless = math.MaxInt32

func (w extent) plus(other extent) extent {
	return extent{min(w.least+other.least, endless), min(w.most+other.most, endless)}
}

func (w extent) times(least, most int64) extent {
	return extent{min(w.least*least, endless), min(w.most*most, endless)}
}

func (w extent) or(other extent) extent {
	return extent{min(w.least, other.least), max(w.most, other.most)}
}

func (p *parser) ends() bool { return p.at >= len(p.text) }

// sees reports whether a text comes next, and steps over it.
func (p *parser) sees(s string) bool {
	next := []rune(s)
	if len(p.text)-p.at < len(next) || !slices.Equal(p.text[p.at:p.at+len(next)], next) {
		return false
	}
	p.at += len(next)
	return true
}

// next steps over one character; 0 at the end.
func (p *parser) next() rune {
	if p.ends() {
		return 0
	}
	p.at++
	return p.text[p.at-1]
}

// until reads up to a character and steps over it.
func (p *parser) until(end rune) (string, bool) {
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
func (p *parser) alternatives(depth int) (extent, bool) {
	if depth > maxDepth {
		return extent{}, false
	}
	width, ok := p.sequence(depth)
	for ok && p.sees("|") {
		p.begins = false
		var branch extent
		branch, ok = p.sequence(depth)
		width = width.or(branch)
	}
	return width, ok
}

// sequence reads items with their repeats.
func (p *parser) sequence(depth int) (extent, bool) {
	var width extent
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
func (p *parser) skipsVerbose() bool {
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
func (p *parser) item(depth int) (width extent, repeatable, ok bool) {
	one := extent{1, 1}
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
		return extent{}, false, true
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
func (p *parser) repeats(item extent, repeatable bool) (extent, bool) {
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
func (p *parser) skipComments() {
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
func (p *parser) repeat() (least, most int64, isRepeat, ok bool) {
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

func (p *parser) digits() string {
	start := p.at
	for !p.ends() && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return string(p.text[start:p.at])
}

// isName reports whether a group can have a name: it is an identifier.
func isName(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}
