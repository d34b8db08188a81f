package tfcli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfcli"
)

// recorder is a program that records its arguments and its environment.
const recorder = `#!/bin/sh
if [ "$1" = version ]; then
  echo '{"terraform_version": "1.9.0", "provider_selections": {}}'
  exit 0
fi
{ echo "$@"; env; } >> "$RECORD"
echo "Error: no configuration" >&2
exit 1
`

// The provider gets the key within the process. The CLI gets the key neither as an argument nor in its environment.
func TestTheKeyStaysInTheProcess(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.tf"), nil, 0o600))
	program, record := filepath.Join(dir, "terraform"), filepath.Join(dir, "record")
	require.NoError(t, os.WriteFile(program, []byte(recorder), 0o700))
	t.Setenv("RECORD", record)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine.tfrc"), nil, 0o600))
	t.Setenv("TF_CLI_CONFIG_FILE", filepath.Join(dir, "mine.tfrc"))

	cli, err := tfcli.Find(program, func() *provider.Provider {
		p := provider.New("test")
		p.Getenv = func(string) string { return "phx_secret" }
		return p
	})
	require.NoError(t, err)
	_, err = cli.Plan(t.Context(), dir)
	require.ErrorContains(t, err, "terraform plan failed in "+dir)
	assert.ErrorContains(t, err, "no configuration")

	recorded, err := os.ReadFile(record)
	require.NoError(t, err)
	text := string(recorded)
	assert.NotContains(t, text, "phx_secret")
	assert.Contains(t, text, "-lock=false")
	assert.Contains(t, text, "TF_REATTACH_PROVIDERS=")
	for _, address := range []string{"registry.terraform.io/surveys-as-code/posthog", "registry.opentofu.org/surveys-as-code/posthog"} {
		assert.True(t, strings.Contains(text, address), address)
	}
	assert.Contains(t, text, "TF_CLI_CONFIG_FILE="+filepath.Join(dir, "mine.tfrc"), "the user's CLI configuration must stay in effect")
}

// Terraform checks for updates unless this is disabled.
func TestTheCLIAsksForNoUpdates(t *testing.T) {
	t.Setenv("RECORD", "")
	for value, want := range map[string]string{"": "CHECKPOINT_DISABLE=1\n", "0": "CHECKPOINT_DISABLE=0\n"} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "main.tf"), nil, 0o600))
		program, record := filepath.Join(dir, "terraform"), filepath.Join(dir, "record")
		require.NoError(t, os.WriteFile(program, []byte(recorder), 0o700))
		t.Setenv("RECORD", record)
		t.Setenv("CHECKPOINT_DISABLE", value)
		if value == "" {
			require.NoError(t, os.Unsetenv("CHECKPOINT_DISABLE"))
		}

		cli, err := tfcli.Find(program, func() *provider.Provider { return provider.New("test") })
		require.NoError(t, err)
		_, err = cli.Plan(t.Context(), dir)
		require.Error(t, err)
		recorded, err := os.ReadFile(record)
		require.NoError(t, err)
		assert.Contains(t, string(recorded), want)
	}
}

func TestFindSaysWhatToDo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := tfcli.Find("", nil)
	assert.EqualError(t, err, "neither terraform nor tofu is in PATH. Install one, or set --terraform to the path of the program")
	_, err = tfcli.Find("nowhere/terraform", nil)
	assert.ErrorContains(t, err, "--terraform: ")
}

// Without a configuration, Terraform would plan to destroy everything.
func TestPlanNeedsConfiguration(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "terraform")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\nexit 1\n"), 0o700))
	cli, err := tfcli.Find(program, func() *provider.Provider { return provider.New("test") })
	require.NoError(t, err)
	_, err = cli.Plan(t.Context(), dir)
	require.EqualError(t, err, dir+" does not contain .tf files. Use the directory that contains your Terraform configuration")
}
