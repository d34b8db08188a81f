package pull

import (
	"fmt"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// A save without ids cuts the answers of questions off: the service gives the questions new
// ids. That is damage and no edit, so pull merges the questions under the ids that they had,
// writes none of the new ones, and says so.

// healCuts gives all versions of a question the one id by which it is known.
func (r *Resource) healCuts() {
	code, _ := r.Versions.Code.(map[string]any)
	live, _ := r.Versions.Live.(map[string]any)
	state, _ := r.Versions.Applied.(map[string]any)
	if code == nil || live == nil || state == nil {
		return
	}
	stated, _ := code[questionsName].([]any)
	is, _ := live[questionsName].([]any)
	was, _ := state[questionsName].([]any)

	r.planned = idsOf(keysOf(stated))
	for _, cut := range r.memory.past.Cut(keysOf(is)) {
		// What is only likely, the plan says; and where it leaves the new id, the code states that.
		if !cut.IsLikely && (cut.Stays || !slices.Contains(r.planned, cut.Live)) {
			r.Cut = append(r.Cut, cut)
		}
	}
	roots := map[string]string{}
	for _, key := range slices.Concat(keysOf(stated), keysOf(is), keysOf(was)) {
		if root := r.memory.past.Root(key.ID); root != key.ID {
			roots[key.ID] = root
		}
	}
	stated, is, was = withIDs(stated, roots), withIDs(is, roots), withIDs(was, roots)

	// The private state knows no question that pull alone has seen, and none by an empty id.
	unknown := r.cutIDs(stated, was, withPlaces(is))
	for i, key := range keysOf(withPlaces(is)) {
		if old := unknown[key.ID]; old != "" {
			r.Cut = append(r.Cut, survey.CutQuestion{Place: i, Text: key.Text, Live: idOf(is[i]), Old: old})
			is[i], roots[key.ID] = identified(is[i], old), old
			for k, said := range keysOf(stated) { // a plan may have taken over that there is none
				if said.ID == "" && said.Type == key.Type && said.Text == key.Text && withID(stated, old) == nil {
					stated[k] = identified(stated[k], old)
				}
			}
		}
	}
	if len(roots) > 0 {
		r.Versions.Code, r.Versions.Live, r.Versions.Applied = withQuestions(code, stated), withQuestions(live, is), withQuestions(state, withIDs(was, roots))
	}
}

// withPlaces are live questions of which those without an id have their place for one.
func withPlaces(list []any) []any {
	placed := slices.Clone(list)
	for i := range placed {
		if idOf(placed[i]) == "" {
			placed[i] = identified(placed[i], place(i))
		}
	}
	return placed
}

// place is how a question without an id is named.
func place(i int) string { return fmt.Sprintf("%s[%d]", questionsName, i) }

// cutIDs are the ids that live questions had, by those that they have since a save without.
func (r *Resource) cutIDs(stated, was, is []any) map[string]string {
	known := slices.Concat(r.said(stated, was, is), keysOf(stated))
	return survey.CutOff(known, keysOf(is))
}

// withQuestions is a version with other questions, if it has any.
func withQuestions(arguments map[string]any, list []any) any {
	if _, ok := arguments[questionsName].([]any); !ok {
		return arguments
	}
	arguments = maps.Clone(arguments)
	arguments[questionsName] = list
	return arguments
}

// withIDs are questions with other ids.
func withIDs(list []any, ids map[string]string) []any {
	renamed := slices.Clone(list)
	for i := range renamed {
		if id := ids[idOf(renamed[i])]; id != "" {
			renamed[i] = identified(renamed[i], id)
		}
	}
	return renamed
}

// leaveCuts reports the answers that were cut off.
func (p *pull) leaveCuts(r Resource) {
	for _, cut := range r.Cut {
		var live any
		if cut.Live != "" {
			live = cut.Live
		} else {
			cut.Live = place(cut.Place)
		}
		p.found(r, "", code.Finding{
			Outcome: code.Unresolved, Attribute: place(cut.Place) + ".id", Code: cut.Old, Live: live,
			Reason: survey.AnswersCutOff + ": a save left out its id; to give them back: " + survey.GiveBackCommand(r.Name, cut),
		})
	}
}
