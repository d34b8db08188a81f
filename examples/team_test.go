//go:build unix

package examples_test

import (
	"bufio"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// postgresUser runs the database if the tests run as root, because PostgreSQL refuses to run as root.
const postgresUser = 65534 // nobody

// startPostgres starts a PostgreSQL that listens on its own socket until the test ends, and returns its
// connection string. Without the programs, it skips the test.
func startPostgres(t *testing.T) string {
	t.Helper()
	initdb, postgres := postgresProgram(t, "initdb"), postgresProgram(t, "postgres")

	// The path of a socket is limited to about a hundred characters, and paths of TempDir are longer.
	dir, err := os.MkdirTemp("", "pg") //nolint:usetesting // see above
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	credential := &syscall.SysProcAttr{}
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown(dir, postgresUser, postgresUser))
		credential.Credential = &syscall.Credential{Uid: postgresUser, Gid: postgresUser}
	}

	data := filepath.Join(dir, "data")
	create := exec.CommandContext(t.Context(), initdb, "--pgdata", data, "--username", "surveys", "--auth", "trust", "--no-sync")
	create.Dir, create.SysProcAttr = dir, credential
	out, err := create.CombinedOutput()
	require.NoError(t, err, "%s", out)

	serve := exec.Command(postgres, "-D", data, "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off") //nolint:noctx // it is stopped in good order
	serve.Dir, serve.SysProcAttr = dir, credential
	stderr, err := serve.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, serve.Start())
	t.Cleanup(func() {
		_ = serve.Process.Signal(os.Interrupt)
		_ = serve.Wait()
	})
	awaitLine(t, stderr, "ready to accept connections")

	address := url.URL{Scheme: "postgres", Path: "/postgres", RawQuery: url.Values{"host": {dir}, "user": {"surveys"}, "sslmode": {"disable"}}.Encode()}
	return address.String()
}

// postgresProgram returns the path of a program in the directories in which Debian and others install it.
func postgresProgram(t *testing.T, name string) string {
	t.Helper()
	if found, err := exec.LookPath(name); err == nil {
		return found
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	require.NoError(t, err)
	if len(found) == 0 {
		t.Skipf("PostgreSQL is not installed: %s is neither in PATH nor below /usr/lib/postgresql", name)
	}
	return found[len(found)-1]
}

// TestAccTeam applies the example for teams to two projects, and from two directories at the same time.
func TestAccTeam(t *testing.T) {
	t.Parallel()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC must be set to run a CLI")
	}
	address := startPostgres(t)

	// The server delays one response to a create until release is closed.
	creating, release := make(chan struct{}), make(chan struct{})
	var holding atomic.Bool
	hold := func(o *testserver.Options) {
		o.Observe = func(x testserver.Exchange) {
			if x.Operation == "surveys_create" && holding.CompareAndSwap(true, false) {
				close(creating)
				<-release
			}
		}
	}
	env := acctest.Start(t, acctest.Fixtures(read(t, "testdata/fixtures.json")), hold)
	open := func(project string) workspace {
		w := openWorkspace(t, "team")
		w.env, w.mirror = env, true
		w.environment = []string{"PG_CONN_STR=" + address}
		out, err := w.try("init", "-input=false", "-backend-config="+project+".tfbackend")
		if strings.Contains(out, "built without the pg state backend") {
			t.Skip("the Terraform in tools/terraform does not support state in PostgreSQL")
		}
		require.NoError(t, err, out)
		return w
	}

	// Both projects have a state, and another survey is added to production's configuration.
	first, second, staging := open("production"), open("production"), open("staging")
	staging.run("apply", "-auto-approve", "-var-file=staging.tfvars")
	first.run("apply", "-auto-approve", "-var-file=production.tfvars")
	holding.Store(true)
	addSurvey(t, "second", first, second)

	// While the first run is in progress, the lock blocks a second run for the same project, but not a run for
	// another project.
	done := make(chan error, 1)
	go func() {
		out, err := first.try("apply", "-auto-approve", "-var-file=production.tfvars")
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, out)
		}
		done <- err
	}()
	select {
	case <-creating:
	case err := <-done:
		require.NoError(t, err, "the first run ended before it created the survey")
	}
	var unlock sync.Once
	t.Cleanup(func() { unlock.Do(func() { close(release) }) })
	out, err := second.try("apply", "-auto-approve", "-var-file=production.tfvars")
	require.Error(t, err, "the second run must fail, because the first run locks the state")
	assert.Contains(t, out, "Error acquiring the state lock")
	staging.run("apply", "-auto-approve", "-var-file=staging.tfvars")
	unlock.Do(func() { close(release) })
	require.NoError(t, <-done)
	assert.Equal(t, 3, env.Operations()["surveys_create"], "staging must have one survey, and production two")

	// With a timeout, both runs succeed one after the other, and the second one changes nothing.
	env.ResetJournal()
	var runs sync.WaitGroup
	outputs := make([]string, 2)
	addSurvey(t, "third", first, second)
	for i, w := range []workspace{first, second} {
		runs.Go(func() {
			outputs[i], _ = w.try("apply", "-auto-approve", "-lock-timeout=5m", "-var-file=production.tfvars")
		})
	}
	runs.Wait()
	added := strings.Join(outputs, "\n")
	assert.Equal(t, 1, strings.Count(added, "Resources: 1 added, 0 changed, 0 destroyed"), added)
	assert.Equal(t, 1, strings.Count(added, "Resources: 0 added, 0 changed, 0 destroyed"), added)
	assert.Equal(t, 1, env.Operations()["surveys_create"])
}

// addSurvey adds another survey like the example's to the configurations.
func addSurvey(t *testing.T, name string, to ...workspace) {
	t.Helper()
	_, resource, found := strings.Cut(read(t, "team/main.tf"), "resource ")
	require.True(t, found)
	resource = strings.NewReplacer(`"nps"`, `"`+name+`"`, "Relationship NPS", "The "+name).Replace(resource)
	for _, w := range to {
		require.NoError(t, os.WriteFile(filepath.Join(w.dir, name+".tf"), []byte("resource "+resource), 0o600))
	}
}

// awaitLine reads until a line contains a text, and discards the rest.
func awaitLine(t *testing.T, from io.Reader, text string) {
	t.Helper()
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		if strings.Contains(lines.Text(), text) {
			go func() { _, _ = io.Copy(io.Discard, from) }()
			return
		}
	}
	t.Fatalf("the program exited before it printed %q", text)
}
