package evaluation

import (
	"regexp"
	"strings"

	"github.com/dlclark/regexp2"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
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

// compile compiles an expression; nil for one that is none.
func compile(s string) *pattern {
	p := &pattern{}
	if linear, err := regexp.Compile(s); err == nil {
		p.linear = linear
	}
	if full, err := audience.CompilePattern(s); err == nil {
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

// find looks for the expression in a text.
func (p *pattern) find(text string) (bool, error) {
	// A vertical tab is a blank to every engine but the linear one.
	if p.linear != nil && (p.full == nil || isASCII(text) && !strings.Contains(text, "\v")) {
		return p.linear.MatchString(text), nil
	}
	return p.full.MatchString(text)
}
