package audience

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// patience is how long one match may take. The service bounds the steps in place of the
// time; both end what would take ages.
const patience = 100 * time.Millisecond

// CompilePattern compiles a regular expression in the spelling of Python and Rust, in which the
// service checks and runs the patterns of filters. A match that takes ages is an error.
func CompilePattern(expression string) (*regexp2.Regexp, error) {
	pattern, err := regexp2.Compile(translate(expression), regexp2.None)
	if err == nil {
		pattern.MatchTimeout = patience
	}
	return pattern, err
}

// translation spells an expression of Python and Rust as the engine with lookaround reads it:
// groups by their number, since that engine counts those with names last, characters by their
// number, repeats that give nothing back, and the end of the text, which is not before a last
// newline.
type translation struct {
	rest, done string
	// item is where the last item begins that can be repeated; -1 for none.
	item int
	// groups are where the open groups begin.
	groups []int
	// captures counts the groups that can be referred to; names are the numbers of those
	// that have one.
	captures  int
	names     map[string]int
	endOfText string
}

var (
	anyMultiline = regexp.MustCompile(`\(\?[a-z]*m`)
	nextRepeat   = regexp.MustCompile(`^(?:[*+?]|\{\d*,?\d*\})`)
	nextClass    = regexp.MustCompile(`^\[\^?\]?(?:\\.|[^\]\\])*\]`)
	nextUnicode  = regexp.MustCompile(`^\\U[0-9A-Fa-f]{8}`)
	nextEscape   = regexp.MustCompile(`(?s)^\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[0-9]{1,3}|.)`)
	nextNamed    = regexp.MustCompile(`^\(\?P=(\w+)\)`)
	nextCapture  = regexp.MustCompile(`^\((?:\?P<(\w+)>)?`)
	nextCheck    = regexp.MustCompile(`^\(\?\((\w+)\)`)
)

func translate(s string) string {
	t := translation{rest: s, item: -1, names: map[string]int{}, endOfText: `\z`}
	if anyMultiline.MatchString(s) {
		t.endOfText = "$"
	}
	for t.rest != "" {
		t.next()
	}
	return t.done
}

func (t *translation) next() {
	s := t.rest
	switch {
	case nextRepeat.MatchString(s):
		t.repeat(nextRepeat.FindString(s))
	case nextNamed.MatchString(s):
		t.take(len(nextNamed.FindString(s)), `\k<`+t.numberOf(nextNamed.FindStringSubmatch(s)[1])+">")
	case nextUnicode.MatchString(s):
		t.take(10, escapedRune(s[2:10]))
	case nextClass.MatchString(s):
		t.take(len(nextClass.FindString(s)), spelledClass(nextClass.FindString(s)))
	case nextEscape.MatchString(s):
		t.take(len(nextEscape.FindString(s)), nextEscape.FindString(s))
	case nextCheck.MatchString(s):
		check := nextCheck.FindStringSubmatch(s)
		t.open(check[0], "(?("+t.numberOf(check[1])+")")
	case strings.HasPrefix(s, "(?") && !strings.HasPrefix(s, "(?P<"):
		t.open("(?", "(?")
	case s[0] == '(':
		capture := nextCapture.FindStringSubmatch(s)
		t.captures++
		t.names[capture[1]] = t.captures
		t.open(capture[0], "(?<"+strconv.Itoa(t.captures)+">")
	case s[0] == ')' && len(t.groups) > 0:
		start := t.groups[len(t.groups)-1]
		t.groups = t.groups[:len(t.groups)-1]
		t.take(1, ")")
		t.item = start
	case s[0] == '$':
		t.take(1, t.endOfText)
	default:
		_, size := utf8.DecodeRuneInString(s)
		t.take(size, s[:size])
	}
}

// numberOf is the number of a group with a name, or what refers to it by a number already.
func (t *translation) numberOf(name string) string {
	if n, ok := t.names[name]; ok {
		return strconv.Itoa(n)
	}
	return name
}

// take goes on behind an item that can be repeated.
func (t *translation) take(size int, spelling string) {
	t.item = len(t.done)
	t.done += spelling
	t.rest = t.rest[size:]
}

func (t *translation) open(prefix, spelling string) {
	t.groups = append(t.groups, len(t.done))
	t.take(len(prefix), spelling)
	t.item = -1
}

// repeat takes a repeat and what says how it goes: with a plus behind it, it gives nothing
// back, which is what an atomic group does.
func (t *translation) repeat(s string) {
	t.rest = t.rest[len(s):]
	item := t.item
	t.item = -1
	switch {
	case strings.HasPrefix(t.rest, "+") && item >= 0:
		t.done = t.done[:item] + "(?>" + t.done[item:] + s + ")"
		t.rest = t.rest[1:]
		return
	case strings.HasPrefix(t.rest, "?"):
		s += "?"
		t.rest = t.rest[1:]
	}
	t.done += s
}

// spelledClass is a class in which a bracket that comes first has an escape.
func spelledClass(class string) string {
	for _, start := range []string{"[^", "["} {
		if rest, ok := strings.CutPrefix(class, start+"]"); ok {
			return start + `\]` + rest
		}
	}
	return class
}

// escapedRune is the character with a number, spelled so that it has no meaning of its own.
func escapedRune(digits string) string {
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || n > utf8.MaxRune {
		return `\U` + digits
	}
	return regexp.QuoteMeta(string(rune(n)))
}
