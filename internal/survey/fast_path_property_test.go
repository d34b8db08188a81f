package survey_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// What the fast path answers is what the framework would have answered: for any
// survey, whatever of it the configuration says, and whatever changed since.
func TestFastPathIsTheSlowPath(t *testing.T) {
	t.Parallel()
	worlds, served := map[testserver.Profile]*acctest.World{}, map[testserver.Profile]*acctest.Differential{}
	for _, profile := range profiles {
		worlds[profile] = acctest.Start(t, acctest.In(profile))
		served[profile] = worlds[profile].Differential(t)
	}
	rapid.Check(t, func(r *rapid.T) {
		if isLeftOut(r) {
			return
		}
		profile := rapid.SampledFrom(profiles).Draw(r, "profile")
		readAndPlan(t, r, worlds[profile])
	})
	for profile, d := range served {
		t.Logf("%s: %d reads, %d plans, %d upgrades were fast", profile, d.Reads.Load(), d.Plans.Load(), d.Upgrades.Load())
		assert.NotZero(t, d.Reads.Load())
		assert.NotZero(t, d.Plans.Load())
		assert.NotZero(t, d.Upgrades.Load())
	}
}

func readAndPlan(t *testing.T, r *rapid.T, w *acctest.World) {
	t.Helper()
	imported := func(label string) (*acctest.Object, object) {
		stored := surveys(true).Draw(r, label)
		stored["project_id"] = "1"
		w.SetFixtures(encoded(r, object{"surveys": []any{stored}}))
		survey := w.Object(t, "posthog_survey")
		if found := survey.Import("1/" + surveyID); found.HasError() {
			r.Fatal(found.Text())
		}
		return survey, asImported(r, survey, w.Survey(surveyID))
	}
	_, another := imported("another survey")
	survey, config := imported("survey")
	survey.Refresh() // remembers
	survey.Upgrade()
	survey.Refresh()
	survey.Plan(config)
	mixed := object{}
	for name := range resourceAttributes() {
		value, set := config[name]
		switch rapid.IntRange(0, 12).Draw(r, name) {
		case 0:
			value, set = another[name]
		case 1, 2:
			set = false
		}
		if set {
			mixed[name] = value
		}
	}
	survey.Plan(mixed)
	w.PatchSurvey(surveyID, testserver.Object{"description": "by hand"})
	survey.Refresh()
	survey.Plan(mixed)
}
