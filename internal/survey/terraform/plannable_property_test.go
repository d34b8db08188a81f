package terraform_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// What the service holds can be planned, however odd it is: after an import, after an
// apply of it, and after the web interface changed what the rest of it does not fit.
func TestWhatTheServiceHoldsPlansAgain(t *testing.T) {
	t.Parallel()
	envs := map[testserver.Profile]*acctest.Env{}
	for _, profile := range profiles {
		envs[profile] = acctest.Start(t, acctest.Profile(profile))
	}

	rapid.Check(t, func(r *rapid.T) {
		if isLeftOut(r) {
			return
		}
		env := envs[rapid.SampledFrom(profiles).Draw(r, "profile")]
		stored := surveys(true).Draw(r, "survey")
		stored["project_id"] = "1"
		spoil(r, stored)
		env.SetFixtures(encoded(r, object{"surveys": []any{stored}}))

		survey := env.Resource(t, "posthog_survey")
		if found := survey.Import("1/" + surveyID); found.HasError() {
			r.Fatal(found.Text())
		}
		planAgain(t, r, env, survey)

		for range 2 {
			env.PatchSurvey(surveyID, testserver.Object{
				rapid.SampledFrom([]string{"type", "schedule"}).Draw(r, "edited"): rapid.SampledFrom([]string{
					"popover", "widget", "external_survey", "api", "newer", "once", "always",
				}).Draw(r, "edit"),
			})
			planAgain(t, r, env, survey)
		}
	})
}

// spoil makes a survey one that nobody could write anew, as far as the service's database
// has a place for it.
func spoil(r *rapid.T, stored object) {
	odd := func(what string) bool { return rapid.IntRange(0, 4).Draw(r, what+" is odd") == 0 }
	if odd("name") {
		stored["name"] = rapid.SampledFrom([]string{" ", strings.Repeat("n", 500), " Why? "}).Draw(r, "odd name")
	}
	for _, name := range []string{"conditions", "appearance", "translations"} {
		if odd(name) {
			stored[name] = objects(3).Draw(r, "odd "+name)
		}
	}

	if odd("list of conditions") {
		stored["conditions"] = rapid.SliceOfN(anything(1), 0, 3).AsAny().Draw(r, "list of conditions")
	}

	questions, _ := stored["questions"].([]any)
	for _, question := range questions {
		if q := question.(object); odd("question") {
			key := rapid.SampledFrom([]string{"id", "type", "question", "choices", "scale", "validation", "branching"}).Draw(r, "key")
			if delete(q, key); rapid.Bool().Draw(r, "of another type") {
				q[key] = anything(2).Draw(r, key)
			}
		}
	}
}

// planAgain plans what the service holds, as the next run of Terraform does: it validates
// without a provider that is configured, reads and plans.
func planAgain(t *testing.T, r *rapid.T, env *acctest.Env, survey *acctest.Resource) {
	t.Helper()
	env.NextRun(t, survey)
	if found := survey.Refresh(); found.HasError() {
		r.Fatal(found.Text())
	}

	config, plan := survey.PlanGenerated()
	wantTaken(r, survey, config, plan)
	if !survey.IsEmpty(plan) {
		r.Fatalf("the plan changes something: %s", plan.Planned)
	}

	// By hand nobody writes the ids, and the rest is edited.
	questions, _ := config["questions"].([]any)
	for i, question := range questions {
		q := question.(object)
		if delete(q, "id"); q["scale"] != nil {
			q["scale"] = exactly(r, env.Survey(surveyID)["questions"].([]any)[i].(object)["scale"])
		}
	}
	wantTaken(r, survey, config, survey.Plan(config))
	config["description"] = "another"
	wantTaken(r, survey, config, survey.Plan(config))
}

// wantTaken wants no error about a configuration.
func wantTaken(r *rapid.T, survey *acctest.Resource, config object, plan acctest.Plan) {
	if found := survey.Validate(config); found.HasError() {
		r.Fatalf("terraform validate refuses it: %s", found.Text())
	}
	if plan.Diagnostics.HasError() {
		r.Fatalf("terraform plan refuses it: %s", plan.Diagnostics.Text())
	}
}
