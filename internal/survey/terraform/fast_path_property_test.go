package terraform_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The fast path returns exactly what the framework returns, for any survey, any configuration, and any change.
func TestFastPathIsTheSlowPath(t *testing.T) {
	t.Parallel()
	envs, served := map[testserver.Profile]*acctest.Env{}, map[testserver.Profile]*acctest.Differential{}
	for _, profile := range profiles {
		envs[profile] = acctest.Start(t, acctest.Profile(profile))
		served[profile] = envs[profile].Differential(t)
	}
	rapid.Check(t, func(r *rapid.T) {
		if isLeftOut(r) {
			return
		}
		profile := rapid.SampledFrom(profiles).Draw(r, "profile")
		readAndPlan(t, r, envs[profile])
	})
	for profile, d := range served {
		t.Logf("%s: %d reads, %d plans, %d upgrades were fast", profile, d.Reads.Load(), d.Plans.Load(), d.Upgrades.Load())
		assert.NotZero(t, d.Reads.Load())
		assert.NotZero(t, d.Plans.Load())
		assert.NotZero(t, d.Upgrades.Load())
	}
}

func readAndPlan(t *testing.T, r *rapid.T, env *acctest.Env) {
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
	survey.Refresh() // remembers
	survey.Upgrade()
	survey.Refresh()
	survey.Plan(config)
	survey.PlanGeneratedConfig()
	survey.Plan(respelled(r, config))

	without := maps.Clone(config)
	delete(without, rapid.SampledFrom(slices.Sorted(maps.Keys(config))).Draw(r, "left out"))
	survey.Plan(without)

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
	env.PatchSurvey(surveyID, testserver.Object{"description": "by hand"})
	survey.Refresh()
	survey.Plan(mixed)

	survey.Upgrade(func(attributes map[string]any) { attributes["description"] = "by hand in the state" })
	survey.Refresh()
}

// respelled returns an equivalent configuration: without false or empty values, and with whitespace in JSON and
// around texts.
func respelled(r *rapid.T, config object) object {
	out := maps.Clone(config)
	for _, name := range slices.Sorted(maps.Keys(config)) {
		text, isText := config[name].(string)
		switch how := rapid.IntRange(0, 3).Draw(r, "spelling of "+name); {
		case how == 0:
		case isEmptyValue(config[name]):
			delete(out, name)
		case isText && how == 1:
			out[name] = " " + text + "\n"
		case isText && how == 2:
			out[name] = otherWords(strings.ReplaceAll(text, "Z", ".000+00:00"))
		}
	}

	questions, _ := config["questions"].([]any)
	asked := make([]any, len(questions))
	for i, question := range questions {
		asked[i] = withoutEmpty(r, question.(object))
	}
	if questions != nil {
		out["questions"] = asked
	}
	return out
}

// withoutEmpty returns an equivalent question, without some of its false or empty values.
func withoutEmpty(r *rapid.T, question object) object {
	out := maps.Clone(question)
	for _, name := range slices.Sorted(maps.Keys(question)) {
		text, isText := question[name].(string)
		switch how := rapid.IntRange(0, 3).Draw(r, "spelling of "+name); {
		case how > 0 && isEmptyValue(question[name]):
			delete(out, name)
		case how == 1 && isText:
			out[name] = otherWords(text)
		}
	}
	return out
}

// otherWords returns equivalent JSON and HTML.
func otherWords(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, `{"`, `{ "nothing" : null , "`), "> & ", "> &amp; ")
}

// hasUnusedAttributes reports whether a question has an attribute of another question type. The fast path compares
// attributes one by one, and leaves these questions to the framework.
func hasUnusedAttributes(questions any) bool {
	list, _ := questions.([]any)
	for _, one := range list {
		question, _ := one.(map[string]any)
		kind, _ := question["type"].(string)
		for name, types := range survey.AttributeTypes {
			if !isEmptyValue(question[name]) && !slices.Contains(types, api.SurveyQuestionType(kind)) {
				return true
			}
		}
	}
	return false
}

// The fast path plans the generated configuration of any survey.
func TestFastPathTakesAnySurvey(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(profile))
			d := env.Differential(t)
			rapid.Check(t, func(r *rapid.T) {
				if isLeftOut(r) {
					return
				}
				stored := surveys(true).Draw(r, "survey")
				stored["project_id"] = "1"
				if profile == testserver.Hosted {
					asSaved(stored)
				}
				env.SetFixtures(encoded(r, object{"surveys": []any{stored}}))

				survey := env.Resource(t, "posthog_survey")
				require.Empty(r, survey.Import(surveyID).Errors().Text())
				survey.Refresh()
				before := d.Plans.Load()
				_, plan := survey.PlanGeneratedConfig()
				require.True(r, survey.IsEmpty(plan), plan.Diagnostics.Text())
				if !hasUnusedAttributes(survey.State("questions")) {
					require.Equal(r, before+1, d.Plans.Load(), "the plan must take the fast path")
				}
			})
		})
	}
}

// isEmptyValue reports whether a value has no effect.
func isEmptyValue(v any) bool {
	list, isList := v.([]any)
	return v == nil || v == false || v == "" || isList && len(list) == 0
}

// If PostHog has false or "" and the configuration omits the value, it is unchanged, and stays on the fast path.
func TestFastPathTakesWhatCodeLeavesOut(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		for _, empty := range []string{
			`"description":""`, `"descriptionContentType":""`, `"optional":false`, `"buttonText":""`, `"link":""`, `"display":""`,
			`"lowerBoundLabel":""`, `"upperBoundLabel":""`, `"isNpsQuestion":false`, `"choices":[]`, `"shuffleOptions":false`,
			`"hasOpenChoice":false`, `"skipSubmitButton":false`, `"validation":[]`, `"id":""`, `"branching":null`,
		} {
			t.Run(string(profile)+"/"+empty, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(
					`{"surveys":[{"project_id":"1","id":"`+surveyID+`","name":"Quiet","type":"popover","questions":[{"type":"open","question":"Why?",`+empty+`}]}]}`))
				d := env.Differential(t)
				survey := env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Import("1/"+surveyID).Text())
				require.Empty(t, survey.Refresh().Text())
				before := d.Plans.Load()
				plan := survey.Plan(asking(object{"type": "open", "question": "Why?"}))
				assert.True(t, survey.IsEmpty(plan), plan.Diagnostics.Text())
				assert.Equal(t, before+1, d.Plans.Load(), "the plan must take the fast path")
			})
		}
	}
}

// The fast path leaves these cases to the framework: a state that a different provider version wrote, a survey in a
// project other than the provider's, and values that Terraform keeps and PostHog does not.
func TestFastPathStandsBack(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	d := env.Differential(t)
	survey := env.Resource(t, "posthog_survey")
	config := object{"name": "NPS", "type": "popover", "create_in_folder": "Surveys"}
	require.Empty(t, survey.Apply(config).Text())
	require.Empty(t, survey.Refresh().Text())
	require.True(t, survey.IsEmpty(survey.Plan(config)))
	assert.Equal(t, int64(1), d.Plans.Load())
	delete(config, "create_in_folder")
	assert.False(t, survey.IsEmpty(survey.Plan(config)))

	for _, c := range []struct {
		name   string
		change func(map[string]any)
		isFast bool
	}{
		{"nothing", func(map[string]any) {}, true},
		{"an attribute more", func(all map[string]any) { all["of_a_newer_version"] = true }, false},
		{"an attribute less", func(all map[string]any) { delete(all, "translations") }, false},
		{"one for another", func(all map[string]any) { delete(all, "translations"); all["of_a_newer_version"] = 1 }, false},
		{"one more in an object", func(all map[string]any) { all["created_by"].(object)["of_a_newer_version"] = 1 }, false},
		{"null instead of an object", func(all map[string]any) { all["created_by"] = nil }, true},
	} {
		before := d.Upgrades.Load()
		assert.Empty(t, survey.Upgrade(c.change).Text(), c.name)
		assert.Equal(t, c.isFast, d.Upgrades.Load() > before, c.name)
	}
}

// A provider with a different project warns about every survey that stays in its project, even if nothing else
// changes.
func TestFastPathTellsOfAnotherProject(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	config := object{"name": "NPS", "type": "popover"}
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(config).Text())
	require.Empty(t, survey.Plan(config).Diagnostics.Text())
	env.Environment["POSTHOG_PROJECT_ID"] = "2"
	again := env.Resource(t, "posthog_survey")
	require.Empty(t, again.Import("1/"+survey.State("id").(string)).Text())
	assert.Contains(t, again.Plan(config).Diagnostics.Text(), ", but surveys stay in project ")
}

// The framework plans a state that this version has not read because a different provider version wrote it, or someone
// edited it by hand, and nothing has refreshed it.
func TestFastPathSettlesNothing(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"status", "deletion_policy"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			env.Differential(t)
			survey := env.Resource(t, "posthog_survey")
			config := object{"name": "NPS", "type": "popover"}
			require.Empty(t, survey.Apply(config).Text())
			require.Empty(t, survey.Upgrade(func(all map[string]any) { all[name] = nil }).Text())
			plan := survey.Plan(config)
			assert.NotNil(t, plan.Attribute(t, name))
			assert.False(t, survey.IsEmpty(plan))
		})
	}
}

// A validation result is reused only for the configuration that Terraform validated, even if the plan is for a
// different configuration or never follows.
func TestFastPathValidates(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	env.Differential(t)
	survey := env.Resource(t, "posthog_survey")
	config := object{"name": "NPS", "type": "popover"}
	require.Empty(t, survey.Apply(config).Text())
	for _, refresh := range []bool{true, false} {
		if refresh {
			require.Empty(t, survey.Refresh().Text())
		}
		assert.True(t, survey.IsEmpty(survey.Plan(config)))
		wrong := object{"name": "NPS", "type": "popover", "responses_limit": -1}
		assert.Contains(t, survey.PlanIgnoring(wrong, "responses_limit").Diagnostics.Text(), "responses_limit")
		renamed := object{"name": "Renamed", "type": "popover"}
		plan := survey.PlanIgnoring(renamed, "created_by", "created_at")
		assert.Empty(t, plan.Diagnostics.Text(), "ignore_changes of a read-only attribute must not cause a diagnostic")
		assert.False(t, survey.IsEmpty(plan))
	}
}

// A change to other attributes is planned without decoding the questions, but its consequences for them are still
// reported.
func TestFastPathChecksUnchangedQuestions(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	env.Differential(t)
	survey := env.Resource(t, "posthog_survey")
	config := asking(
		object{"type": "rating", "question": "How likely?", "scale": 10, "display": "number", "branching": object{"type": "end"}},
		object{"type": "open", "question": "Why?"},
	)
	require.Empty(t, survey.Apply(config).Errors().Text())
	require.Empty(t, survey.Refresh().Text())

	config["appearance"] = `{"shuffleQuestions":true}`
	assert.Contains(t, survey.Plan(config).Diagnostics.Text(), "Shuffled questions cannot branch")
}
