// Package reconcile compares two sources: which objects are missing, which are extra and
// what differs in the others. It finds for references of one source what they are on the other,
// plans what makes the sources alike, and carries that out.
package reconcile

import (
	"cmp"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Change is how an object differs between two sources.
type Change string

// The changes of an object.
const (
	// Missing is an object of A that B lacks.
	Missing Change = "missing"
	// Extra is an object of B that A lacks.
	Extra Change = "extra"
	// Changed is an object of both sources that differs.
	Changed Change = "changed"
)

// Attribute is a value that differs. A missing value is nil.
type Attribute struct {
	// Path is the path of the attribute, for example questions[1].question.
	Path string `json:"path"`
	A    any    `json:"a"`
	B    any    `json:"b"`
	// Meaning says what the difference means; empty where that is plain.
	Meaning string `json:"meaning,omitempty"`
	// Detached is set where a question has another ID on each source: answers are or may be under the one
	// of A. It takes B for what PostHog holds.
	Detached *identity.Detached `json:"-"`
}

// Object is an object that differs.
type Object struct {
	Kind source.Kind `json:"kind"`
	Name string      `json:"name"`
	// IDA and IDB are its ids in A and B; empty where it has none.
	IDA        string      `json:"id_a"`
	IDB        string      `json:"id_b"`
	Change     Change      `json:"change"`
	Attributes []Attribute `json:"attributes"`
}

// Summary counts objects.
type Summary struct {
	Missing int `json:"missing"`
	Extra   int `json:"extra"`
	Changed int `json:"changed"`
	Same    int `json:"same"`
}

// Diff compares two sides. Equal objects are only counted. withDates is set where surveys of two
// projects that have the same status are to have the same dates, too.
func Diff(a, b []source.Object, withDates bool) ([]Object, Summary) {
	pairs, missing, extra := Match(a, b)
	objects := []Object{}
	var summary Summary

	for _, object := range missing {
		summary.Missing++
		objects = append(objects, Object{Kind: object.Kind, Name: object.Name, IDA: object.ID, Change: Missing, Attributes: []Attribute{}})
	}
	for _, object := range extra {
		summary.Extra++
		objects = append(objects, Object{Kind: object.Kind, Name: object.Name, IDB: object.ID, Change: Extra, Attributes: []Attribute{}})
	}
	for _, pair := range pairs {
		attributes := Attributes(pair.A, pair.B)
		if !withDates {
			attributes = withoutDates(pair, attributes)
		}
		if len(attributes) == 0 {
			summary.Same++
			continue
		}
		summary.Changed++
		objects = append(objects, Object{
			Kind: pair.A.Kind, Name: shownName(pair), IDA: pair.A.ID, IDB: pair.B.ID, Change: Changed, Attributes: attributes,
		})
	}

	slices.SortStableFunc(objects, func(a, b Object) int {
		return cmp.Or(cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.Name, b.Name))
	})
	return objects, summary
}

// withoutDates leaves out when the surveys of two projects were launched and stopped, if both run, or
// both are completed.
func withoutDates(pair Pair, attributes []Attribute) []Attribute {
	isElsewhere := pair.A.ParentID != pair.B.ParentID || pair.A.Service != pair.B.Service && pair.A.Service != "" && pair.B.Service != ""
	status := pair.A.Whole().Attributes["status"]
	if pair.A.Kind != source.Survey || !isElsewhere || status == nil || status != pair.B.Whole().Attributes["status"] {
		return attributes
	}
	return slices.DeleteFunc(attributes, func(a Attribute) bool { return a.Path == "start_date" || a.Path == "end_date" })
}

// shownName is the name of a pair in a report: that of A, unless that of B is secret.
func shownName(pair Pair) string {
	if source.IsSecret(pair.B.Attributes["name"]) {
		return pair.B.Name
	}
	return pair.A.Name
}
