package review

import (
	"reflect"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
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

// Event is something that a change does to a survey as a whole.
type Event string

// The events of surveys.
const (
	Created  Event = "created"
	Launched Event = "launched"
	Stopped  Event = "stopped"
	Resumed  Event = "resumed"
	Archived Event = "archived"
	Deleted  Event = "deleted"
	Replaced Event = "replaced"
	Released Event = "no longer managed"
)

// SurveyChange is what a plan means to one survey.
type SurveyChange struct {
	Name    string `json:"name"`
	ID      string `json:"id,omitempty"`
	Address string `json:"address"`

	Events    []Event          `json:"events"`
	Questions []QuestionChange `json:"questions"`
	// Responses is the number of responses of the survey, nil when it cannot be read.
	Responses *int64 `json:"responses"`
	// CutsAnswers is set when questions with answers lose them, or may: when the number
	// of responses is not known.
	CutsAnswers bool `json:"cuts_answers"`
	// FlowBefore and FlowAfter are the questions to draw; nil where nothing changes.
	FlowBefore []Question `json:"flow_before,omitempty"`
	FlowAfter  []Question `json:"flow_after,omitempty"`
}

// Plan says what the changes of a plan mean to the surveys in it. counts are the
// numbers of responses by the id of the survey, nil when they cannot be read.
func Plan(changes []side.Change, counts map[string]int64) ([]SurveyChange, error) {
	var surveys []SurveyChange
	for _, change := range changes {
		object := change.After
		if object == nil {
			object = change.Before
		}
		if object.Kind != side.Survey {
			continue
		}

		survey, err := reviewSurvey(change, *object, counts)
		if err != nil {
			return nil, err
		}
		surveys = append(surveys, survey)
	}
	return surveys, nil
}

func reviewSurvey(change side.Change, object side.Object, counts map[string]int64) (SurveyChange, error) {
	survey := SurveyChange{Name: object.Name, ID: object.ID, Address: object.Address, Events: events(change)}
	if change.Before != nil {
		survey.ID = change.Before.ID
	}

	before, after, err := questionsOf(change)
	if err != nil {
		return SurveyChange{}, err
	}
	if change.Replace || change.After == nil && !change.Forget {
		// What is deleted keeps no answers, whatever its successor asks.
		survey.Questions = compare(before, nil)
		if change.After != nil {
			survey.Questions = append(survey.Questions, compare(nil, after)...)
		}
	} else {
		survey.Questions = compare(before, after)
	}

	// A survey without responses is not among the counts, and a new one has none.
	if counts != nil || change.Before == nil {
		count := counts[survey.ID]
		survey.Responses = &count
	}

	dropped := slices.ContainsFunc(survey.Questions, func(q QuestionChange) bool { return q.Fate == Dropped })
	survey.CutsAnswers = dropped && (survey.Responses == nil || *survey.Responses > 0)

	if !reflect.DeepEqual(Flow(before), Flow(after)) {
		survey.FlowBefore, survey.FlowAfter = before, after
	}
	return survey, nil
}

// questionsOf are the questions before and after a change. What leaves the state alone
// keeps its questions.
func questionsOf(change side.Change) (before, after []Question, err error) {
	if change.Before != nil {
		if before, err = Questions(*change.Before); err != nil {
			return nil, nil, err
		}
	}

	switch {
	case change.Forget:
		return before, before, nil
	case change.After == nil:
		return before, nil, nil
	}
	after, err = Questions(*change.After)
	return before, after, err
}

// events are what happens to the survey as a whole.
func events(change side.Change) []Event {
	switch {
	case change.Forget:
		return []Event{Released}
	case change.After == nil:
		return []Event{Deleted}
	}

	var found []Event
	statusBefore := ""
	switch {
	case change.Before == nil:
		found = append(found, Created)
	case change.Replace:
		found = append(found, Replaced)
	default:
		statusBefore, _ = change.Before.Attributes["status"].(string)
	}

	statusAfter, _ := change.After.Attributes["status"].(string)
	switch {
	case statusAfter == statusBefore:
	case statusAfter == "running" && statusBefore == "completed":
		found = append(found, Resumed)
	case statusAfter == "running":
		found = append(found, Launched)
	case statusBefore == "running":
		found = append(found, Stopped)
	}

	if archived, _ := change.After.Attributes["archived"].(bool); archived {
		was := false
		if change.Before != nil {
			was, _ = change.Before.Attributes["archived"].(bool)
		}
		if !was {
			found = append(found, Archived)
		}
	}
	return found
}

// compare says what becomes of each question. A plan gives a question that it keeps
// the id that the service knows it by, so ids alone decide: answers hang on them.
func compare(before, after []Question) []QuestionChange {
	changes := []QuestionChange{}
	placeBefore := map[string]int{}
	for i, q := range before {
		if q.ID != "" {
			placeBefore[q.ID] = i
		}
	}

	var kept []int
	for i, q := range after {
		from, known := placeBefore[q.ID]
		if q.ID == "" || !known {
			changes = append(changes, QuestionChange{Fate: New, After: q.Text, From: -1, To: i})
			continue
		}

		delete(placeBefore, q.ID)
		kept = append(kept, len(changes))
		change := QuestionChange{Fate: Kept, Before: before[from].Text, After: q.Text, From: from, To: i}
		if isEdited(before[from], q) {
			change.Fate = Edited
		}
		changes = append(changes, change)
	}
	markMoved(changes, kept)

	for i, q := range before {
		if _, gone := placeBefore[q.ID]; gone || q.ID == "" {
			changes = append(changes, QuestionChange{Fate: Dropped, Before: q.Text, From: i, To: -1})
		}
	}
	return changes
}

// isEdited reports whether the people who answer see another question.
func isEdited(before, after Question) bool {
	return before.Type != after.Type || before.Text != after.Text || before.Description != after.Description ||
		before.Optional != after.Optional || before.Scale != after.Scale || !slices.Equal(before.Choices, after.Choices)
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
