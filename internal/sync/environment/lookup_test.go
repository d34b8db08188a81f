package environment

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const oneEnvironment = "environments: {one: {project_id: 1}}"

func noVariables(string) string { return "" }

// A file above the repository belongs to another project or another user.
func TestFindStopsAtTheRepository(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	repository := filepath.Join(dir, "repository")
	deep := filepath.Join(repository, "live", "eu")
	require.NoError(t, os.MkdirAll(deep, 0o750))
	require.NoError(t, os.WriteFile(filepath.Join(dir, FileName), []byte(oneEnvironment), 0o600))

	set, err := Find("", deep, noVariables)
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(dir, FileName), set.Path, "outside a repository, the search must find the file")

	// In a worktree or a submodule, .git is a file instead of a directory.
	require.NoError(t, os.WriteFile(filepath.Join(repository, ".git"), []byte("gitdir: elsewhere"), 0o600))
	set, err = Find("", deep, noVariables)
	require.NoError(t, err)
	assert.Empty(t, set.Path, "the search must end at the root of the repository")
	assert.Equal(t, []string{DefaultName}, set.Names())

	inside := filepath.Join(repository, FileName)
	require.NoError(t, os.WriteFile(inside, []byte(oneEnvironment), 0o600))
	set, err = Find("", deep, noVariables)
	require.NoError(t, err)
	assert.Equal(t, inside, set.Path, "the search must find the file in the root of the repository")
}

// Another user who can write in a parent directory must not choose the host or the key.
func TestFindReadsNoFileOfAnotherOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to another user")
	}

	dir := t.TempDir()
	deep := filepath.Join(dir, "own")
	require.NoError(t, os.Mkdir(deep, 0o750))
	path := filepath.Join(dir, FileName)
	require.NoError(t, os.WriteFile(path, []byte(oneEnvironment), 0o600))

	require.NoError(t, os.Chown(path, 12345, -1))
	_, err := Find("", deep, noVariables)
	assert.ErrorContains(t, err, "belongs to another user")
	assert.ErrorContains(t, err, "--config "+path)

	require.NoError(t, os.Chown(dir, 12345, -1))
	set, err := Find("", deep, noVariables)
	require.NoError(t, err)
	assert.Empty(t, set.Path, "the search must end at another user's directory")

	_, err = Find("", dir, noVariables)
	assert.ErrorContains(t, err, "belongs to another user", "in the working directory, it must not be ignored")
	set, err = Find(path, deep, noVariables)
	require.NoError(t, err)
	assert.Equal(t, path, set.Path, "a file that the user selects must be trusted")
}

// The value of a variable that does not contain a PostHog key is never sent.
func TestOptionsTakeNothingButKeysFromOtherVariables(t *testing.T) {
	t.Parallel()
	values := map[string]string{"AWS_SECRET_ACCESS_KEY": "wJalrXUt", "STAGING_KEY": "phx_a", "PROJECT_KEY": "phs_b", "POSTHOG_API_KEY": "of-another-kind"}
	getenv := func(name string) string { return values[name] }

	for variable, isKey := range map[string]bool{"AWS_SECRET_ACCESS_KEY": false, "STAGING_KEY": true, "PROJECT_KEY": true, "POSTHOG_API_KEY": true} {
		e := Environment{Name: "d", BaseURL: "https://user:pass@evil.example/x", APIKeyVariable: variable, File: "posthog-sync.yaml"}
		options, err := e.Options(getenv)
		if isKey {
			require.NoError(t, err, variable)
			assert.Equal(t, values[variable], options.APIKey)
			continue
		}
		require.Error(t, err)
		assert.Equal(t, `environment "d": the value of AWS_SECRET_ACCESS_KEY does not start with phx_ or phs_, so it is not sent as an API key to `+
			"https://evil.example. Check api_key_variable in posthog-sync.yaml, or put the key into POSTHOG_API_KEY", err.Error())
	}
}

func TestNotices(t *testing.T) {
	t.Parallel()
	values := map[string]string{"POSTHOG_BASE_URL": "https://us.posthog.com/", "POSTHOG_PROJECT_ID": "1", "POSTHOG_API_KEY": "phx_a", "STAGING_KEY": "phx_b"}
	getenv := func(name string) string { return values[name] }
	overridden := Environment{Name: "d", BaseURL: "http://10.0.0.7:8123", ProjectID: "2", APIKeyVariable: "STAGING_KEY", File: "/up/posthog-sync.yaml"}

	assert.Equal(t, []string{
		`Environment "d" of /up/posthog-sync.yaml is used instead of POSTHOG_BASE_URL, POSTHOG_PROJECT_ID, POSTHOG_API_KEY: requests go to http://10.0.0.7:8123.`,
		"Warning: the API key is sent unencrypted, so anyone on the network path to http://10.0.0.7:8123 can read it. Use https.",
	}, overridden.Notices(getenv))

	same := Environment{Name: "d", BaseURL: "https://us.posthog.com", ProjectID: "1", APIKeyVariable: "POSTHOG_API_KEY", File: "posthog-sync.yaml"}
	assert.Empty(t, same.Notices(getenv))
	variables, err := FromVariables(getenv)
	require.NoError(t, err)
	assert.Empty(t, variables.Notices(getenv))
}

// Reading a file that is not regular, such as a pipe, could block forever.
func TestFindReadsRegularFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, FileName), 0o750))
	_, err := Find("", dir, noVariables)
	assert.ErrorContains(t, err, "posthog-sync.yaml is not a regular file")
}
