package terraform_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/terraform"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Any survey on a server can be imported, configured as imported, and changed. Without a change, the plan is empty. A
// changed word in the description sends one key, and a changed word in a question leaves all other keys of all
// questions unchanged. Then the survey is destroyed, because PostHog's normalization of a write doesn't count as an
// edit.
func TestImportedSurveyIsUntouched(t *testing.T) {
	t.Parallel()
	envs := map[testserver.Profile]*acctest.Env{}
	for _, profile := range profiles {
		envs[profile] = acctest.Start(t, acctest.Profile(profile))
	}
	rapid.Check(t, func(r *rapid.T) {
		if isLeftOut(r) {
			return
		}
		profile := rapid.SampledFrom(profiles).Draw(r, "profile")
		importAndChange(t, r, envs[profile], profile)
	})
}

// isLeftOut skips four out of five cases, unless -short is set.
func isLeftOut(r *rapid.T) bool {
	return !testing.Short() && rapid.IntRange(0, 4).Draw(r, "turn") > 0
}

func importAndChange(t *testing.T, r *rapid.T, env *acctest.Env, profile testserver.Profile) {
	t.Helper()
	stored := surveys(true).Draw(r, "survey")
	stored["project_id"] = "1"
	if profile == testserver.Hosted {
		asSaved(stored)
	}
	env.SetFixtures(encoded(r, object{"surveys": []any{stored}}))
	survey := env.Resource(t, "posthog_survey")
	if found := survey.Import("1/" + surveyID); found.HasError() {
		r.Fatal(found.Text())
	}
	config := asImported(r, survey, env.Survey(surveyID))
	wantEmpty(r, survey, config)

	want := steady(env)
	asked, _ := want["questions"].([]any)
	edited, sent := -1, object{}
	if profile == testserver.Documented {
		// PostHog would refuse some of these questions today, and clean others.
		edited = rapid.IntRange(-1, len(asked)-1).Draw(r, "edited question")
	}
	if edited < 0 {
		config["description"], want["description"], sent["description"] = "another text", "another text", "another text"
	} else {
		config["questions"].([]any)[edited].(object)["question"] = "another text"
		asked[edited].(object)["question"], sent["questions"] = "another text", asked
	}
	wantPatch(r, env, survey, config, withCompanions(sent, want))
	stored = steady(env)
	maps.DeleteFunc(stored, func(name string, _ any) bool {
		_, was := want[name]
		return !was // a column that the fixtures omitted, and that now has its default
	})
	wantSame(r, want, stored)

	if gone := survey.Destroy(); gone.HasError() {
		r.Fatal("could not destroy a survey that no one edited: ", gone.Text())
	}
}

// asSaved changes a survey into one that PostHog would save unchanged: each question has an ID, nothing is computed,
// and no variant of a missing flag is set.
func asSaved(survey object) {
	asked, _ := survey["questions"].([]any)
	for i := range asked {
		asked[i].(object)["id"] = fmt.Sprint("question ", i)
	}
	if conditions, ok := survey["conditions"].(object); ok {
		delete(conditions, "linkedFlagVariant")
	}
	maps.DeleteFunc(survey, func(name string, _ any) bool { return strings.HasPrefix(name, "response_sampling_") })
}

// asImported returns a configuration with everything in the state of a survey that is stored in this form. The
// questions' IDs and extras may be omitted.
func asImported(r *rapid.T, survey *acctest.Resource, stored object) object {
	config := object{}
	for name, a := range resourceAttributes() {
		if value := survey.State(name); value != nil && (a.IsOptional() || a.IsRequired()) {
			config[name] = value
		}
	}
	asked, _ := config["questions"].([]any)
	for i, one := range asked {
		q := one.(object)
		if q["scale"] != nil {
			q["scale"] = exactly(r, stored["questions"].([]any)[i].(object)["scale"])
		}
		for _, name := range []string{"id", "extra"} {
			if rapid.Bool().Draw(r, "leaves out "+name) {
				delete(q, name)
			}
		}
	}
	return config
}

func resourceAttributes() map[string]schema.Attribute {
	var resp resource.SchemaResponse
	terraform.NewResource().Schema(context.Background(), resource.SchemaRequest{}, &resp)
	return resp.Schema.Attributes
}

// exactly parses a number without losing digits.
func exactly(r *rapid.T, number any) *big.Float {
	parsed, _, err := big.ParseFloat(number.(json.Number).String(), 10, 512, big.ToNearestEven)
	if err != nil {
		r.Fatal(err)
	}
	return parsed
}

func wantEmpty(r *rapid.T, survey *acctest.Resource, config object) {
	plan := survey.Plan(config)
	if plan.Diagnostics.HasError() {
		r.Fatal(plan.Diagnostics.Text())
	}
	if !survey.IsEmpty(plan) {
		r.Fatalf("the plan of the imported configuration is not empty:\n%s", plan.Planned.String())
	}
}

// withCompanions adds unchanged fields that PostHog requires in an update: conditions if they link actions, and with
// them the linked flag whose variant they name.
func withCompanions(sent, stored object) object {
	conditions, _ := stored["conditions"].(object)
	actions, _ := conditions["actions"].(object)
	if values, _ := actions["values"].([]any); len(values) > 0 {
		sent["conditions"] = conditions
		if flag, ok := stored["linked_flag"].(object); ok && conditions["linkedFlagVariant"] != nil {
			sent["linked_flag_id"] = flag["id"]
		}
	}
	return sent
}

// wantPatch applies a configuration and asserts that it sends a read and this update, and no other request.
func wantPatch(r *rapid.T, env *acctest.Env, survey *acctest.Resource, config, want object) {
	env.ResetJournal()
	if applied := survey.Apply(config); applied.HasError() {
		r.Fatal(applied.Text())
	}
	journal := env.Journal()
	methods := []string{http.MethodGet, http.MethodPatch}
	if !slices.EqualFunc(journal, methods, func(request testserver.Request, method string) bool { return request.Method == method }) {
		r.Fatalf("want requests %v, got %v", methods, journal)
	}
	wantSame(r, want, decoded(r, journal[len(journal)-1].Body))
}

// steady returns the stored survey without what PostHog computes at every update: its iterations, its own flag, and
// whether that flag is active.
func steady(env *acctest.Env) object {
	stored := env.Survey(surveyID)
	for _, name := range []string{
		"iteration_start_dates", "current_iteration", "current_iteration_start_date", "response_sampling_daily_limits",
		"internal_targeting_flag", "actions_cleared",
	} {
		delete(stored, name)
	}
	if flag, ok := stored["targeting_flag"].(object); ok {
		delete(flag, "active")
		delete(flag, "version")
	}
	return stored
}

func wantSame(r *rapid.T, want, got object) {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if _, ok := got[name]; !ok {
			r.Fatalf("%s is missing, want %s", name, encoded(r, want[name]))
		}
	}
	for name, value := range got {
		if _, ok := want[name]; !ok || !attribute.SameJSON(encoded(r, want[name]), encoded(r, value)) {
			r.Fatalf("%s is\n%s\nwant\n%s", name, encoded(r, value), encoded(r, want[name]))
		}
	}
}

func encoded(r *rapid.T, v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		r.Fatal(err)
	}
	return string(raw)
}

func decoded(r *rapid.T, raw []byte) (out object) {
	if err := jsonvalue.Unmarshal(raw, &out); err != nil {
		r.Fatalf("%s: %v", raw, err)
	}
	return out
}
