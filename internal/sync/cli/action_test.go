package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// atRoot reads a file at a path relative to the repository root.
func atRoot(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", path))
	require.NoError(t, err)
	return string(text)
}

// The action passes each of its inputs to the script, and the script reads no other settings.
func TestActionHandsOverItsInputs(t *testing.T) {
	t.Parallel()

	var action struct {
		Inputs map[string]any
		Runs   struct {
			Steps []struct{ Env map[string]string }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(atRoot(t, "action.yml")), &action))
	steps := action.Runs.Steps
	var handed, variables []string
	for variable, value := range steps[len(steps)-1].Env {
		handed = append(handed, strings.TrimSuffix(strings.TrimPrefix(value, "${{ inputs."), " }}"))
		if strings.HasPrefix(variable, "POSTHOG_SYNC_") {
			variables = append(variables, variable)
		}
	}
	for input := range action.Inputs {
		assert.Contains(t, handed, input)
	}
	assert.Len(t, handed, len(action.Inputs))

	read := regexp.MustCompile(`\$\{(POSTHOG_SYNC_[A-Z_]+):-`)
	var settings []string
	for _, m := range read.FindAllStringSubmatch(atRoot(t, "action/run"), -1) {
		settings = append(settings, m[1])
	}
	slices.Sort(settings)
	slices.Sort(variables)
	assert.Equal(t, variables, settings)
}

// The pre-commit hooks run existing commands on existing sources.
func TestPreCommitHooks(t *testing.T) {
	t.Parallel()

	var hooks []struct {
		Entry string
		Args  []string
	}
	require.NoError(t, yaml.Unmarshal([]byte(atRoot(t, ".pre-commit-hooks.yaml")), &hooks))
	var verbs []string
	for _, hook := range hooks {
		words := strings.Fields(hook.Entry)
		require.Equal(t, "posthog-sync", words[0])
		found, rest, err := Command().Find(append(words[1:], hook.Args...))
		require.NoError(t, err)
		verbs = append(verbs, commandName(found))

		require.NoError(t, found.ParseFlags(rest))
		require.Len(t, found.Flags().Args(), 1)
		_, err = source.Parse(found.Flags().Args()[0])
		assert.NoError(t, err)
	}
	assert.Equal(t, []string{"lint", "keys"}, verbs)
}
