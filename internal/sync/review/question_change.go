package review

import (
	"fmt"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// ChangeKind is what becomes of a question.
type ChangeKind string

// The kinds of changes of questions.
const (
	// Kept is a question that does not change.
	Kept ChangeKind = "kept"
	// Edited is a question that keeps its answers although its text or choices change.
	Edited ChangeKind = "edited"
	// Moved is a question that changes its position alone.
	Moved ChangeKind = "moved"
	// New is a question without answers.
	New ChangeKind = "new"
	// Dropped is a question that loses its answers: they stay on the service, attached to no
	// question.
	Dropped ChangeKind = "dropped"
)

// QuestionChange is what becomes of one question.
type QuestionChange struct {
	Kind   ChangeKind `json:"fate"`
	Before string     `json:"before,omitempty"`
	After  string     `json:"after,omitempty"`
	// From and To are its positions before and after the change, -1 where it does not exist.
	From int `json:"from"`
	To   int `json:"to"`
	// Since is when the question was added, if that is after the survey's start and known.
	Since string `json:"since,omitempty"`
	// Changes are what else respondents notice.
	Changes []Row `json:"changes,omitempty"`

	// id is its id before the change; empty for a new question.
	id string
}

// questionChanges says what becomes of each question. Answers are attached to the id of a
// question, so questions are matched by id where they have one. An empty id is left to the
// service; such a question is matched as the provider matches it on apply. unknown holds the
// values that are known only after apply, by position.
func questionChanges(before, after []Question, unknown []any) []QuestionChange {
	changes := []QuestionChange{}
	origins := originsOf(before, after, unknown)

	// kept are the indexes in changes of questions that have a counterpart before.
	var kept []int
	isKept := map[int]bool{}
	for i, q := range after {
		from := origins[i]
		if from < 0 {
			changes = append(changes, QuestionChange{Kind: New, After: q.Text, From: -1, To: i})
			continue
		}

		isKept[from] = true
		kept = append(kept, len(changes))
		change := QuestionChange{Kind: Kept, Before: before[from].Text, After: q.Text, From: from, To: i, id: before[from].ID}
		if isEdited(before[from], q) {
			change.Kind, change.Changes = Edited, questionRows(before[from], q, unknownAt(unknown, i))
		}
		changes = append(changes, change)
	}
	markMoved(changes, kept)

	for i, q := range before {
		if !isKept[i] {
			changes = append(changes, QuestionChange{Kind: Dropped, Before: q.Text, From: i, To: -1, id: q.ID})
		}
	}
	return changes
}

// originsOf returns for each question after a change its position before, -1 for a new
// question. It matches by id, and as the provider does where the id is left to the service.
func originsOf(before, after []Question, unknown []any) []int {
	prior, withIDs, withoutIDs := keysOf(before), keysOf(after), keysOf(after)
	byID, needsMatching := make([]int, len(after)), false
	for i, q := range after {
		byID[i] = -1
		switch {
		case isUnknownID(unknown, i):
			// An id that no question before has makes it a new one.
			withIDs[i].ID, withoutIDs[i].ID = fmt.Sprint("new ", i), fmt.Sprint("new ", i)
		case q.ID == "":
			needsMatching = true
		default:
			byID[i] = slices.IndexFunc(before, func(other Question) bool { return other.ID == q.ID })
			withoutIDs[i].ID = ""
		}
	}
	if !needsMatching {
		return byID
	}

	// The plan shows the prior id of a question that has not moved, whether the configuration
	// sets it or not. The provider matches by the ids of the configuration alone, so the match
	// without ids counts unless the ids of the plan contradict it.
	origins := survey.MatchQuestions(prior, withoutIDs)
	for i, q := range after {
		if q.ID != "" && origins[i] != byID[i] {
			return survey.MatchQuestions(prior, withIDs)
		}
	}
	return origins
}

func keysOf(questions []Question) []survey.QuestionKey {
	keys := make([]survey.QuestionKey, len(questions))
	for i, q := range questions {
		keys[i] = survey.QuestionKey{ID: q.ID, Type: q.Type, Text: q.matched}
	}
	return keys
}

// unknownAt are the values of a question that are known only after apply.
func unknownAt(unknown []any, i int) any {
	if i >= len(unknown) {
		return nil
	}
	return unknown[i]
}

// isUnknownID reports whether the id of a question is known only after apply, like that of
// a new question.
func isUnknownID(unknown []any, i int) bool {
	if i >= len(unknown) {
		return false
	}
	question, _ := unknown[i].(map[string]any)
	return question["id"] == true || unknown[i] == true
}

// isEdited reports whether respondents see a question differently. Branching does not
// count: the flow shows where the answers lead.
func isEdited(before, after Question) bool {
	visible := func(q Question) map[string]any {
		attributes := maps.Clone(q.attributes)
		delete(attributes, "id")
		delete(attributes, "branching")
		return attributes
	}
	return !jsonvalue.Equal(visible(before), visible(after))
}

// markMoved marks the fewest questions whose move explains the new order: all but a
// longest increasing subsequence of the prior positions. kept are indexes in changes.
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

	inOrder := map[int]bool{}
	for i := longest; i >= 0; i = previous[i] {
		inOrder[kept[i]] = true
	}
	for _, k := range kept {
		if !inOrder[k] && changes[k].Kind == Kept {
			changes[k].Kind = Moved
		}
	}
}
