package check_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

// A change to dates, status, or archived is explained once.
func TestRun(t *testing.T) {
	t.Parallel()
	const future, past = "2030-01-01T00:00:00Z", "2025-01-01T00:00:00Z"
	for name, c := range map[string]struct {
		before, change object
		want           check.Code
	}{
		"future end":             {object{"status": "running"}, object{"end_date": future}, "future-end"},
		"future start":           {nil, object{"start_date": future}, "future-start"},
		"future start, external": {object{"type": "external_survey"}, object{"type": "external_survey", "start_date": future}, ""},
		"future start and end":   {nil, object{"start_date": future, "end_date": future}, "future-end"},
		"completed draft":        {nil, object{"status": "completed"}, "completed-draft"},
		"launch":                 {nil, object{"status": "running"}, "survey-launches"},
		"launch by date":         {nil, object{"start_date": past}, "survey-launches"},
		"launch again":           {object{"status": "completed"}, object{"status": "running"}, "survey-launches"},
		"stop":                   {object{"start_date": past}, object{"start_date": past, "status": "completed"}, ""},
		"stop in the past":       {object{"start_date": past}, object{"start_date": past, "end_date": past}, ""},
		"draft again":            {object{"status": "running"}, object{"status": "draft"}, "undoes-launch"},
		"draft after a stop":     {object{"status": "completed"}, object{"status": "draft"}, "undoes-launch"},
		"archived, not launched": {nil, object{"status": "running", "archived": true}, ""},
		"out of the archive":     {object{"status": "running", "archived": true}, object{"status": "running", "archived": false}, "shown-again"},
		"draft out of it":        {object{"archived": true}, object{"archived": false}, ""},
		"launched out of it":     {object{"archived": true}, object{"status": "running", "archived": false}, "survey-launches"},
		"into the archive":       {object{"status": "running"}, object{"status": "running", "archived": true}, ""},
		"edit of a running one":  {object{"status": "running"}, object{"status": "running", "description": "new"}, ""},
		"new start, running":     {object{"start_date": past}, object{"start_date": future}, "future-start-of-running"},
		"edit of a future start": {object{"start_date": future}, object{"start_date": future, "description": "new"}, ""},
		"archived for ever":      {object{"status": "running", "archived": true}, object{"status": "running", "archived": true, "description": "new"}, ""},
		"start unknown":          {object{"status": "draft"}, object{"start_date": unknown{}}, "may-launch"},
		"start of a running one": {object{"status": "running"}, object{"start_date": unknown{}}, ""},
	} {
		asked := func(keys object) object {
			survey := asking(open(nil))
			maps.Copy(survey, keys)
			return survey
		}
		found, _ := plan(t, asked(c.before), asked(c.change))
		if c.want == "" {
			assert.Empty(t, found, name)
			continue
		}
		if assert.Len(t, found, 1, name) {
			assert.Equal(t, c.want, found[0].Code, name)
			assert.False(t, found[0].IsError, name)
		}
		if c.want == "may-launch" {
			continue
		}
		found, _ = plan(t, asked(c.change), asked(c.change))
		assert.Empty(t, found, "%s: a second plan must not repeat the finding", name)
	}
}

func TestLaunchWithoutQuestions(t *testing.T) {
	t.Parallel()
	const code = "runs-without-questions"
	running := object{"status": "running"}
	found, _ := plan(t, nil, with(running))
	assert.True(t, isFound(found, code, false))
	for name, config := range map[string]object{
		"shown by the app":     with(object{"status": "running", "type": "api"}),
		"draft":                with(nil),
		"with a question":      with(object{"status": "running", "questions": []any{open(nil)}}),
		"of unknown questions": with(object{"status": "running", "questions": unknown{}}),
	} {
		found, _ := plan(t, nil, config)
		assert.False(t, isFound(found, code, false), name)
	}
}
