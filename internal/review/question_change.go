package review

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// Fate is what becomes of a question.
type Fate string

// The fates of questions.
const (
	// Kept is a question that stays as it is.
	Kept Fate = "kept"
	// Edited keeps its answers under a changed text, or with changed choices.
	Edited Fate = "edited"
	// Moved stays as it is, at another place among the others.
	Moved Fate = "moved"
	// New has no answers yet.
	New Fate = "new"
	// Dropped loses its answers: they stay on the service, attached to no question.
	Dropped Fate = "dropped"
)

// QuestionChange is what becomes of one question.
type QuestionChange struct {
	Fate   Fate   `json:"fate"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// From and To are its places, -1 where it is not.
	From int `json:"from"`
	To   int `json:"to"`
}

// questionChanges says what becomes of each question. A plan gives a question that it keeps
// the id that the service knows it by, so ids decide where there are ids: answers hang on
// them. An id that is known to be empty is left to the service; such a question is the one
// that the provider takes it for, and keeps its answers. unknown holds what is known only
// after apply, by the place of the question.
func questionChanges(before, after []Question, unknown []any) []QuestionChange {
	changes := []QuestionChange{}
	origins := originsOf(before, after, unknown)

	var kept []int
	isKept := map[int]bool{}
	for i, q := range after {
		from := origins[i]
		if from < 0 {
			changes = append(changes, QuestionChange{Fate: New, After: q.Text, From: -1, To: i})
			continue
		}

		isKept[from] = true
		kept = append(kept, len(changes))
		change := QuestionChange{Fate: Kept, Before: before[from].Text, After: q.Text, From: from, To: i}
		if isEdited(before[from], q) {
			change.Fate = Edited
		}
		changes = append(changes, change)
	}
	markMoved(changes, kept)

	for i, q := range before {
		if !isKept[i] {
			changes = append(changes, QuestionChange{Fate: Dropped, Before: q.Text, From: i, To: -1})
		}
	}
	return changes
}

// originsOf says for each question after a change which one it was before, -1 for a new
// one: by its id, or as the provider matches questions where it is left to the service.
func originsOf(before, after []Question, unknown []any) []int {
	held, named, unnamed := keysOf(before), keysOf(after), keysOf(after)
	byID, isLeft := make([]int, len(after)), false
	for i, q := range after {
		byID[i] = -1
		switch {
		case isUnknownID(unknown, i):
			// The id of nobody, which makes it a new one.
			named[i].ID, unnamed[i].ID = fmt.Sprint("new ", i), fmt.Sprint("new ", i)
		case q.ID == "":
			isLeft = true
		default:
			byID[i] = slices.IndexFunc(before, func(was Question) bool { return was.ID == q.ID })
			unnamed[i].ID = ""
		}
	}
	if !isLeft {
		return byID
	}

	// A question that has not moved keeps its id in the plan although the configuration has
	// none: where the ids allow it, no question is taken for one that the configuration names.
	origins := survey.MatchQuestions(held, unnamed)
	for i, q := range after {
		if q.ID != "" && origins[i] != byID[i] {
			return survey.MatchQuestions(held, named)
		}
	}
	return origins
}

func keysOf(questions []Question) []survey.QuestionKey {
	keys := make([]survey.QuestionKey, len(questions))
	for i, q := range questions {
		keys[i] = survey.QuestionKey{ID: q.ID, Type: q.Type, Text: q.Text}
	}
	return keys
}

// isUnknownID reports whether the id of a question is known only after apply, as that of a
// new one is.
func isUnknownID(unknown []any, i int) bool {
	if i >= len(unknown) {
		return false
	}
	question, _ := unknown[i].(map[string]any)
	return question["id"] == true || unknown[i] == true
}

// isEdited reports whether a question is asked in another way. Its branching is no part of
// it: the flow shows where the answers lead.
func isEdited(before, after Question) bool {
	asked := func(q Question) map[string]any {
		attributes := maps.Clone(q.attributes)
		delete(attributes, "id")
		delete(attributes, "branching")
		return attributes
	}
	return !reflect.DeepEqual(asked(before), asked(after))
}

// markMoved marks the fewest questions whose move explains the new order: all that are
// not in the longest run of kept questions that are still in their old order.
func markMoved(changes []QuestionChange, kept []int) {
	length, previous := make([]int, len(kept)), make([]int, len(kept))
	longest := -1
	for i, k := range kept {
		length[i], previous[i] = 1, -1
		for j := range i {
			if changes[kept[j]].From < changes[k].From && length[j]+1 > length[i] {
				length[i], previous[i] = length[j]+1, j
			}
		}
		if longest < 0 || length[i] > length[longest] {
			longest = i
		}
	}

	stays := map[int]bool{}
	for i := longest; i >= 0; i = previous[i] {
		stays[kept[i]] = true
	}
	for _, k := range kept {
		if !stays[k] && changes[k].Fate == Kept {
			changes[k].Fate = Moved
		}
	}
}
