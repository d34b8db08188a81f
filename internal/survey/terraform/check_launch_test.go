package terraform_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// B4: what a change of dates or of the status does is said in words.
func TestB4RunInWords(t *testing.T) {
	t.Parallel()
	const future, past = "2030-01-01T00:00:00Z", "2025-01-01T00:00:00Z"
	for name, c := range map[string]struct {
		before, change object
		want           string
	}{
		"future end":             {object{"status": "running"}, object{"end_date": future}, "An end_date in the future stops the survey at once"},
		"future start":           {nil, object{"start_date": future}, "A start_date in the future launches the survey at once"},
		"future start and end":   {nil, object{"start_date": future, "end_date": future}, "An end_date in the future stops the survey at once"},
		"completed draft":        {nil, object{"status": "completed"}, "The survey is completed without having run"},
		"launch":                 {nil, object{"status": "running"}, "The plan launches the survey"},
		"launch by date":         {nil, object{"start_date": past}, "The plan launches the survey"},
		"launch again":           {object{"status": "completed"}, object{"status": "running"}, "goes from completed to running"},
		"stop":                   {object{"status": "running"}, object{"status": "completed"}, ""},
		"stop in the past":       {object{"start_date": past}, object{"start_date": past, "end_date": past}, ""},
		"archived, not launched": {nil, object{"status": "running", "archived": true}, ""},
		"out of the archive":     {object{"status": "running", "archived": true}, object{"status": "running", "archived": false}, "The plan shows the survey again"},
		"draft out of it":        {object{"archived": true}, object{"archived": false}, ""},
		"launched out of it":     {object{"archived": true}, object{"status": "running", "archived": false}, "goes from draft to running"},
		"into the archive":       {object{"status": "running"}, object{"status": "running", "archived": true}, ""},
		"edit of a running one":  {object{"status": "running"}, object{"status": "running", "description": "new"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			survey := acctest.Start(t).Resource(t, "posthog_survey")
			require.Empty(t, survey.Apply(merged(asking(open(nil)), c.before)).Errors().Text())
			plan := survey.Plan(merged(asking(open(nil)), c.change))
			if c.want == "" {
				assert.Empty(t, plan.Diagnostics.Text())
				return
			}
			assert.Len(t, plan.Diagnostics, 1, plan.Diagnostics.Text())
			assert.Contains(t, plan.Diagnostics.Text(), c.want)

			survey.ApplyPlan(plan)
			assert.Empty(t, survey.Plan(merged(asking(open(nil)), c.change)).Diagnostics.Text(), "it is said once")
		})
	}
}

// B4: a survey that is made running is launched by its create.
func TestB4CreateLaunches(t *testing.T) {
	t.Parallel()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	assert.Contains(t, survey.Plan(with(object{"status": "running"})).Diagnostics.Text(), "goes from draft to running")
}
