package upjet_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/crossplane/upjet/v2/pkg/config"
	"github.com/crossplane/upjet/v2/pkg/pipeline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// resources are the resources that the provider serves. Add a new one here.
var resources = []string{"posthog_survey", "posthog_pipeline_import_app"}

// configuration is the provider that the guide shows, with the schema of this repository.
func configuration(t *testing.T) *config.Provider {
	t.Helper()
	schema, err := os.ReadFile(filepath.FromSlash("../../../schemas/provider.json"))
	require.NoError(t, err)
	return newProvider(schema, "test")
}

// Every resource of the schema is loaded, with the parts of the survey that hold questions.
func TestLoads(t *testing.T) {
	t.Parallel()
	loaded := configuration(t)
	require.Len(t, loaded.Resources, len(resources))

	survey := loaded.Resources["posthog_survey"]
	require.NotNil(t, survey)
	questions := survey.TerraformResource.Schema["questions"]
	require.NotNil(t, questions)
	assert.NotNil(t, questions.Elem, "questions must be nested objects")
}

// The API types of every resource are generated.
func TestGenerates(t *testing.T) {
	// The generator calls goimports by its name.
	programs := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", programs, "golang.org/x/tools/cmd/goimports")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))

	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "hack"), 0o750))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "hack", "boilerplate.go.txt"), []byte("// Generated.\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/provider-posthog\n"), 0o600))

	pipeline.Run(configuration(t), nil, dir)

	types, err := filepath.Glob(filepath.Join(dir, "apis", "*", "*", "zz_*_types.go"))
	require.NoError(t, err)
	require.Len(t, types, len(resources))
	var text []byte
	for _, file := range types {
		one, err := os.ReadFile(file)
		require.NoError(t, err)
		text = append(text, one...)
	}
	for _, field := range []string{"QuestionsParameters struct", "ResponseValues map[string]*string", "TargetingFlagFilters *string", "ConfigSchema *string"} {
		assert.Contains(t, string(text), field)
	}
}
