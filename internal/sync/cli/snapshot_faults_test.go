package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// runClock is the clock of a run. Waiting takes no real time.
type runClock struct {
	mu  sync.Mutex
	now time.Time
}

func newRunClock() *runClock { return &runClock{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)} }

func (c *runClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *runClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return ctx.Err()
}

// commandLine runs a command line against a server, and returns its exit code and output.
func commandLine(t *testing.T, ctx context.Context, srv *testserver.Instance, args ...string) (code int, stdout, stderr string) { //nolint:revive // t first
	t.Helper()
	return runProgram(t, ctx, testProgram(t, srv), srv, args...)
}

// runProgram runs a program that the test has prepared.
func runProgram(t *testing.T, ctx context.Context, p *program, srv *testserver.Instance, args ...string) (code int, stdout, stderr string) { //nolint:revive // t first
	t.Helper()
	return runProgramOn(t, ctx, p, srv, newRunClock(), args...)
}

// runProgramOn is like runProgram, and uses the given clock.
func runProgramOn(t *testing.T, ctx context.Context, p *program, srv *testserver.Instance, clock *runClock, args ...string) (code int, stdout, stderr string) { //nolint:revive // t first
	t.Helper()
	var out, errs bytes.Buffer
	p.now, p.sleep = clock.Now, clock.Sleep
	p.stdout, p.stderr = &out, &errs
	code = p.run(ctx, args)
	assert.NotContains(t, out.String()+errs.String(), srv.APIKey)
	return code, out.String(), errs.String()
}

// A fault affects each request in turn, once or permanently. The file is unchanged or complete.
func TestSnapshotUnderFaults(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetFixtures(strings.ReplaceAll(scriptFixtures, scriptKey, "phx_faults"))
	path := filepath.Join(t.TempDir(), "live.json")
	code, _, stderr := commandLine(t, t.Context(), srv, "snapshot", path)
	require.Equal(t, codeDone, code, stderr)
	complete, err := os.ReadFile(path)
	require.NoError(t, err)

	for _, operation := range []string{"surveys_list", "pipeline_import_apps_list", "surveys_responses_count_retrieve"} {
		for name, fault := range snapshotFaults() {
			for _, times := range []int{1, 0} {
				fault.Operation, fault.To = operation, times
				what := fmt.Sprintf("%s %s %d", operation, name, times)
				require.NoError(t, os.WriteFile(path, []byte("as before"), 0o600))
				srv.SetFaults(fault)

				code, stdout, stderr := commandLine(t, t.Context(), srv, "snapshot", path)
				written, err := os.ReadFile(path)
				require.NoError(t, err)
				switch {
				case code == codeDone && strings.Contains(stderr, "does not contain response counts"):
					assert.Equal(t, "surveys_responses_count_retrieve", operation, what)
				case code == codeDone:
					assert.Equal(t, string(complete), string(written), what)
				default:
					assert.Equal(t, codeError, code, what)
					assert.Equal(t, "as before", string(written), what)
					assert.Equal(t, 1, strings.Count("\n"+stderr, "\nError: "), "%s: %s", what, stderr)
					assert.Contains(t, stderr, operation, "%s: the error must contain the request", what)
					assert.Empty(t, stdout, what)
				}
			}
		}
	}
}

func snapshotFaults() map[string]testserver.Fault {
	faults := map[string]testserver.Fault{
		"throttle": {Status: 429, RetryAfter: "30"}, "drop before": {Drop: "before"}, "drop after": {Drop: "after"},
		"html": {HTML: true}, "reorder": {ReorderKeys: true}, "quota": {Throttle: &testserver.Throttle{Requests: 1, PerSeconds: 60}},
	}
	for _, status := range []int{400, 401, 403, 404, 500, 502, 503, 504} {
		faults[fmt.Sprint(status)] = testserver.Fault{Status: status}
	}
	cut := 10
	faults["cut"] = testserver.Fault{CutBody: &cut}
	return faults
}

// After Ctrl-C, the program finishes the current request, starts no other request, and does not change the file.
func TestInterruptFinishesTheRequestInFlight(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	srv := testserver.Start(t, testserver.Options{Sleep: func(context.Context, time.Duration) { cancel(errInterrupted) }})
	srv.SetFaults(testserver.Fault{Operation: "surveys_list", DelayMS: 1})
	path := filepath.Join(t.TempDir(), "live.json")

	code, stdout, stderr := commandLine(t, ctx, srv, "snapshot", path)
	assert.Equal(t, codeInterrupted, code)
	assert.Empty(t, stdout)
	assert.Contains(t, stderr, "Interrupted: ")
	assert.NoFileExists(t, path)
	journal := srv.Journal()
	require.Len(t, journal, 1)
	assert.Equal(t, 200, journal[0].Status)
}

// The first signal only cancels the context. For a launcher that passes the same Ctrl-C on as another signal, see
// cmd/posthog-sync/npm/sync.test.mjs.
func TestSignalInterrupts(t *testing.T) {
	t.Parallel()
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		var stderr bytes.Buffer
		ctx, stop := withInterrupt(t.Context(), &stderr)
		require.NoError(t, syscall.Kill(os.Getpid(), sent))
		<-ctx.Done()
		assert.True(t, errors.Is(context.Cause(ctx), errInterrupted), sent)
		assert.Equal(t, 1, strings.Count(stderr.String(), "finishing the request in flight"), sent)
		stop()
	}
}
