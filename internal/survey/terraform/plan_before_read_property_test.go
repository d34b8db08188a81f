package terraform_test

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// L12: a plan after a plan and a read equals the plan after a read, for surveys that were imported, applied, or
// written by an earlier version, and then changed.
func TestL12PlanBeforeRead(t *testing.T) {
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
		var survey *acctest.Resource
		var config object
		if rapid.Bool().Draw(r, "imported") {
			survey, config = anImported(t, r, env)
		} else {
			survey, config = anApplied(t, r, env)
		}

		if rapid.Bool().Draw(r, "refreshed") {
			survey.Refresh()
		}
		// A create can't have a status that contradicts the dates.
		if rapid.Bool().Draw(r, "from a state file") && survey.Exists() {
			survey.Upgrade()
		}
		drift(t, r, env)
		if difference := survey.PlanBeforeRead(config); difference != "" {
			r.Fatal(difference)
		}
	})
}

// A list with an unknown element is planned unchanged: the provider matches no questions, and the known parts of
// other elements are kept. Terraform rejects any other plan.
func anImported(t *testing.T, r *rapid.T, env *acctest.Env) (*acctest.Resource, object) {
	t.Helper()
	imported := func(label string) (*acctest.Resource, object) {
		stored := surveys(true).Draw(r, label)
		stored["project_id"] = "1"
		env.SetFixtures(encoded(r, object{"surveys": []any{stored}}))
		survey := env.Resource(t, "posthog_survey")
		if found := survey.Import("1/" + surveyID); found.HasError() {
			r.Fatal(found.Text())
		}
		return survey, asImported(r, survey, env.Survey(surveyID))
	}
	_, another := imported("another survey")
	survey, config := imported("survey")

	mixed := object{"name": config["name"], "type": config["type"]}
	for _, name := range slices.Sorted(maps.Keys(config)) {
		switch rapid.IntRange(0, 9).Draw(r, name) {
		case 0:
			mixed[name] = another[name]
		case 1:
		default:
			mixed[name] = config[name]
		}
	}
	return survey, mixed
}

// anApplied returns a survey that was applied once or twice, with the same or a different configuration.
func anApplied(t *testing.T, r *rapid.T, env *acctest.Env) (*acctest.Resource, object) {
	t.Helper()
	env.SetFixtures("{}")
	survey := env.Resource(t, "posthog_survey")
	pair := editPairs().Draw(r, "edits")
	inputs := slices.Sorted(maps.Keys(quietInputs))
	input := func(label string) object {
		config := maps.Clone(quietInputs[rapid.SampledFrom(inputs).Draw(r, label)])
		if rapid.Bool().Draw(r, label+" asks") {
			config["questions"] = configuredAs(pair.applied)
		}
		config["status"] = rapid.SampledFrom([]any{nil, "draft", "running", "completed"}).Draw(r, label+" status")
		config["deletion_policy"] = rapid.SampledFrom([]any{nil, "delete", "archive", "abandon"}).Draw(r, label+" policy")
		return config
	}

	for range rapid.IntRange(1, 2).Draw(r, "applies") {
		survey.Apply(input("applied"))
	}
	config := input("configuration")
	if rapid.Bool().Draw(r, "edited in code") {
		config["questions"] = configuredAs(pair.config)
	}
	return survey, config
}

// drift makes an edit in PostHog as a teammate would.
func drift(t *testing.T, r *rapid.T, env *acctest.Env) {
	t.Helper()

	for _, stored := range env.Surveys(t) {
		id, _ := stored["id"].(string)
		asked, _ := stored["questions"].([]any)

		switch rapid.SampledFrom([]string{"none", "none", "text", "reorder", "insert", "start", "end", "archive", "conditions", "delete"}).Draw(r, "drift") {
		case "text":
			env.PatchSurvey(id, testserver.Object{"description": "by hand"})
		case "reorder":
			env.PatchSurvey(id, testserver.Object{"questions": rapid.Permutation(asked).Draw(r, "order")})
		case "insert":
			env.PatchSurvey(id, testserver.Object{"questions": append([]any{object{"id": "theirs", "type": "open", "question": "Theirs?"}}, asked...)})
		case "start":
			env.PatchSurvey(id, testserver.Object{"start_date": "2026-01-01T00:00:00Z"})
		case "end":
			env.PatchSurvey(id, testserver.Object{"start_date": "2026-01-01T00:00:00Z", "end_date": "2026-01-02T00:00:00Z"})
		case "archive":
			env.PatchSurvey(id, testserver.Object{"archived": true})
		case "conditions":
			env.PatchSurvey(id, testserver.Object{"conditions": object{"url": "/theirs"}})
		case "delete":
			if err := env.Server.DeleteSurvey(id); err != nil {
				r.Fatal(err)
			}
		}
	}
}
