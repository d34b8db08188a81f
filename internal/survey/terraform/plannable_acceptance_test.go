package terraform_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// What is on the server is exported, imported and planned again, however odd it is, also
// after the web interface changed types and posthog-sync wrote that into the code.
func TestAccOddSurveysPlanAgain(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
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

// oddDocument is a fixtures document of the odd surveys, whose questions have no ids, and
// the ids of those that are popovers.
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
