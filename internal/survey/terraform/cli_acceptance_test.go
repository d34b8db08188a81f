package terraform_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// terraform apply -invoke runs a single action. The testing framework has no step for it.
func TestAccInvokeActions(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(`{"surveys":[{"project_id":"1","id":"`+surveyID+`","name":"NPS","type":"popover"}]}`))
	cli := env.CLI(t)
	cli.SkipBelow("Terraform", "1.14.0")
	cli.Write("main.tf", ownProvider+`
action "posthog_survey_launch" "nps" {
  config {
    survey_id = "`+surveyID+`"
  }
}

action "posthog_survey_stop" "nps" {
  config {
    survey_id = "`+surveyID+`"
  }
}
`)

	output := cli.Run("apply", "-auto-approve", "-invoke=action.posthog_survey_launch.nps")
	assert.Contains(t, output, `Survey "NPS" is launched.`)
	assert.Equal(t, "started, never ended", dates(t, env))

	output = cli.Run("apply", "-auto-approve", "-invoke=action.posthog_survey_stop.nps")
	assert.Contains(t, output, `Survey "NPS" is stopped.`)
	assert.Equal(t, "started, ended", dates(t, env))
	assert.Len(t, env.RequestBodies(t, http.MethodPatch), 2)
}

// Other CLIs read a state that the tested CLI wrote, and plan no change.
func TestAccStateOfAnotherCLI(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, acctest.Fixtures(flags))
	cli := env.CLI(t)
	full, err := os.ReadFile("testdata/full.tf")
	require.NoError(t, err)
	cli.Write("main.tf", ownProvider+string(full))
	cli.Run("apply", "-auto-approve")

	others := othersThan(t, cli)
	if len(others) == 0 {
		t.Skip("requires other CLIs. To build them, run make programs")
	}
	for _, other := range others {
		t.Run(cli.About()+" to "+other.About(), func(t *testing.T) {
			t.Parallel()
			other := other.Copy(t)
			if strings.HasPrefix(cli.About(), "OpenTofu") && !strings.HasPrefix(other.About(), "OpenTofu") {
				// Terraform keeps a provider address's host. OpenTofu replaces the other registry's host with its
				// own.
				other.Run("state", "replace-provider", "-auto-approve", "registry.opentofu.org/surveys-as-code/posthog", "surveys-as-code/posthog")
			}
			output, code := other.Exit("plan", "-detailed-exitcode")
			assert.Zero(t, code, output)
			assert.Empty(t, env.RequestBodies(t, http.MethodPatch))
		})
	}
}

// If the same apply creates the project, the provider uses the new project, even if the environment contains another
// one.
func TestAccProjectKnownLater(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, acctest.Fixtures(`{"projects":[{"id":1},{"id":2}]}`))
	require.Equal(t, "1", env.Environment["POSTHOG_PROJECT_ID"])
	cli := env.CLI(t)
	cli.Write("main.tf", ownProvider+`
resource "terraform_data" "project" {
  input = "2"
}

provider "posthog" {
  project_id = terraform_data.project.output
}

resource "posthog_survey" "nps" {
  name      = "NPS"
  type      = "popover"
  questions = [{ type = "open", question = "Why?" }]
}
`)

	assert.Contains(t, cli.Run("apply", "-auto-approve"), "The provider is not configured yet")
	assert.Empty(t, env.Server.Surveys("1"))
	assert.Len(t, env.Server.Surveys("2"), 1)
	output, code := cli.Exit("plan", "-detailed-exitcode")
	assert.Zero(t, code, output)
}

// In OpenTofu, lifecycle { enabled } creates and destroys a survey like count.
func TestAccTofuEnabled(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t)
	cli := env.CLI(t)
	cli.SkipBelow("OpenTofu", "1.11.0")
	cli.Write("main.tf", ownProvider+`
variable "enabled" {
  type = bool
}

resource "posthog_survey" "maybe" {
  name      = "Only in some environments"
  type      = "popover"
  questions = [{ type = "open", question = "Why?" }]

  lifecycle {
    enabled = var.enabled
  }
}
`)

	cli.Run("apply", "-auto-approve", "-var=enabled=true")
	assert.Len(t, env.Surveys(t), 1)
	output, code := cli.Exit("plan", "-detailed-exitcode", "-var=enabled=true")
	assert.Zero(t, code, output)
	cli.Run("apply", "-auto-approve", "-var=enabled=false")
	assert.Empty(t, env.Surveys(t))
}

// A survey is imported by its URL in PostHog.
func TestAccImportByAddress(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Fixtures(`{"surveys":[{"project_id":"1","id":"`+surveyID+`","name":"NPS","type":"popover"}]}`))
	cli := env.CLI(t)
	cli.Write("main.tf", ownProvider+`
import {
  to = posthog_survey.nps
  id = provider::posthog::parse_survey_id("https://us.posthog.com/project/1/surveys/`+surveyID+`").import_id
}

resource "posthog_survey" "nps" {
  name = "NPS"
  type = "popover"
}
`)
	assert.Contains(t, cli.Run("plan"), "1 to import, 0 to add, 0 to change, 0 to destroy")
}

// The fast path recognizes the data that Terraform sends for an unchanged survey: its state, its configuration, and
// its state file.
func TestAccSurveyFastPath(t *testing.T) {
	t.Parallel()

	for _, profile := range acctest.Profiles() {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()

			env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(flags))
			d := env.Differential(t)
			nothing := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}

			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: env.Factories(),
				Steps: []resource.TestStep{
					{ConfigFile: file("five.tf")},
					{ConfigFile: file("five.tf"), ConfigPlanChecks: nothing},
					{ConfigFile: file("five.tf"), ConfigPlanChecks: nothing},
				},
			})

			t.Logf("%d reads, %d plans, %d upgrades were fast", d.Reads.Load(), d.Plans.Load(), d.Upgrades.Load())
			assert.GreaterOrEqual(t, d.Reads.Load(), int64(2))
			assert.GreaterOrEqual(t, d.Plans.Load(), int64(2))
			assert.GreaterOrEqual(t, d.Upgrades.Load(), int64(2))
		})
	}
}

// Surveys on the server, even invalid ones, are exported, imported, and planned again. A plan also works after
// teammates changed types in PostHog and posthog-sync wrote the new types into the configuration.
func TestAccOddSurveysPlanAgain(t *testing.T) {
	t.Parallel()
	for _, profile := range acctest.Profiles() {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			document, ids := oddDocument(t)
			env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(document))
			cli := env.CLI(t)
			output, err := posthogSync(t, env, "export", cli.Dir, "--verify")
			require.NoError(t, err, output)
			cli.Run("apply", "-auto-approve")
			cli.Run("plan", "-detailed-exitcode")

			for _, id := range ids {
				env.PatchSurvey(id, testserver.Object{"type": "external_survey"})
			}
			output, err = posthogSync(t, env, "pull", cli.Dir)
			require.NoError(t, err, output)
			cli.Run("plan", "-detailed-exitcode")
			output, err = posthogSync(t, env, "pull", cli.Dir)
			require.NoError(t, err, output)
			cli.Run("validate")
		})
	}
}

// oddDocument returns a fixtures document of the odd surveys, whose questions have no IDs, and the IDs of the
// popovers.
func oddDocument(t *testing.T) (document string, popovers []string) {
	t.Helper()
	var stored []any
	for i, name := range slices.Sorted(maps.Keys(oddSurveys)) {
		survey := object{"project_id": "1", "id": fmt.Sprintf("018d4b5c-7a3e-7f21-9c6d-%012d", i), "name": name, "type": "popover"}
		require.NoError(t, json.Unmarshal([]byte(oddSurveys[name]), &survey))
		if flag, ok := survey["targeting_flag"].(object); ok {
			flag["id"], flag["key"] = 100+i, fmt.Sprintf("survey-targeting-%010d", i)
		}
		questions, _ := survey["questions"].([]any)
		for _, question := range questions {
			delete(question.(object), "id")
		}
		if survey["type"] == "popover" {
			popovers = append(popovers, survey["id"].(string))
		}
		stored = append(stored, survey)
	}

	text, err := json.Marshal(object{"surveys": stored})
	require.NoError(t, err)
	return string(text), popovers
}

// One apply creates a running survey with filters. The persons who match the filters see it until they answer.
// Other filters select other persons.
func TestAccSurveyIsOfferedToWhomItTargets(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	env.SetFixtures(`{"feature_flags":[{"id":5,"project_id":1,"key":"colours","filters":{
			"groups":[{"variant":"blue","properties":[{"key":"blue","value":"yes","operator":"exact","type":"person"}]},{"variant":"red"}],
			"multivariate":{"variants":[{"key":"red","rollout_percentage":50},{"key":"blue","rollout_percentage":50}]}}}],
		"persons":[{"project_id":1,"distinct_ids":["pro"],"properties":{"plan":"pro"}},{"project_id":1,"distinct_ids":["again"],"properties":{"plan":"pro"}},
			{"project_id":1,"distinct_ids":["blue"],"properties":{"plan":"pro","blue":"yes"}},{"project_id":1,"distinct_ids":["free"],"properties":{"plan":"free"}}]}`)

	offeredTo := func() (id, persons string) {
		id, ok := env.Surveys(t)[0]["id"].(string)
		require.True(t, ok)
		var names []string
		for _, person := range env.SurveyPeople(id) {
			if person.Offered {
				names = append(names, person.DistinctIDs[0])
			}
		}
		return id, strings.Join(names, " ")
	}
	applied := func(plan, want string) resource.TestStep {
		return resource.TestStep{
			ConfigFile: file("offered.tf"), ConfigVariables: config.Variables{"plan": config.StringVariable(plan)},
			Check: func(*terraform.State) error {
				_, persons := offeredTo()
				assert.Equal(t, want, persons, plan)
				return nil
			},
		}
	}

	answered := applied("pro", "again")
	answered.PreConfig = func() {
		id, _ := offeredTo()
		reply, err := http.Post(env.URL+"/e/", "text/plain", strings.NewReader(`{"event":"survey sent","properties":{"token":"phc_test","distinct_id":"pro",
			"$survey_id":"`+id+`","$survey_completed":true},"$set":{"$survey_responded/`+id+`":true}}`)) //nolint:noctx // a test
		require.NoError(t, err)
		require.NoError(t, reply.Body.Close())
		require.Equal(t, http.StatusOK, reply.StatusCode)
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps:                    []resource.TestStep{applied("pro", "pro again"), answered, applied("free", "free"), applied("pro", "again")},
	})
}

// othersThan returns the CLIs in bin/ and the terraform in PATH, except those with cli's product and version.
func othersThan(t *testing.T, cli *acctest.CLI) []*acctest.CLI {
	t.Helper()
	seen := []string{cli.About()}
	var others []*acctest.CLI
	bin := filepath.Join("..", "..", "..", "bin")
	for _, path := range []string{filepath.Join(bin, "terraform"), filepath.Join(bin, "tofu"), "terraform"} {
		found, err := exec.LookPath(path)
		if err != nil {
			continue
		}
		found, err = filepath.Abs(found)
		require.NoError(t, err)
		if other := cli.At(found); !slices.Contains(seen, other.About()) {
			seen = append(seen, other.About())
			others = append(others, other)
		}
	}
	return others
}
