package pull

import (
	"fmt"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hcledit"
)

// A save without ids cuts the answers of questions off: the service gives the questions new
// ids. That is damage and no edit, so pull merges the questions under the ids that they had,
// writes none of the new ones, and says so.

// Cut is a question whose answers were cut off.
type Cut struct {
	// Index is its place on the service, Text what it asks there.
	Index int
	Text  string
	// Old is the id with the answers before, New the one that it has.
	Old, New string
}

// healCuts gives the live questions whose answers were cut off the ids that they had.
func (r *Resource) healCuts() {
	code, _ := r.Versions.Code.(map[string]any)
	live, _ := r.Versions.Live.(map[string]any)
	state, _ := r.Versions.Applied.(map[string]any)
	stated, _ := code[questionsName].([]any)
	is, _ := live[questionsName].([]any)
	was, _ := state[questionsName].([]any)
	old := r.cutIDs(stated, was, is)
	if len(old) == 0 {
		return
	}

	for i := range is {
		if key := keysOf(is[i : i+1])[0]; old[key.ID] != "" {
			r.Cuts = append(r.Cuts, Cut{Index: i, Text: key.Text, Old: old[key.ID], New: key.ID})
		}
	}
	r.Versions.Live = withIDs(r.Versions.Live, old)
	r.Versions.Applied = withIDs(r.Versions.Applied, old)
}

// cutIDs are the ids that live questions had, by those that they have since a save without.
func (r *Resource) cutIDs(stated, was, is []any) map[string]string {
	known := slices.Concat(r.said(stated, was, is), keysOf(stated))
	known = slices.DeleteFunc(known, func(key survey.QuestionKey) bool { return key.ID == "" })
	isKnown := func(key survey.QuestionKey) bool {
		return slices.ContainsFunc(known, func(other survey.QuestionKey) bool { return other.ID == key.ID })
	}

	gone := slices.DeleteFunc(slices.Clone(known), func(key survey.QuestionKey) bool { return withID(is, key.ID) != nil })
	fresh := slices.DeleteFunc(keysOf(is), func(key survey.QuestionKey) bool { return key.ID == "" || isKnown(key) })
	return survey.CutOff(gone, fresh, len(fresh) == len(is))
}

// withIDs is a version whose questions have other ids.
func withIDs(version any, ids map[string]string) any {
	arguments, _ := version.(map[string]any)
	list, ok := arguments[questionsName].([]any)
	if !ok {
		return version
	}
	renamed := slices.Clone(list)
	for i := range renamed {
		if id := ids[idOf(renamed[i])]; id != "" {
			renamed[i] = identified(renamed[i], id)
		}
	}
	arguments = maps.Clone(arguments)
	arguments[questionsName] = renamed
	return arguments
}

// leaveCuts reports the answers that were cut off.
func (p *pull) leaveCuts(r Resource) {
	for _, cut := range r.Cuts {
		p.found(r, "", hcledit.Finding{
			Outcome: hcledit.Unresolved, Attribute: fmt.Sprintf("%s[%d].id", questionsName, cut.Index), Code: cut.Old, Live: cut.New,
			Reason: reasonCut,
		})
	}
}
