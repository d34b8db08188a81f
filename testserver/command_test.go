package testserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// serve runs the command until the test ends or stop is called, and returns what it
// printed at the start; stop returns the exit code.
func serve(t *testing.T, args ...string) (lines []string, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	reader, writer := io.Pipe()
	code := make(chan int, 1)
	var stderr bytes.Buffer
	go func() {
		code <- testserver.Command(ctx, append([]string{"-listen", "127.0.0.1:0"}, args...), writer, &stderr)
		_ = writer.CloseWithError(io.EOF)
	}()
	out := bufio.NewScanner(reader)
	for len(lines) < 5 && out.Scan() {
		lines = append(lines, out.Text())
	}
	require.Len(t, lines, 5, stderr.String())
	return lines, func() int {
		cancel()
		return <-code
	}
}

func TestCommandServes(t *testing.T) {
	t.Parallel()
	lines, stop := serve(t)

	url, ok := strings.CutPrefix(lines[0], "listening on ")
	require.True(t, ok, lines[0])
	require.Regexp(t, `^http://127\.0\.0\.1:[1-9][0-9]*$`, url)

	assert.Equal(t, []string{
		"export POSTHOG_BASE_URL=" + url,
		"export POSTHOG_API_KEY=phx_test",
		"export POSTHOG_PROJECT_ID=1",
		"export POSTHOG_ORGANIZATION_ID=" + testserver.DefaultOrganizationID,
	}, lines[1:])

	c := call(t, &testserver.Instance{URL: url, APIKey: "phx_test"})
	c.newSurvey(newSurvey)
	c.put(control+"faults", `{"rules":[{"delay_ms":3600000}]}`).is(http.StatusNoContent)

	waiting := make(chan error, 1)
	go func() {
		_, err := c.try(http.MethodGet, surveys, "")
		waiting <- err
	}()

	require.Eventually(t, func() bool {
		return strings.Contains(c.get(control+"requests").body, "surveys_list")
	}, 10*time.Second, time.Millisecond)

	assert.Zero(t, stop(), "stopping ends the delays of faults")
	assert.NotErrorIs(t, <-waiting, context.DeadlineExceeded)
	_, err := c.try(http.MethodGet, surveys, "")
	assert.Error(t, err, "nothing is left running")
}

func TestCommandWithFixtures(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "fixtures.json")
	require.NoError(t, os.WriteFile(file, []byte(people), 0o600))
	lines, stop := serve(t, "-fixtures", file, "-profile", "documented")
	assert.Equal(t, "export POSTHOG_API_KEY=phx_all", lines[2])
	assert.Zero(t, stop())
}

func TestCommandRefuses(t *testing.T) {
	t.Parallel()

	file := filepath.Join(t.TempDir(), "wrong.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"api_keys":[{"key":"phx_secret","scope":[]}]}`), 0o600))
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })

	for _, row := range []struct {
		args      []string
		code      int
		complaint string
	}{
		{[]string{"-profile", "cloud"}, 1, `posthog-testserver: profile "cloud" does not exist; this server has the profiles "documented" and "hosted"` + "\n"},
		{[]string{"-fixtures", file}, 1, "posthog-testserver: " + file + `: fixtures: api_keys[0].scope: unknown key, did you mean "scopes"?` + "\n"},
		{[]string{"-fixtures", "no/such/file"}, 1, "posthog-testserver: open no/such/file: no such file or directory\n"},
		{[]string{"-listen", taken.Addr().String()}, 1, "address already in use; -listen 127.0.0.1:0 picks a free port\n"},
		{[]string{"serve"}, 2, "posthog-testserver: unexpected argument \"serve\"\n"},
		{[]string{"-port", "1"}, 2, "flag provided but not defined: -port"},
		{[]string{"-h"}, 0, "address to listen on"},
	} {
		var stdout, stderr bytes.Buffer

		assert.Equal(t, row.code, testserver.Command(t.Context(), row.args, &stdout, &stderr), row.args)

		assert.Contains(t, stderr.String(), row.complaint)
		assert.NotContains(t, stderr.String(), "phx_secret")
		assert.Empty(t, stdout.String())
	}
}

// A profile that is not there is refused, not taken for another one.
func TestUnknownProfile(t *testing.T) {
	t.Parallel()
	_, err := testserver.New(testserver.Options{Profile: "cloud"})
	assert.EqualError(t, err, `profile "cloud" does not exist; this server has the profiles "documented" and "hosted"`)
	_, err = testserver.New(testserver.Options{Profile: testserver.Documented})
	assert.NoError(t, err)
}

// What the fixtures hold is no command of the shell that reads the first lines.
func TestCommandQuotesForTheShell(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "fixtures.json")
	key := `x; touch "$(echo P)" 'q' #`
	document, err := json.Marshal(map[string]any{"api_keys": []any{map[string]any{"key": key}}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, document, 0o600))

	lines, stop := serve(t, "-fixtures", file)
	shell := exec.CommandContext(t.Context(), "sh", "-c", strings.Join(lines[1:], "\n")+"\nprintf %s \"$POSTHOG_API_KEY\"") //nolint:gosec // these lines
	shell.Dir = t.TempDir()
	said, err := shell.CombinedOutput()
	require.NoError(t, err, string(said))
	assert.Equal(t, key, string(said))
	left, err := os.ReadDir(shell.Dir)
	require.NoError(t, err)
	assert.Empty(t, left)

	url := strings.TrimPrefix(lines[0], "listening on ")
	_, page := getPage(t, url+"/")
	assert.Contains(t, html.UnescapeString(page), "\n"+lines[2]+"\n", "the page has the same lines")
	assert.Zero(t, stop())
}

// A key that no header can carry is one that nobody can use.
func TestFixturesRefuseOddKeys(t *testing.T) {
	t.Parallel()
	for _, key := range []string{" phx", "phx ", "a\nb", "a\rb", "a\x00b", "a\x7fb", "a\u009bb", "a\u202eb", "é", ""} {
		document, err := json.Marshal(map[string]any{"api_keys": []any{map[string]any{"key": key}}})
		require.NoError(t, err)
		_, err = testserver.New(testserver.Options{Fixtures: bytes.NewReader(document)})
		assert.ErrorContains(t, err, "fixtures: api_keys[0].key: ", "%q", key)
	}
}

// Who starts it for other machines is told what they can do, and the names by which they may
// call it.
func TestCommandBeyondLoopback(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	reader, writer := io.Pipe()
	var stderr bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- testserver.Command(ctx, []string{"-listen", "0.0.0.0:0", "-host", "posthog.test", "-host", "ci.test"}, writer, &stderr)
	}()

	line, err := bufio.NewReader(reader).ReadString('\n')
	require.NoError(t, err)
	url := strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	assert.Regexp(t, `^http://localhost:[1-9][0-9]*$`, url)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)

	c := call(t, &testserver.Instance{URL: "http://127.0.0.1:" + port, APIKey: testserver.DefaultAPIKey})
	for host, status := range map[string]int{"posthog.test": 200, "ci.test:8000": 200, "localhost": 200, "evil.example": 421} {
		assert.Equal(t, status, c.named(host, http.MethodGet, surveys, "").status, host)
	}

	go func() { _, _ = io.Copy(io.Discard, reader) }()
	cancel()
	assert.Zero(t, <-code)
	assert.Contains(t, stderr.String(), "posthog-testserver: other machines can reach ")
	assert.Contains(t, stderr.String(), "without a key")
}
