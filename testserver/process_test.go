package testserver_test

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// processVariable has the program of the tests be the test server, with the arguments that
// it is called with.
const processVariable = "TESTSERVER_PROCESS"

func TestMain(m *testing.M) {
	if os.Getenv(processVariable) != "" {
		os.Exit(testserver.Command(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(browsertest.Main(m))
}

// startProcess starts the server in a process of its own, which ends with the test, and
// returns its address.
func startProcess(t *testing.T, input string, args ...string) (process *exec.Cmd, url string) {
	t.Helper()
	process = exec.CommandContext(t.Context(), os.Args[0], append([]string{"-listen", "127.0.0.1:0"}, args...)...) //nolint:gosec // these tests
	process.Env = append(os.Environ(), processVariable+"=1")
	process.Stdin = strings.NewReader(input)
	out, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	t.Cleanup(func() { _ = process.Process.Kill(); _ = process.Wait() })

	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	require.True(t, ok, line)
	return process, url
}

// The fixtures may come from standard input, and flags do what the options do.
func TestProcess(t *testing.T) {
	t.Parallel()
	const fixtures = `{"surveys":[{"project_id":1,"id":"019b0000-0000-7000-8000-000000000001","name":"of standard input","type":"api"}]}`
	_, url := startProcess(t, fixtures, "-fixtures", "-", "-strict", "-worlds=false")
	c := call(t, &testserver.Instance{URL: url, APIKey: testserver.DefaultAPIKey})
	assert.Equal(t, []string{"of standard input"}, c.get(surveys).is(http.StatusOK).names())
	c.post(surveys, `{"name":"S","type":"api","colour":"red"}`).fails(http.StatusBadRequest, "unknown_field", "colour",
		"The document does not name this field, and the server was started with -strict.")
	c.with("Authorization", "Bearer phx_test_one").get(surveys).is(http.StatusUnauthorized)

	_, url = startProcess(t, "", "-profile", "hosted")
	c = call(t, &testserver.Instance{URL: url, APIKey: testserver.DefaultAPIKey})
	c.with("Authorization", "Bearer phx_test_one").get(surveys).is(http.StatusOK)
	assert.Contains(t, c.get(control+"health").body, `"profile":"hosted","worlds":1`)

	broken := exec.CommandContext(t.Context(), os.Args[0], "-fixtures", "-") //nolint:gosec // these tests
	broken.Env, broken.Stdin = append(os.Environ(), processVariable+"=1"), strings.NewReader(`{"survey":[]}`)
	out, err := broken.CombinedOutput()
	require.Error(t, err)
	assert.Equal(t, 1, broken.ProcessState.ExitCode())
	assert.Equal(t, "posthog-testserver: standard input: fixtures: survey: unknown key, did you mean \"surveys\"?\n", string(out))
}
