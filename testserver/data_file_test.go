package testserver_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// serveURL runs the command and returns its address.
func serveURL(t *testing.T, args ...string) (caller, func() int) {
	t.Helper()
	lines, stop := serve(t, args...)
	url, ok := strings.CutPrefix(lines[0], "listening on ")
	require.True(t, ok)
	return call(t, &testserver.Instance{URL: url, APIKey: testserver.DefaultAPIKey}), stop
}

// What a server holds survives it, and each change is in the file soon after.
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

	// The data wins over the fixtures.
	c, stop = serveURL(t, "-data", data, "-fixtures", fixtures)
	assert.ElementsMatch(t, []string{"last", "made", "of the fixtures"}, c.get(surveys).is(http.StatusOK).names())
	c.delete(last).is(http.StatusNoContent)
	assert.Zero(t, stop())
	held, err = os.ReadFile(data)
	require.NoError(t, err)
	assert.NotContains(t, string(held), `"last"`)

	files, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	require.NoError(t, err)
	assert.Empty(t, files, "nothing is left of a write")
}

// Whoever reads the file while it is written finds a whole document.
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

// A server that is killed while it writes leaves the whole of an earlier state, with
// everything that a run before it kept, and the next one removes what it left beside.
func TestDataSurvivesAKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data.json")
	_, stop := serveURL(t, "-data", data) // a run that is killed before its first write leaves no file
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
		assert.GreaterOrEqual(t, there, kept, "what an earlier run kept")
		assert.LessOrEqual(t, there, kept+killed)
		kept = there
	}

	require.NoError(t, os.WriteFile(filepath.Join(dir, ".data.json.123.tmp"), []byte(`{"surv`), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".data.json.backup"), []byte(`{}`), 0o600))
	_, stop = serveURL(t, "-data", data)
	assert.Zero(t, stop())
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(dir, ".data.json.backup"), filepath.Join(dir, ".data.json.lock"), data}, files)
}

// killWhileWriting has a server in another process create surveys, and kills it in the
// middle, when a number of them has been answered. It returns how many were sent.
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

// A server that cannot keep its data does not go on as if it did.
func TestDataThatCannotBeKept(t *testing.T) {
	t.Parallel()
	var stdout, stderr strings.Builder
	data := filepath.Join(t.TempDir(), "missing", "data.json")
	assert.Equal(t, 1, testserver.Command(t.Context(), []string{"-listen", "127.0.0.1:0", "-data", data}, &stdout, &stderr))
	assert.Contains(t, stderr.String(), "posthog-testserver: cannot keep the data in "+data+": ")

	broken := filepath.Join(t.TempDir(), "data.json")
	require.NoError(t, os.WriteFile(broken, []byte(`{"survey":[]}`), 0o600))
	stderr.Reset()
	assert.Equal(t, 1, testserver.Command(t.Context(), []string{"-data", broken}, &stdout, &stderr))
	assert.Equal(t, "posthog-testserver: "+broken+": fixtures: survey: unknown key, did you mean \"surveys\"?\n", stderr.String())
	held, err := os.ReadFile(broken)
	require.NoError(t, err)
	assert.Equal(t, `{"survey":[]}`, string(held), "and stays as it was")
}

// Two servers do not overwrite each other's changes, by whatever path they call the file.
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
		assert.Contains(t, stderr.String(), "another posthog-testserver keeps its data in "+path)
		assert.Empty(t, stdout.String())
	}

	assert.Zero(t, stop())
	for range 3 {
		_, stop = serveURL(t, "-data", link)
		assert.Zero(t, stop())
	}
}

// A server that was killed keeps no other one from the file.
func TestDataAfterAKill(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data.json")
	process, _ := startProcess(t, "", "-data", data)
	require.NoError(t, process.Process.Kill())
	_ = process.Wait()
	_, stop := serveURL(t, "-data", data)
	assert.Zero(t, stop())
}
