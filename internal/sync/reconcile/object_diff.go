// Package reconcile compares two sources, A and B, and makes B equal to A:
//
//   - [Diff] lists the objects that are missing, extra, or different.
//   - [Options.FindReferences] finds the objects in B that correspond to references in A.
//   - [NewPlan] plans the actions, and refuses actions that would lose answers or flags without
//     permission.
//   - [Target.Run] executes a plan. It skips objects that changed after planning.
//
// The package does not read files or print reports. Callers decode the sources and print the results.
package reconcile

import (
	"cmp"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Change is the kind of difference between the two sources.
type Change string

// Kinds of differences.
const (
	// Missing means that only A contains the object.
	Missing Change = "missing"
	// Extra means that only B contains the object.
	Extra Change = "extra"
	// Changed means that both sources contain the object, with different values.
	Changed Change = "changed"
)

// Attribute is a value that differs. A missing value is nil.
type Attribute struct {
	// Path is the path of the attribute, for example questions[1].question.
	Path string `json:"path"`
	A    any    `json:"a"`
	B    any    `json:"b"`
	// Meaning explains the effect of the difference, or is empty if the values are self-explanatory.
	Meaning string `json:"meaning,omitempty"`
	// Detached is set if a question has different IDs in A and B, and answers are or may be stored
	// under A's ID. It assumes that B is a live source.
	Detached *identity.Detached `json:"-"`
}

// Object is an object that differs between the sources.
type Object struct {
	Kind source.Kind `json:"kind"`
	Name string      `json:"name"`
	// IDA and IDB are the object's IDs in A and B. Each is empty if the object has no ID there.
	IDA        string      `json:"id_a"`
	IDB        string      `json:"id_b"`
	Change     Change      `json:"change"`
	Attributes []Attribute `json:"attributes"`
	// IsCopy is set if the two objects belong to different projects.
	IsCopy bool `json:"-"`
}

// Summary counts objects.
type Summary struct {
	Missing int `json:"missing"`
	Extra   int `json:"extra"`
	Changed int `json:"changed"`
	Same    int `json:"same"`
}

// Diff compares two sources. It counts equal objects, and returns the other objects. If withDates is set,
// Diff also compares the dates of surveys in different projects that have the same status.
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
			Kind: pair.A.Kind, Name: shownName(pair), IDA: pair.A.ID, IDB: pair.B.ID, Change: Changed, Attributes: attributes, IsCopy: pair.isCopy(),
		})
	}

	slices.SortStableFunc(objects, func(a, b Object) int {
		return cmp.Or(cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.Name, b.Name))
	})
	return objects, summary
}

// withoutDates removes start and end dates from the differences between surveys of two projects if both
// surveys are running, or both are completed.
func withoutDates(pair Pair, attributes []Attribute) []Attribute {
	status := pair.A.Whole().Attributes["status"]
	if pair.A.Kind != source.Survey || !pair.isCopy() || status == nil || status != pair.B.Whole().Attributes["status"] {
		return attributes
	}
	return slices.DeleteFunc(attributes, func(a Attribute) bool { return a.Path == "start_date" || a.Path == "end_date" })
}

// isCopy reports whether the two objects belong to different projects.
func (p Pair) isCopy() bool {
	return p.A.ParentID != p.B.ParentID || p.A.Service != p.B.Service && p.A.Service != "" && p.B.Service != ""
}

// shownName returns a pair's name for a report. It is the name in A, unless the name attribute in B is
// secret.
func shownName(pair Pair) string {
	if source.IsSecret(pair.B.Attributes["name"]) {
		return pair.B.Name
	}
	return pair.A.Name
}
