package survey_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	ours "github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// Any survey that is on a server can be imported, configured as it was imported,
// and changed: nothing is planned until something changes, a word in the
// description is one key on the wire, and a word in a question leaves all other
// keys of all questions as they are.
func TestImportedSurveyIsUntouched(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	rapid.Check(t, func(r *rapid.T) {
		stored := surveys(true).Draw(r, "survey")
		stored["project_id"] = "1"
		w.SetFixtures(encoded(r, object{"surveys": []any{stored}}))
		survey := w.Object(t, "posthog_survey")
		if found := survey.Import("1/" + surveyID); found.HasError() {
			r.Fatal(found.Text())
		}
		config := asImported(r, survey, w.Survey(surveyID))
		wantEmpty(r, survey, config)

		want := steady(w)
		asked, _ := want["questions"].([]any)
		edited := rapid.IntRange(-1, len(asked)-1).Draw(r, "edited question")
		sent := object{}
		if edited < 0 {
			config["description"], want["description"], sent["description"] = "another text", "another text", "another text"
		} else {
			config["questions"].([]any)[edited].(object)["question"] = "another text"
			asked[edited].(object)["question"], sent["questions"] = "another text", asked
		}
		wantPatch(r, w, survey, config, withCompanions(sent, want))
		wantSame(r, want, steady(w))
	})
}

// asImported is a configuration of everything that a state holds, of a survey that
// is stored so; ids and extras of questions may be left to the provider.
func asImported(r *rapid.T, survey *acctest.Object, stored object) object {
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
	ours.NewResource().Schema(context.Background(), resource.SchemaRequest{}, &resp)
	return resp.Schema.Attributes
}

// exactly is a JSON number as Terraform holds it.
func exactly(r *rapid.T, number any) *big.Float {
	parsed, _, err := big.ParseFloat(number.(json.Number).String(), 10, 512, big.ToNearestEven)
	if err != nil {
		r.Fatal(err)
	}
	return parsed
}

func wantEmpty(r *rapid.T, survey *acctest.Object, config object) {
	plan := survey.Plan(config)
	if plan.Diagnostics.HasError() {
		r.Fatal(plan.Diagnostics.Text())
	}
	if !survey.IsEmpty(plan) {
		r.Fatalf("a plan with the imported configuration changes something:\n%s", plan.Planned.String())
	}
}

// withCompanions adds to an update what the service wants to see again: conditions
// when they link actions, and with them the linked flag of which they name a variant.
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

// wantPatch applies a configuration and wants one request, of an update that says
// this.
func wantPatch(r *rapid.T, w *acctest.World, survey *acctest.Object, config, want object) {
	w.ResetJournal()
	if applied := survey.Apply(config); applied.HasError() {
		r.Fatal(applied.Text())
	}
	journal := w.Journal()
	if len(journal) != 1 || journal[0].Method != http.MethodPatch {
		r.Fatalf("not one update: %v", journal)
	}
	wantSame(r, want, decoded(r, journal[0].Body))
}

// steady is the survey that is stored, without what follows its dates at every
// update: whether its flags are active.
func steady(w *acctest.World) object {
	stored := w.Survey(surveyID)
	for _, name := range []string{"targeting_flag", "internal_targeting_flag"} {
		if flag, ok := stored[name].(object); ok {
			delete(flag, "active")
		}
	}
	return stored
}

func wantSame(r *rapid.T, want, got object) {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if _, ok := got[name]; !ok {
			r.Fatalf("%s is lost, it was %s", name, encoded(r, want[name]))
		}
	}
	for name, value := range got {
		if _, ok := want[name]; !ok || !attribute.SameJSON(encoded(r, want[name]), encoded(r, value)) {
			r.Fatalf("%s is not %s\nbut %s", name, encoded(r, want[name]), encoded(r, value))
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
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&out); err != nil {
		r.Fatalf("%s: %v", raw, err)
	}
	return out
}
