package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// location is the location of a finding: the attribute that Terraform points at, and the
// path in the text, which may lead into the JSON of the attribute.
type location struct {
	path path.Path
	// question is the place of the question in the list, -1 outside of questions;
	// inside spells the rest of the way.
	question int
	inside   string
}

func atAttribute(attribute string) location {
	return location{path: path.Root(attribute), question: -1, inside: attribute}
}

func atQuestion(i int) location {
	return location{path: path.Root("questions").AtListIndex(i), question: i}
}

func (p location) attribute(name string) location {
	p.path = p.path.AtName(name)
	return p.key(name)
}

func (p location) element(i int) location {
	p.path = p.path.AtListIndex(i)
	return p.item(i)
}

func (p location) mapKey(key string) location {
	p.path = p.path.AtMapKey(key)
	p.inside += "[" + strconv.Quote(key) + "]"
	return p
}

// key is a key of an object inside the JSON of an attribute.
func (p location) key(name string) location {
	if p.inside != "" {
		name = p.inside + "." + name
	}
	p.inside = name
	return p
}

// item is an item of a list inside the JSON of an attribute.
func (p location) item(i int) location {
	p.inside += "[" + strconv.Itoa(i) + "]"
	return p
}

// last is the name of the attribute or key, without the indices after it.
func (p location) last() string {
	name := p.inside[strings.LastIndex(p.inside, ".")+1:]
	name, _, _ = strings.Cut(name, "[")
	return name
}

func (p location) String() string {
	switch {
	case p.question < 0:
		return p.inside
	case p.inside == "":
		return fmt.Sprintf("questions[%d]", p.question)
	}
	return fmt.Sprintf("questions[%d].%s", p.question, p.inside)
}

// finding is a result of a check at a location.
type finding struct {
	location
	severity diag.Severity
	title    string
	// text follows the name of the place in a sentence.
	text string
	// dedupKey distinguishes two findings with one title at one place: what was found
	// there, without its surroundings.
	dedupKey string
}

// Findings are the results of checks.
type Findings []finding

// errorf adds an error.
func (f *Findings) errorf(p location, title, format string, args ...any) *finding {
	return f.add(diag.SeverityError, p, title, fmt.Sprintf(format, args...))
}

// warnf adds a warning.
func (f *Findings) warnf(p location, title, format string, args ...any) *finding {
	return f.add(diag.SeverityWarning, p, title, fmt.Sprintf(format, args...))
}

func (f *Findings) add(severity diag.Severity, p location, title, text string) *finding {
	*f = append(*f, finding{location: p, severity: severity, title: title, text: text, dedupKey: text})
	return &(*f)[len(*f)-1]
}

// without leaves out the findings of the prior state. priorIndex returns the prior index of a
// question, or -1.
func (f Findings) without(earlier Findings, priorIndex func(question int) int) Findings {
	type fingerprint struct {
		question                int
		inside, title, dedupKey string
	}
	known := map[fingerprint]bool{}
	for _, one := range earlier {
		known[fingerprint{one.question, one.inside, one.title, one.dedupKey}] = true
	}
	return slices.DeleteFunc(f, func(one finding) bool {
		question := one.question
		if question >= 0 {
			if question = priorIndex(question); question < 0 {
				return false
			}
		}
		return known[fingerprint{question, one.inside, one.title, one.dedupKey}]
	})
}

// errors returns the findings that are errors.
func (f Findings) errors() Findings {
	return slices.DeleteFunc(f, func(one finding) bool { return one.severity != diag.SeverityError })
}

// Report adds the findings to diagnostics. The text contains the path too, since only newer
// versions of Terraform point at the line. So does the title of a warning, with the name of
// the survey: Terraform shows one of all warnings with the same title.
func (f Findings) Report(name types.String, diags *diag.Diagnostics) {
	for _, one := range f {
		detail := one.String() + " " + one.text
		if one.severity == diag.SeverityError {
			diags.AddAttributeError(one.path, one.title, detail)
		} else {
			diags.AddAttributeWarning(one.path, survey.TitleOf(one.title, name, one.String()), detail)
		}
	}
}
