package terraform_test

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// row is a rule by which the hosted service refuses a survey, by the number of the
// rule in the list of them, and what a user hears of a breach.
type row struct {
	rule int
	// name distinguishes the rows of a rule.
	name string
	// config breaks the rule; prior is the configuration that was applied before.
	config, prior object
	// at is the spot that is named, at plan unless the row says otherwise.
	at string
	// typed is a configuration that Terraform itself refuses, for its types; says is
	// how it says so.
	typed, says string
	// refusal is the service's answer to what no plan can see: code, field and text.
	refusal *refusal
	// never says why no configuration can break the rule.
	never string
}

type refusal struct{ code, attr, detail string }

// where is the step that reports the breach.
func (r row) where() string {
	switch {
	case r.never != "":
		return "never"
	case r.refusal != nil:
		return "apply"
	}
	return "plan"
}

func TestRowsAtPlan(t *testing.T) {
	t.Parallel()
	for _, row := range rows {
		if row.where() != "plan" || row.typed != "" {
			continue
		}
		t.Run(strconv.Itoa(row.rule)+" "+row.name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			survey := env.Resource(t, "posthog_survey")
			if row.prior != nil {
				applied := survey.Apply(row.prior)
				require.False(t, applied.HasError(), applied.Text())
			}
			env.ResetJournal()
			plan := survey.Plan(row.config)
			assertPlaced(t, row.at, plan.Diagnostics.Errors())
			assert.Empty(t, env.Journal(), "a plan asks the service nothing")
		})
	}
}

// What only the service can know is reported at apply, on the attribute that it is about.
// The hosted profile refuses by itself; into the mouth of the documented one, which
// does not know all of it, the refusal is put.
func TestRowsAtApply(t *testing.T) {
	t.Parallel()

	for _, profile := range profiles {
		for _, row := range rows {
			if row.where() != "apply" {
				continue
			}

			t.Run(string(profile)+"/"+strconv.Itoa(row.rule)+" "+row.name, func(t *testing.T) {
				t.Parallel()

				env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(neighbours))
				survey := env.Resource(t, "posthog_survey")
				if row.prior != nil {
					applied := survey.Apply(row.prior)
					require.False(t, applied.HasError(), applied.Text())
				}

				plan := survey.Plan(row.config)
				require.False(t, plan.Diagnostics.HasError(), plan.Diagnostics.Text())

				if profile == testserver.Documented {
					env.SetFaults(row.refusal.fault("surveys_create"), row.refusal.fault("surveys_partial_update"))
				}

				errs := survey.Apply(row.config).Errors()
				assertPlaced(t, row.at, errs)
				assert.Contains(t, errs.Text(), row.refusal.detail)
				assert.Contains(t, errs.Text(), "400")
			})
		}
	}
}

// neighbours are what the surveys of the rows meet on the server.
const neighbours = `{
	"feature_flags": [
		{"id": 1, "project_id": "1", "key": "plain"},
		{"id": 2, "project_id": "1", "key": "varied", "filters": {"groups": [], "multivariate": {"variants": [
			{"key": "a", "rollout_percentage": 50}, {"key": "b", "rollout_percentage": 50}]}}}
	],
	"cohorts": [{"id": 1, "project_id": "1", "name": "x", "behavioral": true}],
	"surveys": [{"project_id": "1", "id": "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d", "name": "Taken", "type": "api"}]
}`

// fault answers an operation with the refusal.
func (r *refusal) fault(operation string) testserver.Fault {
	body := object{"type": "validation_error", "code": r.code, "detail": r.detail, "attr": nil}
	if r.attr != "" {
		body["attr"] = r.attr
	}
	return testserver.Fault{Operation: operation, Status: http.StatusBadRequest, Body: body}
}

// Terraform's own types keep some of it out; its message names the attribute too.
func TestAccSurveyRowsByType(t *testing.T) {
	t.Parallel()
	var steps []resource.TestStep
	for _, row := range rows {
		if row.typed != "" {
			steps = append(steps, resource.TestStep{
				Config:      "resource \"posthog_survey\" \"test\" {\n  name = \"Typed\"\n  type = \"popover\"\n" + row.typed + "\n}\n",
				ExpectError: wrapped(row.says),
			})
		}
	}
	require.NotEmpty(t, steps)
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: acctest.Start(t).Factories(), Steps: steps})
}

// wrapped matches a text wherever Terraform breaks it into lines.
func wrapped(text string) *regexp.Regexp {
	return regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(text), " ", `[\s│]+`))
}

// Every rule is in the table, and each is reported at one step only. The figures are
// what users can count on; they may only get better.
func TestRowsAreComplete(t *testing.T) {
	t.Parallel()
	times := map[int]string{}
	for _, row := range rows {
		if before, ok := times[row.rule]; ok {
			assert.Equal(t, before, row.where(), "rule %d", row.rule)
		}
		times[row.rule] = row.where()
		assert.Equal(t, row.where() == "never", row.at == "", "rule %d names its spot, unless it never comes up", row.rule)
	}
	count := map[string]int{}
	for rule := 1; rule <= 55; rule++ {
		require.Contains(t, times, rule)
		count[times[rule]]++
	}
	assert.Len(t, times, 55)
	assert.Equal(t, map[string]int{"plan": 43, "apply": 9, "never": 3}, count)
}

// assertPlaced wants a diagnostic that points at a spot and names it in its text.
func assertPlaced(t *testing.T, at string, found acctest.Diagnostics) {
	t.Helper()
	require.NotEmpty(t, found, "nothing was found at %s", at)
	assert.True(t, slices.ContainsFunc(found, func(d *tfprotov6.Diagnostic) bool { return isPlaced(at, d) }), "nothing about %s in:\n%s", at, found.Text())
}

// isPlaced holds for a text that goes on inside the JSON of the attribute too.
func isPlaced(at string, d *tfprotov6.Diagnostic) bool {
	return d.Attribute != nil && strings.HasPrefix(at, spelled(d.Attribute)) && strings.Contains(d.Detail, at)
}

// spelled writes a path as the texts do.
func spelled(path *tftypes.AttributePath) string {
	var b strings.Builder
	for _, step := range path.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(string(step))
		case tftypes.ElementKeyInt:
			b.WriteString("[" + strconv.FormatInt(int64(step), 10) + "]")
		case tftypes.ElementKeyString:
			b.WriteString("[" + strconv.Quote(string(step)) + "]")
		}
	}
	return b.String()
}
