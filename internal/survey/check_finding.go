package survey

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// place is where a check found something: the attribute that Terraform points at,
// and how a text spells the spot, which may lie inside an attribute's JSON.
type place struct {
	path path.Path
	// question is the place of the question in the list, -1 outside of questions;
	// inside spells the rest of the way.
	question int
	inside   string
}

func at(attribute string) place {
	return place{path: path.Root(attribute), question: -1, inside: attribute}
}

func atQuestion(i int) place {
	return place{path: path.Root("questions").AtListIndex(i), question: i}
}

func (p place) attribute(name string) place {
	p.path = p.path.AtName(name)
	return p.key(name)
}

func (p place) element(i int) place {
	p.path = p.path.AtListIndex(i)
	return p.item(i)
}

func (p place) mapKey(key string) place {
	p.path = p.path.AtMapKey(key)
	p.inside += "[" + strconv.Quote(key) + "]"
	return p
}

// key is a key of an object inside the JSON of an attribute.
func (p place) key(name string) place {
	if p.inside != "" {
		name = p.inside + "." + name
	}
	p.inside = name
	return p
}

// item is an item of a list inside the JSON of an attribute.
func (p place) item(i int) place {
	p.inside += "[" + strconv.Itoa(i) + "]"
	return p
}

// last is the name of the attribute or key, without the indices after it.
func (p place) last() string {
	name := p.inside[strings.LastIndex(p.inside, ".")+1:]
	name, _, _ = strings.Cut(name, "[")
	return name
}

func (p place) String() string {
	switch {
	case p.question < 0:
		return p.inside
	case p.inside == "":
		return fmt.Sprintf("questions[%d]", p.question)
	}
	return fmt.Sprintf("questions[%d].%s", p.question, p.inside)
}

// finding is what a check has to say about a place.
type finding struct {
	place
	severity diag.Severity
	title    string
	// text follows the name of the place in a sentence.
	text string
	// mark tells two findings with one title at one place apart: what was found there,
	// without what only stands around it.
	mark string
	// needsState is set where the service may hold the value all the same: a newer one
	// knows more words, or the survey's own flag defines a variant. Only a plan, which
	// knows the prior state, can refuse it.
	needsState bool
}

// findings collects what checks find.
type findings []finding

// wrong adds what cannot be right.
func (f *findings) wrong(p place, title, format string, args ...any) *finding {
	return f.add(diag.SeverityError, p, title, fmt.Sprintf(format, args...))
}

// odd adds what is only suspicious.
func (f *findings) odd(p place, title, format string, args ...any) *finding {
	return f.add(diag.SeverityWarning, p, title, fmt.Sprintf(format, args...))
}

func (f *findings) add(severity diag.Severity, p place, title, text string) *finding {
	*f = append(*f, finding{place: p, severity: severity, title: title, text: text, mark: text})
	return &(*f)[len(*f)-1]
}

// without leaves out what was found before. was gives the earlier place of a
// question, or -1.
func (f findings) without(earlier findings, was func(question int) int) findings {
	type sameness struct {
		question            int
		inside, title, mark string
	}
	known := map[sameness]bool{}
	for _, one := range earlier {
		known[sameness{one.question, one.inside, one.title, one.mark}] = true
	}
	return slices.DeleteFunc(f, func(one finding) bool {
		question := one.question
		if question >= 0 {
			if question = was(question); question < 0 {
				return false
			}
		}
		return known[sameness{question, one.inside, one.title, one.mark}]
	})
}

// refusable leaves the errors that hold whatever the service has.
func (f findings) refusable() findings {
	return slices.DeleteFunc(f, func(one finding) bool {
		return one.severity != diag.SeverityError || one.needsState
	})
}

// report hands the findings to Terraform. The name of the place is in the text too:
// only newer versions of Terraform point at the line.
func (f findings) report(diags *diag.Diagnostics) {
	for _, one := range f {
		detail := one.String() + " " + one.text
		if one.severity == diag.SeverityError {
			diags.AddAttributeError(one.path, one.title, detail)
		} else {
			diags.AddAttributeWarning(one.path, one.title, detail)
		}
	}
}
