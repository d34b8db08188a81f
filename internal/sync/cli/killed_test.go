package cli

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// process runs posthog-sync as a separate process with its own temporary directory.
type process struct {
	t                 *testing.T
	program, home     string
	temporary         string
	srv               *testserver.Instance
	reached, released chan struct{}
}

// newProcess returns a process. Delayed requests get no response before the test ends.
func newProcess(t *testing.T) *process {
	t.Helper()
	p := &process{t: t, home: t.TempDir(), temporary: t.TempDir(), reached: make(chan struct{}, 1), released: make(chan struct{})}
	p.srv = testserver.Start(t, testserver.Options{
		Fixtures: strings.NewReader(scriptFixtures),
		Sleep: func(context.Context, time.Duration) {
			p.reached <- struct{}{}
			<-p.released
		},
	})
	t.Cleanup(func() { close(p.released) })

	executable, err := os.Executable()
	require.NoError(t, err)
	p.program = filepath.Join(t.TempDir(), "posthog-sync")
	require.NoError(t, os.Symlink(executable, p.program))
	return p
}

func (p *process) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(p.t.Context(), p.program, args...) //nolint:gosec // this program
	cmd.Dir = p.home
	cmd.Env = append(os.Environ(), "TMPDIR="+p.temporary, "POSTHOG_BASE_URL="+p.srv.URL, "POSTHOG_API_KEY="+scriptKey,
		"POSTHOG_PROJECT_ID="+testserver.DefaultProjectID, "POSTHOG_ORGANIZATION_ID="+testserver.DefaultOrganizationID)
	return cmd
}

// run runs a command to completion.
func (p *process) run(args ...string) {
	p.t.Helper()
	out, err := p.command(args...).CombinedOutput()
	require.NoError(p.t, err, "%s", out)
}

// killAt kills a command during the first request that a fault affects.
func (p *process) killAt(fault testserver.Fault, args ...string) {
	p.t.Helper()
	fault.DelayMS, fault.To = 1, 1
	p.srv.SetFaults(fault)
	cmd := p.command(args...)
	p.kill(cmd, p.reached)
	p.srv.SetFaults()
}

// kill starts a process, and kills it when moment is closed. It fails if the process ends earlier.
func (p *process) kill(cmd *exec.Cmd, moment <-chan struct{}) {
	p.t.Helper()
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.WaitDelay = time.Second // a child process may hold the output open
	require.NoError(p.t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()

	select {
	case <-moment:
	case err := <-ended:
		require.Fail(p.t, "the command ended before the test killed it", "%v: %s", err, output.String())
	}
	require.NoError(p.t, cmd.Process.Kill())
	require.Error(p.t, <-ended, "a killed command must fail")
}

// left returns the names of files in a directory that posthog-sync may have created.
func left(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		if strings.Contains(entry.Name(), "posthog-sync") {
			names = append(names, entry.Name())
		}
	}
	return names
}

// An export that is killed after it rendered the surveys leaves no text in temporary files and no files in the
// directory. The next export writes everything.
func TestKilledExportLeavesNoTexts(t *testing.T) {
	t.Parallel()
	p := newProcess(t)
	code := filepath.Join(p.home, "code")
	require.NoError(t, os.Mkdir(code, 0o700))

	p.killAt(testserver.Fault{Operation: "pipeline_import_apps_list"}, "export", code)
	assert.Empty(t, left(t, p.temporary))
	assert.Empty(t, contents(t, code))

	p.run("export", code)
	assert.Empty(t, left(t, p.temporary))
	assert.Len(t, contents(t, code), 5, "the export must write four files and the lock file")
}

// leave creates a temporary file like the one that a killed process leaves on this machine.
func leave(t *testing.T, dir, prefix string) {
	t.Helper()
	ended := exec.Command("true")
	require.NoError(t, ended.Run())
	self, dead := fmt.Sprintf("-%d-*", os.Getpid()), fmt.Sprintf("-%d-1", ended.Process.Pid)
	name := strings.Replace(code.TemporaryPattern(prefix), self, dead, 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("texts"), 0o600))
}

// The next snapshot removes the temporary file that a killed snapshot left next to its target.
func TestKilledSnapshotIsCleanedUp(t *testing.T) {
	t.Parallel()
	p := newProcess(t)
	file := filepath.Join(p.home, "live.json")
	require.NoError(t, os.WriteFile(file, []byte("as before"), 0o600))

	p.killAt(testserver.Fault{Operation: "pipeline_import_apps_list"}, "snapshot", file)
	assert.Equal(t, map[string]string{"live.json": "as before"}, contents(t, p.home))

	leave(t, p.home, ".live.json.")
	p.run("snapshot", file)
	assert.Empty(t, left(t, p.home))
	assert.Empty(t, left(t, p.temporary))
}

// If a sync is killed during any of its create requests, the next run does not create a second object with the same
// name.
func TestKilledSyncMakesNothingTwice(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"surveys_create", "pipeline_import_apps_create"} {
		for _, drop := range []string{"", "after"} { // with "after", the server creates the object and then drops the connection
			p := newProcess(t)
			p.run("snapshot", "wanted.json")
			p.srv.SetFixtures(`{"api_keys": [{"key": "` + scriptKey + `"}]}`)
			selected := []string{"file:wanted.json", "live", "--select", "Exit", "--select", "GeoIP"} // NPS needs a flag
			sync := append([]string{"sync", "--yes"}, selected...)

			p.killAt(testserver.Fault{Operation: operation, Drop: drop}, sync...)
			p.run(sync...)
			assert.Equal(t, []string{"Exit"}, namesOf(p.srv.Surveys(testserver.DefaultProjectID)), operation)
			p.run(append([]string{"diff"}, selected...)...)
		}
	}
}

func namesOf(objects []testserver.Object) (names []string) {
	for _, object := range objects {
		name, _ := object["name"].(string)
		names = append(names, name)
	}
	return names
}

// waitingCLI is a Terraform stub that writes a plan and then waits. It fails if there is no gate.
const waitingCLI = `#!/bin/sh
case "$1" in
version) echo '{"terraform_version": "1.11.4", "provider_selections": {}}'; exit 0 ;;
plan) ;;
*) exit 1 ;;
esac
[ -e gate ] || { echo "Error: no plan" >&2; exit 1; }
for word; do case "$word" in -out=*) echo "value of a variable" >"${word#-out=}" ;; esac; done
echo >planned
exec cat gate
`

// A pull that is killed during its plan leaves a plan file, which contains the values of variables. Only the user can
// read this file, and the next run on the machine removes it.
func TestKilledPullIsCleanedUp(t *testing.T) {
	t.Parallel()
	p := newProcess(t)
	program := filepath.Join(p.home, "terraform")
	require.NoError(t, os.WriteFile(program, []byte(waitingCLI), 0o700)) //nolint:gosec // a program
	code := filepath.Join(p.home, "code")
	require.NoError(t, os.Mkdir(code, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(code, "main.tf"), []byte("locals {}\n"), 0o600))
	for _, name := range []string{"gate", "planned"} {
		require.NoError(t, syscall.Mkfifo(filepath.Join(code, name), 0o600))
	}

	cmd := p.command("pull", code, "--terraform", program)
	planned := make(chan struct{})
	go func() {
		defer close(planned)
		_, _ = os.ReadFile(filepath.Join(code, "planned")) // wait for the writer
	}()
	gate, err := os.OpenFile(filepath.Join(code, "gate"), os.O_RDWR, 0) // the plan blocks until the gate is closed
	require.NoError(t, err)
	p.kill(cmd, planned)
	require.NoError(t, gate.Close())

	names := left(t, p.temporary)
	require.Len(t, names, 1)
	requirePrivate(t, p.temporary)

	require.NoError(t, os.Remove(filepath.Join(code, "gate")))
	require.NoError(t, os.Remove(filepath.Join(code, "planned")))
	out, err := p.command("pull", code, "--terraform", program).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "no plan")
	assert.Empty(t, left(t, p.temporary), "the temporary files of the killed run and of this run must be removed")
}

// requirePrivate requires that other users cannot write in a directory or read its files.
func requirePrivate(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		info, err := entry.Info()
		require.NoError(t, err)
		hidden := fs.FileMode(0o077)
		if info.Mode()&fs.ModeSocket != 0 {
			hidden = 0o022 // only its user can connect to the provider's socket
		}
		assert.Zero(t, info.Mode().Perm()&hidden, "%s: %s", entry.Name(), info.Mode())
	}
}
