package terraform_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// exportedSurveys is how many random surveys each profile exports, a third of them with -short, in addition to 26
// import apps. EXPORTED_SURVEYS sets another number.
const exportedSurveys = 60

// The export of any surveys and import apps plans no change in a real Terraform, and a second export writes the same
// bytes.
func TestAccRandomSurveysExportToAnEmptyPlan(t *testing.T) {
	t.Parallel()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	number := exportedSurveys
	if testing.Short() {
		number /= 3
	}
	if text := os.Getenv("EXPORTED_SURVEYS"); text != "" {
		var err error
		number, err = strconv.Atoi(text)
		require.NoError(t, err)
	}

	for _, profile := range acctest.Profiles() {
		for _, branching := range []string{"names", "places"} {
			t.Run(fmt.Sprint(profile, " by ", branching), func(t *testing.T) {
				t.Parallel()
				offset := 0
				if branching == "places" {
					offset = number // other surveys
				}
				env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(encodedForExport(t, drawnSurveys(number/2, offset), offset, profile)))
				dir := t.TempDir()
				output, err := posthogSync(t, env, "export", dir, "--verify", "--branching", branching)
				require.NoError(t, err, output)
				require.Contains(t, output, "nothing to change")

				before := filesIn(t, dir)
				output, err = posthogSync(t, env, "export", dir, "--branching", branching)
				require.NoError(t, err, output)
				require.Equal(t, before, filesIn(t, dir))
				require.NotContains(t, output, "written")
			})
		}
	}
}

// drawnSurveys returns random surveys. A different offset returns different surveys.
func drawnSurveys(number, offset int) []object {
	list := make([]object, number)
	for i := range list {
		list[i] = surveys(true).Example(offset + i)
	}
	return list
}

// encodedForExport returns a fixtures document of surveys and random import apps.
func encodedForExport(t testing.TB, list []object, offset int, profile testserver.Profile) string {
	t.Helper()

	var stored, apps []any

	for i, survey := range list {
		survey["id"] = fmt.Sprintf("018d4b5c-7a3e-7f21-9c6d-%012d", i)
		survey["project_id"] = "1"
		survey["name"] = fmt.Sprint(survey["name"], " ", i)

		for role, name := range []string{"linked_flag", "targeting_flag", "internal_targeting_flag"} {
			if flag, ok := survey[name].(object); ok {
				flag["id"], flag["key"] = 10*i+role+1, fmt.Sprint(flag["key"], i)
			}
		}

		if profile == testserver.Hosted {
			asSaved(survey)
		} else if asked, ok := survey["questions"].([]any); ok && len(asked) > 0 {
			// Without any ID, terraform validate treats the survey as a new one, which may not be as unusual as these
			// surveys.
			asked[0].(object)["id"] = "question 0"
		}

		stored = append(stored, survey)
	}

	for i := range max(13, len(list)/10) {
		app := object{"organization_id": "018d4b5c-0000-7000-8000-000000000001", "id": i + 1, "name": fmt.Sprint(names.Example(offset+i), i)}

		for name, values := range map[string]drawn{
			"description": texts.AsAny(), "icon": texts.AsAny(), "tag": texts.AsAny(), "is_global": booleans,
			"config_schema": rapid.OneOf(objects(2), rapid.SliceOf(objects(2)).AsAny()), "metrics": objects(2), "public_jobs": objects(2),
			"plugin_type": rapid.SampledFrom([]any{"local", "custom", "source"}),
		} {
			app[name] = values.Example(offset + i)
		}

		app["capabilities"] = object{"scheduled_tasks": []any{"runEveryHour"}, "other": texts.Example(offset + i)}
		apps = append(apps, app)
	}

	text, err := json.Marshal(object{
		"organizations": []any{object{"id": "018d4b5c-0000-7000-8000-000000000001", "name": "Acme"}},
		"projects":      []any{object{"id": "1", "organization_id": "018d4b5c-0000-7000-8000-000000000001", "name": "Shop"}},
		"surveys":       stored, "pipeline_import_apps": apps,
	})
	require.NoError(t, err)
	return string(text)
}

// program builds posthog-sync once.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "posthog-sync-test-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "posthog-sync")
	out, err := exec.Command("go", "build", "-o", path, "../../../cmd/posthog-sync").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// posthogSync runs the program on a server and returns its output.
func posthogSync(t *testing.T, env *acctest.Env, args ...string) (string, error) {
	t.Helper()
	path, err := program()
	require.NoError(t, err)
	if cli := os.Getenv("TF_ACC_TERRAFORM_PATH"); cli != "" {
		args = append(args, "--terraform", cli)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	for _, assignment := range os.Environ() {
		if !strings.HasPrefix(assignment, "TF_") && !strings.HasPrefix(assignment, "POSTHOG_") {
			cmd.Env = append(cmd.Env, assignment)
		}
	}
	for name, value := range env.Environment {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	output, err := cmd.CombinedOutput()
	return string(output), err
}

func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	files := map[string]string{}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		require.NoError(t, err)
		if filepath.Ext(entry.Name()) == ".tf" {
			require.Equal(t, string(hclwrite.Format(text)), string(text), "%s must be formatted", entry.Name())
		}
		files[entry.Name()] = string(bytes.TrimSpace(text))
	}
	return files
}
