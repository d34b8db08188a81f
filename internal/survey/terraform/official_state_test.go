package terraform_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/officialprovider"
)

// officialDir contains a directory for each of posthog/posthog v1.0.13's surveys: its state file, the survey in
// PostHog, and the configuration after the migration.
const officialDir = "testdata/official"

// officialSurvey is a survey in officialDir.
type officialSurvey struct {
	name string
	// attributes are the attributes in the state file.
	attributes json.RawMessage
	service    string
	// config is the resource block in main.tf, in the form that acctest uses.
	config map[string]any
}

func officialSurveys(t *testing.T) []officialSurvey {
	t.Helper()
	folders, err := os.ReadDir(officialDir)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(folders), 12)

	surveys := make([]officialSurvey, len(folders))
	for i, folder := range folders {
		read := func(name string) []byte {
			content, err := os.ReadFile(filepath.Join(officialDir, folder.Name(), name))
			require.NoError(t, err)
			return content
		}

		var state struct {
			Resources []struct {
				Instances []struct {
					SchemaVersion int64           `json:"schema_version"`
					Attributes    json.RawMessage `json:"attributes"`
				} `json:"instances"`
			} `json:"resources"`
		}
		require.NoError(t, json.Unmarshal(read("terraform.tfstate"), &state))
		instance := state.Resources[0].Instances[0]
		require.Zero(t, instance.SchemaVersion)

		surveys[i] = officialSurvey{
			name: folder.Name(), attributes: instance.Attributes, service: string(read("service.json")),
			config: configOf(t, filepath.Join(officialDir, folder.Name(), "main.tf")),
		}
	}
	return surveys
}

// configOf evaluates the resource block in a file.
func configOf(t *testing.T, path string) map[string]any {
	t.Helper()
	file, diags := hclparse.NewParser().ParseHCLFile(path)
	require.False(t, diags.HasErrors(), diags.Error())
	body, ok := file.Body.(*hclsyntax.Body)
	require.True(t, ok)
	require.Len(t, body.Blocks, 1)

	functions := &hcl.EvalContext{Functions: map[string]function.Function{"jsonencode": stdlib.JSONEncodeFunc}}
	config := map[string]any{}
	for name, attribute := range body.Blocks[0].Body.Attributes {
		value, diags := attribute.Expr.Value(functions)
		require.False(t, diags.HasErrors(), diags.Error())
		raw, err := ctyjson.Marshal(value, value.Type())
		require.NoError(t, err)
		var decoded any
		require.NoError(t, json.Unmarshal(raw, &decoded))
		config[name] = decoded
	}
	withTextValues(config)
	return config
}

// A survey of the other provider moves with a hand-written configuration: the plan is empty, the questions have
// PostHog's IDs, and no write is sent.
func withTextValues(config map[string]any) {
	questions, _ := config["questions"].([]any)
	for _, question := range questions {
		branching, _ := question.(map[string]any)["branching"].(map[string]any)
		values, _ := branching["response_values"].(map[string]any)
		for key, value := range values {
			values[key] = fmt.Sprint(value)
		}
	}
}

// Together, the states have a value for every attribute of the other provider's survey.
func TestOfficialStatesUseEveryAttribute(t *testing.T) {
	t.Parallel()

	used := map[string]bool{}
	for _, survey := range officialSurveys(t) {
		attributes := map[string]any{}
		require.NoError(t, json.Unmarshal(survey.attributes, &attributes))
		assert.ElementsMatch(t, officialprovider.SurveyAttributes, slices.Collect(maps.Keys(attributes)), survey.name)
		for name, value := range attributes {
			used[name] = used[name] || value != nil && value != false
		}
	}
	for _, name := range officialprovider.SurveyAttributes {
		assert.True(t, used[name], "no state in the test sets %s", name)
	}
}

// takeOver are the two ways to move from the other provider to this one.
var takeOver = map[string]func(*acctest.Resource, officialSurvey) acctest.Diagnostics{
	"terraform state replace-provider": func(o *acctest.Resource, s officialSurvey) acctest.Diagnostics {
		return o.UpgradeState(0, s.attributes)
	},
	"moved": func(o *acctest.Resource, s officialSurvey) acctest.Diagnostics {
		return o.Move(acctest.Source{Provider: "registry.terraform.io/posthog/posthog", Type: "posthog_survey", Attributes: s.attributes})
	},
}

// A survey of the other provider moves with the hand-written configuration: the plan is empty, the questions have
// PostHog's IDs, and nothing is written.
func TestMigrationPlansNothing(t *testing.T) {
	t.Parallel()

	for _, survey := range officialSurveys(t) {
		for how, take := range takeOver {
			for _, profile := range profiles {
				t.Run(fmt.Sprint(survey.name, " ", how, " ", profile), func(t *testing.T) {
					t.Parallel()
					env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(survey.service))
					before := questionIDs(t, only(t, env))

					o := env.Resource(t, "posthog_survey")
					require.Empty(t, take(o, survey).Text())
					require.Empty(t, o.Refresh().Text())
					plan := o.Plan(survey.config)
					require.Empty(t, plan.Diagnostics.Text())
					requireEmpty(t, o, plan)

					assert.Equal(t, before, questionIDs(t, map[string]any{"questions": o.State("questions")}))
					assert.Equal(t, before, questionIDs(t, only(t, env)))
					for _, request := range env.Journal() {
						assert.Equal(t, http.MethodGet, request.Method, request.Path)
					}
				})
			}
		}
	}
}

// A later release of the other provider may have more attributes of any type. The first refresh fills in unknown ones,
// and the rest stays the same.
func TestMigrationFromALaterRelease(t *testing.T) {
	t.Parallel()

	later := map[string]any{
		"current_iteration": 2, "iteration_start_dates_json": `["2026-01-01T00:00:00Z"]`, "tags": []any{"nps"}, "deletion_protection": true,
		"later": map[string]any{"nested": []any{map[string]any{"value": nil}}}, "later_json": nil,
	}
	for _, survey := range officialSurveys(t) {
		for how, take := range takeOver {
			t.Run(fmt.Sprint(survey.name, " ", how), func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Fixtures(survey.service))
				o := env.Resource(t, "posthog_survey")

				attributes := map[string]any{}
				require.NoError(t, json.Unmarshal(survey.attributes, &attributes))
				maps.Copy(attributes, later)
				extended := survey
				var err error
				extended.attributes, err = json.Marshal(attributes)
				require.NoError(t, err)

				require.Empty(t, take(o, extended).Text())
				require.Empty(t, o.Refresh().Text())
				plan := o.Plan(survey.config)
				require.Empty(t, plan.Diagnostics.Text())
				requireEmpty(t, o, plan)
			})
		}
	}
}

// In another schema version, the same names may have other meanings.
func TestMigrationFromAnotherSchema(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := officialSurveys(t)[0]

	diags := env.Resource(t, "posthog_survey").Move(acctest.Source{
		Provider: "registry.terraform.io/posthog/posthog", Type: "posthog_survey", Version: 1, Attributes: survey.attributes,
	})
	assert.Contains(t, diags.Errors().Text(), "its schema has version 1")
	assert.Contains(t, diags.Errors().Text(), "terraform state rm")
	assert.Empty(t, env.Journal())
}

// requireEmpty fails and lists the attributes that a plan changes.
func requireEmpty(t *testing.T, o *acctest.Resource, plan acctest.Plan) {
	t.Helper()
	for name, planned := range plan.Attributes(t) {
		assert.Equal(t, o.State(name), planned, name)
	}
	require.True(t, o.IsEmpty(plan))
}
