package review

import (
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// ran is a survey before a change: where it is, and when it started.
type ran struct {
	project string
	start   time.Time
}

func ranBefore(change side.Change) (r ran) {
	if change.Before == nil {
		return r
	}
	r.project = change.Before.ParentID
	text, _ := change.Before.Attributes["start_date"].(string)
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		r.start = at
	}
	return r
}

// Project is the project of a survey whose questions have answers that a later question
// lacks; false when nothing is known of any question.
func (s *SurveyChange) Project() (project string, ok bool) {
	hasAnswers := slices.ContainsFunc(s.Questions, func(q QuestionChange) bool { return q.id != "" })
	return s.before.project, hasAnswers && s.before.project != "" && !s.before.start.IsZero() && !s.Number().IsNone()
}

// SetAdded sets since when questions are asked that were added after the survey's start. added
// are the times by the id of a question.
func (s *SurveyChange) SetAdded(added map[string]time.Time) {
	for i := range s.Questions {
		if at, ok := added[s.Questions[i].id]; ok && at.After(s.before.start) {
			s.Questions[i].Since = at.UTC().Format(time.RFC3339)
		}
	}
}
