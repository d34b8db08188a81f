package examples_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// projects contains the projects that the examples use.
const projects = `{"projects": [{"id": 12345}, {"id": 12346}]}`

// openSurveys returns a workspace with an applied example. The next plan must be empty.
func openSurveys(t *testing.T, folder string, variables ...string) workspace {
	t.Helper()
	w := openWorkspace(t, folder)
	w.env = acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(projects))
	w.apply(variables...)
	return w
}

// apply applies the configuration, and requires that the next plan is empty.
func (w workspace) apply(variables ...string) {
	w.t.Helper()
	w.run(append([]string{"apply", "-auto-approve"}, variables...)...)
	w.run(append([]string{"plan", "-detailed-exitcode"}, variables...)...)
}

// texts returns a field of each survey on the server as JSON, sorted.
func (w workspace) texts(field string) []string {
	w.t.Helper()
	var texts []string
	for _, survey := range w.env.Surveys(w.t) {
		raw, err := json.Marshal(survey[field])
		require.NoError(w.t, err)
		texts = append(texts, string(raw))
	}
	slices.Sort(texts)
	return texts
}

func TestAccDates(t *testing.T) {
	t.Parallel()
	day := func(days int) string { return time.Now().AddDate(0, 0, days).UTC().Format(time.RFC3339) }
	between := func(starts, ends int) []string {
		return []string{"-var", "starts=" + day(starts), "-var", "ends=" + day(ends)}
	}
	w := openSurveys(t, "dates", between(1, 2)...)
	assert.Equal(t, []string{"null"}, w.texts("start_date"))
	w.apply(between(-1, 1)...)
	assert.NotEqual(t, []string{"null"}, w.texts("start_date"))
	assert.Equal(t, []string{"null"}, w.texts("end_date"))
	w.apply(between(-2, -1)...)
	assert.NotEqual(t, []string{"null"}, w.texts("end_date"))
}

func TestAccExamplesOfSurveys(t *testing.T) {
	t.Parallel()
	for folder, c := range map[string]struct {
		surveys int
		// The field of each survey contains this text.
		field, has string
	}{
		"programme":     {3, "conditions", `"seenSurveyWaitPeriodInDays":90`},
		"after-sign-up": {1, "targeting_flag", `"value":"-14d"`},
		"one-look":      {2, "appearance", `"submitButtonColor":"#0b5fff"`},
		"yaml-projects": {2, "questions", `"type":"rating"`},
		"slack":         {1, "name", `"Feedback"`},
		"nps-insight":   {2, "questions", `"scale":10`},
	} {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			w := openSurveys(t, folder)
			texts := w.texts(c.field)
			assert.Len(t, texts, c.surveys)
			for _, text := range texts {
				assert.Contains(t, text, c.has)
			}

			if folder == "yaml-projects" {
				assert.Len(t, w.env.Server.Surveys("12346"), 1)
			}
			if folder == "slack" {
				question := fmt.Sprint(propertiesOf(t, w.env.Surveys(t)[0])[0])
				inputs := fmt.Sprint(w.resources()["posthog_hog_function.slack"].AttributeValues["inputs_json"])
				assert.Contains(t, strings.ReplaceAll(inputs, `\`, ""), question)
			}
			if folder == "nps-insight" {
				query := fmt.Sprint(w.resources()["posthog_insight.nps"].AttributeValues["query_json"])
				for _, survey := range w.env.Surveys(t) {
					assert.Contains(t, query, fmt.Sprint(propertiesOf(t, survey)[0]))
					assert.Contains(t, query, survey["id"])
				}
			}

			w.run("destroy", "-auto-approve")
		})
	}
}
