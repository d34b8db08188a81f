package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/snapshot"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// testProgram returns a program that uses a test server and has no command line.
func testProgram(t *testing.T, srv *testserver.Instance) *program {
	t.Helper()
	p := newProgram("test")
	variables := map[string]string{
		"POSTHOG_BASE_URL": srv.URL, "POSTHOG_API_KEY": srv.APIKey,
		"POSTHOG_PROJECT_ID": srv.ProjectID, "POSTHOG_ORGANIZATION_ID": srv.OrganizationID,
	}
	p.getenv = func(name string) string { return variables[name] }
	dir := t.TempDir()
	p.getwd = func() (string, error) { return dir, nil }
	p.flags.noProgress = true
	p.flags.terraform = os.Getenv("TF_ACC_TERRAFORM_PATH")
	p.progress = report.NewProgress(os.Stderr, report.ProgressOptions{Off: true, Now: p.now})
	return p
}

// A live source and its snapshot are equal.
func TestSnapshotSideIsTheLiveSide(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		srv := testserver.Start(t, testserver.Options{Profile: profile})
		srv.CreateSurvey(testserver.Object{"name": "NPS", "type": "popover", "linked_flag_id": 1, "conditions": map[string]any{"url": "x"},
			"questions": []any{map[string]any{"id": "q", "type": "open", "question": "Why?"}}})
		p := testProgram(t, srv)

		live, err := p.loader(p.selection()).load(t.Context(), source.Source{Form: source.Live})
		require.NoError(t, err)
		require.Len(t, live, 1)

		e, err := p.sourceEnvironment("")
		require.NoError(t, err)
		var document snapshot.Document
		document, err = p.takeSnapshot(t.Context(), e)
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "snapshot.json")
		file, err := os.Create(path)
		require.NoError(t, err)
		require.NoError(t, document.Write(file))
		require.NoError(t, file.Close())
		saved, err := p.loader(p.selection()).load(t.Context(), source.Source{Form: source.File, Argument: path})
		require.NoError(t, err)

		for _, objects := range [][]source.Object{live, saved} {
			delete(objects[0].Attributes, "user_access_level") // depends on the key's user
			delete(objects[0].Attributes, "created_by")        // snapshots do not contain users
			require.NotNil(t, objects[0].SurveyResponse)
			objects[0].SurveyResponse, objects[0].Service, objects[0].Unknown = nil, "", nil
		}
		assert.Equal(t, live, saved, profile)

		p.flags.without = []string{"N*"}
		none, err := p.loader(p.selection()).load(t.Context(), source.Source{Form: source.Live})
		require.NoError(t, err)
		assert.Empty(t, none)
	}
}

func TestSidesThatCannotBeRead(t *testing.T) {
	t.Parallel()

	p := testProgram(t, testserver.Start(t))
	dir := t.TempDir()

	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}

	for text, complaint := range map[string]string{
		"live:production": `live:production: environment "production" is not defined: posthog-sync.yaml does not exist`,
		"file:" + filepath.Join(dir, "nowhere.json"):                        "does not exist",
		"file:" + write("broken.json", "{"):                                 "not a snapshot: ",
		"file:" + write("survey.json", `{"surveys":[{"name":"x"}]}`):        "surveys[0]: needs id and project_id",
		"plan:" + filepath.Join(dir, "nowhere.tfplan"):                      "does not exist",
		"plan:" + write("text.tfplan", "plan"):                              "neither a saved plan nor a plan in JSON",
		"plan:" + write("other.json", `{"format_version":"","surveys":[]}`): "format version",
		"tf:" + filepath.Join(dir, "nowhere"):                               "does not exist. Use the directory that contains",
		"code:" + write("file.tf", ""):                                      "is not a directory",
	} {
		s, err := source.Parse(text)
		require.NoError(t, err)
		_, err = p.loader(p.selection()).load(t.Context(), s)
		assert.ErrorContains(t, err, complaint)
	}
}

// A configuration that was never applied can be read as code:. Reading its state fails, because the state is empty.
func TestAccConfigurationWithoutState(t *testing.T) {
	t.Parallel()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	srv := testserver.Start(t)
	p := testProgram(t, srv)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.tf"), []byte(`
terraform {
  required_providers {
    posthog = { source = "surveys-as-code/posthog" }
  }
}

resource "posthog_survey" "nps" {
  name       = "NPS"
  type       = "popover"
  questions  = [{ type = "rating", question = "How likely?", display = "number", scale = 10 }]
  conditions = jsonencode({ url = "x" })
}
`), 0o600))

	planned, err := p.loader(p.selection()).load(t.Context(), source.Source{Form: source.Code, Argument: dir})
	require.NoError(t, err)
	require.Len(t, planned, 1)
	assert.Equal(t, "posthog_survey.nps", planned[0].Address)
	assert.Equal(t, "NPS", planned[0].Name)
	assert.Contains(t, planned[0].Unknown, "id")
	assert.Equal(t, map[string]any{"url": "x"}, planned[0].Attributes["conditions"])

	_, err = p.loader(p.selection()).load(t.Context(), source.Source{Form: source.State, Argument: dir})
	require.ErrorContains(t, err, "the directory does not have a Terraform state")
}

// If a configuration is compared with production, it is planned with the production settings, no matter what the
// default environment is.
func TestDiffPlansOnTheEnvironmentOfTheLiveSide(t *testing.T) {
	t.Parallel()

	code, production, staging := source.Source{Form: source.Code, Argument: "."}, source.Source{Form: source.Live, Argument: "production"}, source.Source{Form: source.Live, Argument: "staging"}
	assert.Equal(t, "production", planEnvironment([2]source.Source{code, production}))
	assert.Equal(t, "production", planEnvironment([2]source.Source{production, code}))
	assert.Empty(t, planEnvironment([2]source.Source{code, {Form: source.Live}}))
	assert.Empty(t, planEnvironment([2]source.Source{staging, production}))
	assert.Empty(t, planEnvironment([2]source.Source{code, code}))
}

// A directory without a state is not treated like a directory with an empty state.
func TestAccDirectoryWithoutState(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("requires a CLI: set TF_ACC=1")
	}
	t.Parallel()
	srv := testserver.Start(t)
	dir := t.TempDir()
	for _, args := range [][]string{{"lint", "tf:" + dir}, {"diff", "tf:" + dir, "live"}, {"keys", "tf:" + dir}} {
		code, stdout, stderr := commandLine(t, t.Context(), srv, args...)
		assert.Equal(t, codeError, code, stdout)
		assert.Contains(t, stderr, "the directory does not have a Terraform state, or the state is empty")
	}
}
