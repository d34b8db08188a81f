package terraform_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The generated configuration of any survey plans no change.
func TestGeneratedConfigPlansNothing(t *testing.T) {
	t.Parallel()

	for _, profile := range profiles {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(profile))
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

				o := env.Resource(t, "posthog_survey")
				require.Empty(r, o.Import(surveyID).Errors().Text())
				_, plan := o.PlanGeneratedConfig()
				require.Empty(r, plan.Diagnostics.Errors().Text())
				require.True(r, o.IsEmpty(plan))
			})
		})
	}
}

// It omits defaults, and sets the project only if it differs from the provider's.
func TestGeneratedConfigIsMinimal(t *testing.T) {
	t.Parallel()

	stated := func(env *acctest.Env, id string) []string {
		o := env.Resource(t, "posthog_survey")
		require.Empty(t, o.Import(id).Errors().Text())
		config, plan := o.PlanGeneratedConfig()
		require.True(t, o.IsEmpty(plan))
		var names []string
		for name, value := range config {
			if value != nil {
				names = append(names, name)
			}
		}
		return names
	}

	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(`{"surveys":[
		{"project_id":"1","id":"`+surveyID+`","name":"NPS","type":"popover","questions":[{"id":"q","type":"open","question":"Why?"}]},
		{"project_id":"2","id":"018d4b5c-7a3e-7f21-9c6d-000000000002","name":"NPS","type":"popover","start_date":"2026-01-01T00:00:00Z","archived":true}],
		"projects":[{"id":"1"},{"id":"2"}]}`))
	assert.ElementsMatch(t, []string{"name", "type", "questions"}, stated(env, surveyID))
	assert.ElementsMatch(t, []string{"project_id", "name", "type", "start_date", "archived"}, stated(env, "2/018d4b5c-7a3e-7f21-9c6d-000000000002"))
}

// If a question's type was changed, PostHog keeps attributes of the old type. They have no effect, so a configuration
// omits them, and PostHog keeps them.
func TestGeneratedConfigOmitsAttributesOfOtherTypes(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(`{"surveys":[{"project_id":"1","id":"`+surveyID+`","name":"NPS","type":"popover","questions":[
		{"id":"q","type":"single_choice","question":"Which?","choices":["A","B"],"scale":10,"display":"number","lowerBoundLabel":"Bad","link":"https://example.com"},
		{"id":"r","type":"rating","question":"How?","scale":5,"display":"number","choices":["A"]}]}]}`))
	o := env.Resource(t, "posthog_survey")
	require.Empty(t, o.Import(surveyID).Errors().Text())
	config, plan := o.PlanGeneratedConfig()
	require.True(t, o.IsEmpty(plan))
	assert.Empty(t, plan.Diagnostics.Text())
	questions, _ := config["questions"].([]any)
	require.Len(t, questions, 2)
	stated := func(i int) (names []string) {
		question, _ := questions[i].(map[string]any)
		for name, value := range question {
			if value != nil {
				names = append(names, name)
			}
		}
		return names
	}
	assert.ElementsMatch(t, []string{"type", "question", "choices"}, stated(0))
	assert.ElementsMatch(t, []string{"type", "question", "scale", "display"}, stated(1))

	// A later edit also keeps them.
	choice, _ := questions[0].(map[string]any)
	choice["question"] = "Which one?"
	require.Empty(t, o.Apply(config).Errors().Text())
	stored, _ := only(t, env)["questions"].([]any)
	assert.Equal(t, "https://example.com", stored[0].(object)["link"])
	assert.Equal(t, "10", fmt.Sprint(stored[0].(object)["scale"]))
	assert.Equal(t, []any{"A"}, stored[1].(object)["choices"])
}

// PostHog writes null for unused question keys. The generated configuration omits these, but not null keys that the
// schema doesn't know.
func TestGeneratedConfigOmitsNullsOfQuestions(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(`{"surveys":[
		{"project_id":"1","id":"`+surveyID+`","name":"NPS","type":"popover","questions":[
			{"id":"q1","type":"open","question":"Why?","branching":null,"description":null},
			{"id":"q2","type":"open","question":"Who?","branching":null,"later":[1],"unknown":null}]}]}`))
	o := env.Resource(t, "posthog_survey")
	require.Empty(t, o.Import(surveyID).Errors().Text())

	config, plan := o.PlanGeneratedConfig()
	require.True(t, o.IsEmpty(plan))
	questions, ok := config["questions"].([]any)
	require.True(t, ok)
	first, _ := questions[0].(map[string]any)
	assert.Nil(t, first["extra"])
	second, _ := questions[1].(map[string]any)
	assert.JSONEq(t, `{"later":[1],"unknown":null}`, second["extra"].(string))
}

// nullKeys are two notations of one value: with and without null keys.
var nullKeys = map[string]struct{ with, without object }{
	"conditions": {
		posed(object{"conditions": `{"url":"/x","actions":null,"events":{"values":[{"name":"e","propertyFilters":null}]}}`}),
		posed(object{"conditions": `{"url":"/x","events":{"values":[{"name":"e"}]}}`}),
	},
	"appearance": {
		posed(object{"appearance": `{"position":"left","surveyPopupDelaySeconds":null}`}),
		posed(object{"appearance": `{"position":"left"}`}),
	},
	"filters": {
		posed(object{"targeting_flag_filters": `{"groups":[{"rollout_percentage":5,"variant":null,"properties":[]}],"multivariate":null}`}),
		posed(object{"targeting_flag_filters": `{"groups":[{"rollout_percentage":5,"properties":[]}]}`}),
	},
	"form": {
		posed(object{"form_content": `{"type":"doc","attrs":null}`}),
		posed(object{"form_content": `{"type":"doc"}`}),
	},
	"extra": {
		asking(open(object{"id": "q", "extra": `{"tag":"a","origin":null}`})),
		asking(open(object{"id": "q", "extra": `{"tag":"a"}`})),
	},
	"question translations": {
		asking(open(object{"id": "q", "translations": `{"de":{"question":"Warum?","link":null}}`})),
		asking(open(object{"id": "q", "translations": `{"de":{"question":"Warum?"}}`})),
	},
}

// Generated configuration contains null keys, and hand-written configuration omits them. Changing from one to the other
// is neither a change nor drift.
func TestB12NullKeyEqualsAbsentKey(t *testing.T) {
	t.Parallel()
	for name, c := range nullKeys {
		for _, profile := range profiles {
			for _, order := range [][2]object{{c.with, c.without}, {c.without, c.with}} {
				t.Run(string(profile)+"/"+name, func(t *testing.T) {
					t.Parallel()
					env := acctest.Start(t, acctest.Profile(profile))
					env.Differential(t)
					survey := env.Resource(t, "posthog_survey")
					applied := survey.Apply(order[0])
					require.False(t, applied.HasError(), applied.Text())
					require.False(t, survey.Refresh().HasError())

					assert.True(t, survey.IsEmpty(survey.Plan(order[0])), "a plan with the same configuration must be empty")
					assert.True(t, survey.IsEmpty(survey.Plan(order[1])), "a plan with the other spelling must be empty")
				})
			}
		}
	}
}

func TestB12NullKeyIsNoDrift(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile))
		env.Differential(t)
		survey := env.Resource(t, "posthog_survey")
		config := posed(object{"conditions": `{"url":"/x"}`, "appearance": `{"position":"left","widgetLabel":null}`})
		require.False(t, survey.Apply(config).HasError())

		id, _ := survey.State("id").(string)
		env.PatchSurvey(id, testserver.Object{
			"conditions": object{"url": "/x", "actions": nil, "events": nil}, "appearance": object{"position": "left", "borderColor": nil},
		})
		require.False(t, survey.Refresh().HasError())
		assert.True(t, survey.IsEmpty(survey.Plan(config)), "%s", profile)

		// Any other value instead of the null is drift.
		env.PatchSurvey(id, testserver.Object{"conditions": object{"url": "/x", "selector": "#a"}})
		require.False(t, survey.Refresh().HasError())
		assert.False(t, survey.IsEmpty(survey.Plan(config)), "%s", profile)
	}
}

// PostHog omits an empty link from responses to reads, so it equals null.
func TestEmptyLinkEqualsNone(t *testing.T) {
	t.Parallel()
	empty, none := asking(object{"id": "q", "type": "link", "question": "See", "link": ""}), asking(object{"id": "q", "type": "link", "question": "See"})
	for _, profile := range profiles {
		for _, order := range [][2]object{{empty, none}, {none, empty}} {
			env := acctest.Start(t, acctest.Profile(profile))
			survey := env.Resource(t, "posthog_survey")
			require.False(t, survey.Apply(order[0]).HasError())
			id, _ := survey.State("id").(string)
			env.PatchSurvey(id, testserver.Object{"questions": []any{object{"id": "q", "type": "link", "question": "See"}}})
			require.False(t, survey.Refresh().HasError())
			assert.True(t, survey.IsEmpty(survey.Plan(order[0])), "%s: a plan with the same configuration must be empty", profile)
			if order[0]["questions"].([]any)[0].(object)["link"] != nil {
				// In the other direction, Terraform requires the empty text in the plan.
				assert.True(t, survey.IsEmpty(survey.Plan(order[1])), "%s: a plan with the other spelling must be empty", profile)
			}
		}
	}
}

// Whatever PostHog contains can be planned: after an import, after an apply, and after a teammate made an edit that is
// inconsistent with the other values.
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

// spoil changes a survey into one that PostHog could store but would refuse to create.
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

// planAgain plans the values in PostHog like the next run of Terraform: it validates without a configured provider,
// reads, and plans.
func planAgain(t *testing.T, r *rapid.T, env *acctest.Env, survey *acctest.Resource) {
	t.Helper()
	env.NextRun(t, survey)
	if found := survey.Refresh(); found.HasError() {
		r.Fatal(found.Text())
	}

	config, plan := survey.PlanGeneratedConfig()
	wantTaken(r, survey, config, plan)
	if !survey.IsEmpty(plan) {
		r.Fatalf("the plan is not empty: %s", plan.Planned)
	}

	// A person doesn't write the IDs, but edits the rest.
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

// wantTaken asserts that a configuration has no error.
func wantTaken(r *rapid.T, survey *acctest.Resource, config object, plan acctest.Plan) {
	if found := survey.Validate(config); found.HasError() {
		r.Fatalf("terraform validate reports errors: %s", found.Text())
	}
	if plan.Diagnostics.HasError() {
		r.Fatalf("terraform plan reports errors: %s", plan.Diagnostics.Text())
	}
}
