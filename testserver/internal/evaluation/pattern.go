package evaluation

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// pattern is a regular expression as the evaluator of the service runs it: without
// backtracking where the expression allows it, otherwise with lookaround and
// backreferences and a bound on the work.
type pattern struct {
	// linear needs time in proportion to the text. Its classes are those of ASCII, so it is
	// for such texts alone; nil where the expression needs more.
	linear *regexp.Regexp
	// full knows all of the syntax; nil where it cannot compile the expression.
	full *regexp2.Regexp
}

// patience is how long one match may take. The service bounds the steps in place of the
// time; both end what would take ages.
const patience = 100 * time.Millisecond

// compile compiles an expression; nil for one that is none.
func compile(s string) *pattern {
	p := &pattern{}
	if linear, err := regexp.Compile(s); err == nil {
		p.linear = linear
	}
	if full, err := regexp2.Compile(translate(s), regexp2.None); err == nil {
		full.MatchTimeout = patience
		p.full = full
	}
	if p.linear == nil && p.full == nil {
		return nil
	}
	return p
}

func matchesPattern(p *property, have value, _ clock) outcome {
	if p.pattern == nil {
		return unknown("the filter on " + p.key + " is not a regular expression")
	}
	found, err := p.pattern.find(have.text)
	if err != nil {
		return unknown("the regular expression of the filter on " + p.key + " takes too long")
	}
	return matches(found)
}

// missesPattern matches what the expression does not; an expression that is none matches
// nothing either way.
func missesPattern(p *property, have value, now clock) outcome {
	o := matchesPattern(p, have, now)
	if !o.isDecided() {
		return o
	}
	return matches(!o.isMatch)
}

func (p *pattern) find(text string) (bool, error) {
	// A vertical tab is a blank to every engine but the linear one.
	if p.linear != nil && (p.full == nil || isASCII(text) && !strings.Contains(text, "\v")) {
		return p.linear.MatchString(text), nil
	}
	return p.full.MatchString(text)
}

var anyMultiline = regexp.MustCompile(`\(\?[a-z]*m`)

// translate spells an expression of Python and Rust as the engine with lookaround reads
// it: the names of groups, characters by their number, and the end of the text, which is
// not before a last newline.
func translate(s string) string {
	endOfText := `\z`
	if anyMultiline.MatchString(s) {
		endOfText = "$"
	}

	var b strings.Builder
	for inClass := false; s != ""; {
		size := 1
		switch {
		case strings.HasPrefix(s, `\U`) && len(s) >= 10:
			size = 10
			b.WriteString(escapedRune(s[:10]))
		case s[0] == '\\' && len(s) > 1:
			size = 2
			b.WriteString(s[:2])
		case inClass:
			inClass = s[0] != ']'
			b.WriteByte(s[0])
		case strings.HasPrefix(s, "[^]") || strings.HasPrefix(s, "[]"):
			// A bracket that comes first stands for itself.
			inClass, size = true, strings.IndexByte(s, ']')+1
			b.WriteString(strings.TrimSuffix(s[:size], "]") + `\]`)
		case strings.HasPrefix(s, "(?P<"):
			size = 4
			b.WriteString("(?<")
		case strings.HasPrefix(s, "(?P=") && strings.Contains(s, ")"):
			size = strings.IndexByte(s, ')') + 1
			b.WriteString(`\k<` + s[4:size-1] + ">")
		case s[0] == '$':
			b.WriteString(endOfText)
		default:
			inClass = s[0] == '['
			b.WriteByte(s[0])
		}
		s = s[size:]
	}
	return b.String()
}

// escapedRune is the character of an escape with eight digits, spelled so that it has no
// meaning of its own.
func escapedRune(escape string) string {
	n, err := strconv.ParseUint(escape[2:], 16, 32)
	if err != nil || n > utf8.MaxRune {
		return escape
	}
	return regexp.QuoteMeta(string(rune(n)))
}
