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

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// serve runs the command until the test ends or stop is called. It returns the lines that the command printed at
// the start. stop returns the exit code.
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

	assert.Zero(t, stop(), "stopping the server must end fault delays")
	assert.NotErrorIs(t, <-waiting, context.DeadlineExceeded)
	_, err := c.try(http.MethodGet, surveys, "")
	assert.Error(t, err, "the server must no longer respond")
}

func TestCommandWithFixtures(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "fixtures.json")
	require.NoError(t, os.WriteFile(file, []byte(people), 0o600))
	lines, stop := serve(t, "-fixtures", file, "-profile", "documented")
	assert.Equal(t, "export POSTHOG_API_KEY=phx_all", lines[2])
	assert.Zero(t, stop())
}

func TestCommandPrintsVersion(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	assert.Zero(t, testserver.Command(t.Context(), []string{"-version"}, &stdout, &stderr))
	assert.Regexp(t, `^posthog-testserver \S+\n$`, stdout.String())
	assert.Empty(t, stderr.String())
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
		{[]string{"-fixtures", "no/such/file"}, 1, "posthog-testserver: the fixtures file no/such/file does not exist\n"},
		{[]string{"-listen", taken.Addr().String()}, 1, "another program uses this port; -listen 127.0.0.1:0 picks a free port\n"},
		{[]string{"serve"}, 2, "posthog-testserver: unexpected argument \"serve\". To list the flags and commands, run posthog-testserver -h\n"},
		{[]string{"-address", "1"}, 2, "posthog-testserver: the flag -address does not exist. To list the flags and commands, run posthog-testserver -h\n"},
		{[]string{"-profle", "hosted"}, 2, "posthog-testserver: the flag -profle does not exist. Did you mean -profile? To list the flags and commands, run posthog-testserver -h\n"},
		{[]string{"-listen"}, 2, "posthog-testserver: -listen requires a value. To list the flags and commands, run posthog-testserver -h\n"},
		{[]string{"---listen"}, 2, "posthog-testserver: ---listen is not a flag. To list the flags and commands, run posthog-testserver -h\n"},
		{[]string{"-max-events", "x"}, 2, "posthog-testserver: invalid value \"x\" for flag -max-events: it must be a number. To list the flags and commands, run posthog-testserver -h\n"},
		{[]string{"-worlds=maybe"}, 2, "posthog-testserver: invalid boolean value \"maybe\" for -worlds: it must be true or false. To list the flags and commands, run posthog-testserver -h\n"},
		{[]string{"-until-eof", "-fixtures", "-"}, 2, "posthog-testserver: -until-eof and -fixtures - both read standard input; pass the fixtures as a file\n"},
		{[]string{"-h"}, 0, "address to listen on"},
		{[]string{"-h"}, 0, "-version\n    \tprint the version, and exit"},
		{[]string{"-h"}, 0, "posthog-testserver [flags] health    report whether a server at -listen serves"},
	} {
		var stdout, stderr bytes.Buffer

		assert.Equal(t, row.code, testserver.Command(t.Context(), row.args, &stdout, &stderr), row.args)

		assert.Contains(t, stderr.String(), row.complaint)
		assert.NotContains(t, stderr.String(), "phx_secret")
		assert.Empty(t, stdout.String())
	}
}

// A container checks its server with the same environment variables as the server.
func TestCommandHealth(t *testing.T) {
	lines, stop := serve(t)
	url := strings.TrimPrefix(lines[0], "listening on ")
	health := func(args ...string) (code int, complaint string) {
		var stderr bytes.Buffer
		code = testserver.Command(t.Context(), args, io.Discard, &stderr)
		return code, stderr.String()
	}

	code, _ := health("health", url+"/")
	assert.Zero(t, code)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	t.Setenv("POSTHOG_TESTSERVER_LISTEN", "0.0.0.0:"+port)
	code, _ = health("health")
	assert.Zero(t, code, "health must use the port in the environment variable")
	code, complaint := health("-listen", "127.0.0.1:0", "health")
	assert.Equal(t, 1, code, "the flag must take precedence over the environment variable")
	assert.Contains(t, complaint, "Pass the URL: posthog-testserver health URL")
	code, complaint = health("health", url, "more")
	assert.Equal(t, 2, code)
	assert.Contains(t, complaint, `unexpected argument "more"`)

	assert.Zero(t, stop())
	code, complaint = health("health")
	assert.Equal(t, 1, code)
	assert.Equal(t, "posthog-testserver: no server responds at http://localhost:"+port+": connection refused. Start the server, or pass its URL: posthog-testserver health URL\n", complaint)
	t.Setenv("POSTHOG_TESTSERVER_VERSION", "0.1.0")
	code, _ = health("health")
	assert.Equal(t, 1, code, "a variable with the version of an image must not be read as a flag")

	t.Setenv("POSTHOG_TESTSERVER_STRICT", "perhaps")
	code, complaint = health("health")
	assert.Equal(t, 2, code)
	assert.Contains(t, complaint, `posthog-testserver: POSTHOG_TESTSERVER_STRICT="perhaps" is not valid for -strict: `)
}

// The command refuses an unknown profile instead of using another one.
func TestUnknownProfile(t *testing.T) {
	t.Parallel()
	_, err := testserver.New(testserver.Options{Profile: "cloud"})
	assert.EqualError(t, err, `profile "cloud" does not exist; this server has the profiles "documented" and "hosted"`)
	_, err = testserver.New(testserver.Options{Profile: testserver.Documented})
	assert.NoError(t, err)
}

// A shell that runs the printed lines must not run text from the fixtures as a command.
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
	assert.Contains(t, html.UnescapeString(page), "\n"+lines[2]+"\n", "the page must contain the same lines")
	assert.Zero(t, stop())
}

// The server refuses an API key that no header can carry.
func TestFixturesRefuseOddKeys(t *testing.T) {
	t.Parallel()
	for _, key := range []string{" phx", "phx ", "a\nb", "a\rb", "a\x00b", "a\x7fb", "a\u009bb", "a\u202eb", "é", ""} {
		document, err := json.Marshal(map[string]any{"api_keys": []any{map[string]any{"key": key}}})
		require.NoError(t, err)
		_, err = testserver.New(testserver.Options{Fixtures: bytes.NewReader(document)})
		assert.ErrorContains(t, err, "fixtures: api_keys[0].key: ", "%q", key)
	}
}

// If other machines can reach the server, its output explains what they can do, and under which names they can
// reach it.
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

// processVariable makes the test program run the test server with its arguments.
const processVariable = "TESTSERVER_PROCESS"

func TestMain(m *testing.M) {
	if os.Getenv(processVariable) != "" {
		os.Exit(testserver.Command(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(browsertest.Main(m))
}

// startProcess starts the server in a separate process, which ends with the test. It returns the process and the
// server's URL.
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

// The fixtures may come from standard input, and flags have the same effect as options.
func TestProcess(t *testing.T) {
	t.Parallel()
	const fixtures = `{"surveys":[{"project_id":1,"id":"019b0000-0000-7000-8000-000000000001","name":"of standard input","type":"api"}]}`
	_, url := startProcess(t, fixtures, "-fixtures", "-", "-strict", "-worlds=false")
	c := call(t, &testserver.Instance{URL: url, APIKey: testserver.DefaultAPIKey})
	assert.Equal(t, []string{"of standard input"}, c.get(surveys).is(http.StatusOK).names())
	c.post(surveys, `{"name":"S","type":"api","colour":"red"}`).fails(http.StatusBadRequest, "unknown_field", "colour",
		"The document does not contain this field, and the server was started with -strict.")
	c.with("Authorization", "Bearer phx_test_one").get(surveys).is(http.StatusUnauthorized)

	_, url = startProcess(t, "", "-profile", "hosted")
	c = call(t, &testserver.Instance{URL: url, APIKey: testserver.DefaultAPIKey})
	c.with("Authorization", "Bearer phx_test_one").get(surveys).is(http.StatusOK)
	assert.Contains(t, c.get(control+"health").body, `"profile":"hosted","worlds":1`)

	ended, _ := startProcess(t, "", "-until-eof")
	assert.NoError(t, ended.Wait(), "the command must exit when its standard input ends")

	broken := exec.CommandContext(t.Context(), os.Args[0], "-fixtures", "-") //nolint:gosec // these tests
	broken.Env, broken.Stdin = append(os.Environ(), processVariable+"=1"), strings.NewReader(`{"survey":[]}`)
	out, err := broken.CombinedOutput()
	require.Error(t, err)
	assert.Equal(t, 1, broken.ProcessState.ExitCode())
	assert.Equal(t, "posthog-testserver: standard input: fixtures: survey: unknown key, did you mean \"surveys\"?\n", string(out))
}

// serveURL runs the command and returns a caller for its URL.
func serveURL(t *testing.T, args ...string) (caller, func() int) {
	t.Helper()
	lines, stop := serve(t, args...)
	url, ok := strings.CutPrefix(lines[0], "listening on ")
	require.True(t, ok)
	return call(t, &testserver.Instance{URL: url, APIKey: testserver.DefaultAPIKey}), stop
}

// The data file contains each change soon after it, and the next server loads the file.
func TestDataSurvivesTheServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data, fixtures := filepath.Join(dir, "data.json"), filepath.Join(dir, "fixtures.json")
	require.NoError(t, os.WriteFile(fixtures, []byte(`{"surveys":[{"project_id":1,"id":"019b0000-0000-7000-8000-000000000001","name":"of the fixtures","type":"api"}]}`), 0o600))

	c, stop := serveURL(t, "-data", data, "-fixtures", fixtures)
	c.newSurvey(`{"name":"made","type":"api"}`)
	c.with("Authorization", "Bearer phx_test_world").newSurvey(`{"name":"in a world","type":"api"}`)
	require.Eventually(t, func() bool {
		held, err := os.ReadFile(data)
		return err == nil && strings.Contains(string(held), `"made"`)
	}, 10*time.Second, time.Millisecond)

	last := c.newSurvey(`{"name":"last","type":"api"}`)
	assert.Zero(t, stop())
	held, err := os.ReadFile(data)
	require.NoError(t, err)
	assert.Contains(t, string(held), `"last"`)
	assert.NotContains(t, string(held), "in a world")

	// The data file takes precedence over the fixtures.
	c, stop = serveURL(t, "-data", data, "-fixtures", fixtures)
	assert.ElementsMatch(t, []string{"last", "made", "of the fixtures"}, c.get(surveys).is(http.StatusOK).names())
	c.delete(last).is(http.StatusNoContent)
	assert.Zero(t, stop())
	held, err = os.ReadFile(data)
	require.NoError(t, err)
	assert.NotContains(t, string(held), `"last"`)

	files, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	require.NoError(t, err)
	assert.Empty(t, files, "no temporary file may remain")
}

// A reader of the data file finds a complete document even while the server writes the file.
func TestDataIsReplacedAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, data := filepath.Join(dir, "target.json"), filepath.Join(dir, "data.json")
	require.NoError(t, os.WriteFile(target, []byte(`{}`), 0o640))
	require.NoError(t, os.Symlink("target.json", data))
	c, stop := serveURL(t, "-data", data)

	for range 50 {
		c.post(apps, `{"name":"A","plugin_type":"source"}`).is(http.StatusCreated)
		held, err := os.Open(data)
		require.NoError(t, err)
		_, err = testserver.New(testserver.Options{Fixtures: held})
		require.NoError(t, err)
		require.NoError(t, held.Close())
	}
	assert.Zero(t, stop())

	link, err := os.Readlink(data)
	require.NoError(t, err)
	assert.Equal(t, "target.json", link)
	info, err := os.Stat(target)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o640), info.Mode().Perm())
	assert.Greater(t, info.Size(), int64(1000))
}

// After a server is killed during a write, the file contains a complete earlier state, with all data that an
// earlier run saved.
func TestDataSurvivesAKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data.json")
	_, stop := serveURL(t, "-data", data) // a server that is killed before its first write leaves no file
	assert.Zero(t, stop())

	kept := 0
	for round := range 6 {
		killed := killWhileWriting(t, data, 5+10*round)
		held, err := os.Open(data)
		require.NoError(t, err)
		server, err := testserver.New(testserver.Options{Fixtures: held})
		require.NoError(t, err, "round %d", round)
		require.NoError(t, held.Close())
		there := len(server.Surveys("1"))
		assert.GreaterOrEqual(t, there, kept, "the data that an earlier run saved must still exist")
		assert.LessOrEqual(t, there, kept+killed)
		kept = there
	}
}

// killWhileWriting creates surveys on a server in another process, and kills the server after a number of
// responses. It returns the number of requests.
func killWhileWriting(t *testing.T, data string, answered int) (sent int) {
	t.Helper()
	process, url := startProcess(t, "", "-data", data)
	c := call(t, &testserver.Instance{URL: url, APIKey: testserver.DefaultAPIKey})
	body := `{"name":"S","type":"api","description":"` + strings.Repeat("long ", 2000) + `"}`
	for {
		sent++
		if _, err := c.try(http.MethodPost, surveys, body); err != nil {
			break
		}
		if sent == answered {
			go func() { _ = process.Process.Kill() }()
		}
	}
	_ = process.Wait()
	return sent
}

// A server that cannot store its data stops with an error.
func TestDataThatCannotBeKept(t *testing.T) {
	t.Parallel()
	var stdout, stderr strings.Builder
	data := filepath.Join(t.TempDir(), "missing", "data.json")
	assert.Equal(t, 1, testserver.Command(t.Context(), []string{"-listen", "127.0.0.1:0", "-data", data}, &stdout, &stderr))
	assert.Contains(t, stderr.String(), "posthog-testserver: could not store the data in "+data+": ")

	broken := filepath.Join(t.TempDir(), "data.json")
	require.NoError(t, os.WriteFile(broken, []byte(`{"survey":[]}`), 0o600))
	stderr.Reset()
	assert.Equal(t, 1, testserver.Command(t.Context(), []string{"-data", broken}, &stdout, &stderr))
	assert.Equal(t, "posthog-testserver: "+broken+": fixtures: survey: unknown key, did you mean \"surveys\"?\n", stderr.String())
	held, err := os.ReadFile(broken)
	require.NoError(t, err)
	assert.Equal(t, `{"survey":[]}`, string(held), "the invalid data file must stay unchanged")
}

// A second server refuses a data file that another server uses, even through a symbolic link.
func TestDataHasOneServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data, link := filepath.Join(dir, "data.json"), filepath.Join(dir, "link.json")
	require.NoError(t, os.WriteFile(data, []byte(`{}`), 0o600))
	require.NoError(t, os.Symlink("data.json", link))
	c, stop := serveURL(t, "-data", data)

	for _, path := range []string{data, link} {
		c.newSurvey(`{"name":"replaces the file ` + filepath.Base(path) + `","type":"api"}`)
		var stdout, stderr strings.Builder
		assert.Equal(t, 1, testserver.Command(t.Context(), []string{"-listen", "127.0.0.1:0", "-data", path}, &stdout, &stderr))
		assert.Contains(t, stderr.String(), "another posthog-testserver stores its data in "+path)
		assert.Empty(t, stdout.String())
	}

	assert.Zero(t, stop())
	for range 3 {
		_, stop = serveURL(t, "-data", link)
		assert.Zero(t, stop())
	}
}

// TestDataAfterAKill starts a server after another one was killed and left its lock and a temporary file.
func TestDataAfterAKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data[1].json")
	process, _ := startProcess(t, "", "-data", data)
	unfinished := filepath.Join(dir, ".data[1].json.123456.tmp")
	require.NoError(t, os.WriteFile(unfinished, []byte(`{"surv`), 0o600))
	other := filepath.Join(dir, ".data1.json.123456.tmp")
	require.NoError(t, os.WriteFile(other, nil, 0o600))
	assert.Equal(t, 1, testserver.Command(t.Context(), []string{"-listen", "127.0.0.1:0", "-data", data}, io.Discard, io.Discard))
	assert.FileExists(t, unfinished, "the temporary file must stay, because the running server may be writing it")

	require.NoError(t, process.Process.Kill())
	_ = process.Wait()
	_, stop := serveURL(t, "-data", data)
	assert.Zero(t, stop())
	assert.NoFileExists(t, unfinished)
	assert.FileExists(t, other)
}
