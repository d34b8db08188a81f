package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The size of the fleet.
const (
	fleetProjects = 100
	fleetSurveys  = 100
	fleetJobs     = 4
	// fleetEdits is in how many surveys each project differs from the first one.
	fleetEdits = 5
)

// fleetKeys are the keys of the two halves of the projects.
var fleetKeys = [2]string{"phx_firstKeyOfTheFleet", "phx_secondKeyOfTheFleet"}

// fleet are a hundred projects on one server that throttles each key, and what runs on
// them in a bubble: its clock goes on when everything waits.
type fleet struct {
	srv *testserver.Instance
	dir string
}

func newFleet(t *testing.T) *fleet {
	t.Helper()

	var projects, keys, surveys []any
	var config strings.Builder
	config.WriteString("environments:\n")
	for _, key := range fleetKeys {
		keys = append(keys, map[string]any{"key": key})
	}
	for p := 1; p <= fleetProjects; p++ {
		projects = append(projects, map[string]any{"id": p})
		fmt.Fprintf(&config, "  p%03d: {base_url: http://127.0.0.1, project_id: %d, api_key_variable: KEY_%d}\n", p, p, p%2)
		for s := range fleetSurveys {
			survey := map[string]any{
				"project_id": p, "id": fmt.Sprintf("00000000-0000-4000-8000-%06d%06d", p, s), "name": fmt.Sprintf("Survey %03d", s), "type": "popover",
				"questions": []any{map[string]any{"id": fmt.Sprintf("q%d-%d", p, s), "type": "open", "question": "Why?"}},
			}
			if p > 1 && s < fleetEdits {
				survey["questions"] = []any{map[string]any{"id": fmt.Sprintf("q%d-%d", p, s), "type": "open", "question": "Why not?"}}
			}
			surveys = append(surveys, survey)
		}
	}
	document, err := json.Marshal(map[string]any{"projects": projects, "api_keys": keys, "surveys": surveys})
	require.NoError(t, err)

	f := &fleet{dir: t.TempDir()}
	f.srv = testserver.Start(t, testserver.Options{Fixtures: bytes.NewReader(document), Throttle: true, Clock: time.Now})
	require.NoError(t, os.WriteFile(filepath.Join(f.dir, "posthog-sync.yaml"), []byte(config.String()), 0o600))
	return f
}

// run runs a command line in the bubble and returns its exit code and output.
func (f *fleet) run(ctx context.Context, variables map[string]string, transport http.RoundTripper, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	p := newProgram("test")
	p.stdout, p.stderr = &out, &errs
	p.getwd = func() (string, error) { return f.dir, nil }
	p.roundTripper = transport
	p.getenv = func(name string) string {
		switch name {
		case "KEY_0":
			return fleetKeys[0]
		case "KEY_1":
			return fleetKeys[1]
		}
		return variables[name]
	}
	code = p.run(ctx, args)
	return code, out.String(), errs.String()
}

// killed carries requests until one is the last: the server has done its work, and the
// goroutine that waits for the answer ends, as all of a process that is killed does.
type killed struct {
	http.RoundTripper
	left atomic.Int64
}

func (k *killed) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := k.RoundTripper.RoundTrip(r)
	if k.left.Add(-1) < 0 {
		runtime.Goexit()
	}
	return resp, err
}

// shards divides the fleet, as a first job of a pipeline does.
func (f *fleet) shards(t *testing.T) []fleetShard {
	t.Helper()
	code, matrix, stderr := f.run(t.Context(), nil, acctest.Direct(f.srv.Server), "shard", "--jobs", fmt.Sprint(fleetJobs), "--format", "github")
	require.Equal(t, codeDone, code, stderr)
	var read struct{ Include []fleetShard }
	require.NoError(t, json.Unmarshal([]byte(matrix), &read))
	require.Len(t, read.Include, fleetJobs)
	return read.Include
}

// fleetShard is an entry of the matrix.
type fleetShard struct {
	Shard, Environments string
	RequestsPerMinute   int `json:"requests_per_minute"`
}

// variables are those of the shard's job.
func (s fleetShard) variables() map[string]string {
	return map[string]string{"POSTHOG_SYNC_ENVIRONMENTS": s.Environments, "POSTHOG_REQUESTS_PER_MINUTE": fmt.Sprint(s.RequestsPerMinute)}
}

// throttled is how many requests were refused because there were too many.
func (f *fleet) throttled() int {
	n := 0
	for _, request := range f.srv.Journal() {
		if request.Status == http.StatusTooManyRequests {
			n++
		}
	}
	return n
}

// A hundred projects of a hundred surveys, two keys, four jobs side by side, two of which
// are cut off in the middle and run again: one report, and no more requests than a page
// for each project, and what the jobs had asked that were cut off.
func TestScale(t *testing.T) {
	t.Parallel()
	f := newFleet(t)

	synctest.Test(t, func(t *testing.T) {
		transport := acctest.Direct(f.srv.Server)
		shards := f.shards(t)
		assert.Len(t, f.srv.Journal(), fleetProjects, "one request counts a project")
		for _, one := range shards {
			assert.Equal(t, 240, one.RequestsPerMinute, "half of the quota of its key")
		}
		code, _, stderr := f.run(t.Context(), nil, transport, "snapshot", "--env", "p001", "--kind", "surveys", filepath.Join(f.dir, "base.json"))
		require.Equal(t, codeDone, code, stderr)
		f.srv.ResetJournal()

		command := []string{"diff", "file:" + filepath.Join(f.dir, "base.json"), "live", "--all-environments", "--format", "json", "--shard"}
		interrupted, interrupt := context.WithCancelCause(t.Context())
		kill := &killed{RoundTripper: transport}
		kill.left.Store(10)
		var jobs sync.WaitGroup
		codes := make([]int, len(shards))
		for i, one := range shards {
			jobs.Go(func() {
				ctx, carried := t.Context(), transport
				switch i {
				case 1:
					ctx = interrupted
					carried = &interrupting{RoundTripper: transport, at: 12, interrupt: func() { interrupt(errInterrupted) }}
				case 2:
					carried = kill
				}
				codes[i] = -1
				code, report, stderr := f.run(ctx, one.variables(), carried, append(command, one.Shard)...)
				codes[i] = code
				assert.NotContains(t, stderr, "429")
				f.write(t, fmt.Sprintf("report-%d.json", i), report)
			})
		}
		jobs.Wait()
		assert.Equal(t, []int{codeDifferences, codeInterrupted, -1, codeDifferences}, codes)
		assert.Len(t, f.srv.Journal(), 2*25+12+11)

		code, _, stderr = f.run(t.Context(), nil, nil, f.merge(0, 1, 3)...)
		assert.Equal(t, codeError, code)
		assert.Contains(t, stderr, "no report of shard 3/4")

		for _, i := range []int{1, 2} {
			code, report, stderr := f.run(t.Context(), shards[i].variables(), transport, append(command, shards[i].Shard)...)
			require.Equal(t, codeDifferences, code, stderr)
			f.write(t, fmt.Sprintf("report-%d.json", i+fleetJobs), report)
		}
		assert.Len(t, f.srv.Journal(), fleetProjects+12+11)
		assert.Zero(t, f.throttled(), "the shares of the jobs keep to the quota")

		code, merged, stderr := f.run(t.Context(), nil, nil, f.merge(0, 1, 3, 5, 6)...)
		assert.Equal(t, codeDifferences, code, stderr)
		f.requireReport(t, merged)
	})
}

// interrupting carries requests, and interrupts the run at one of them.
type interrupting struct {
	http.RoundTripper
	at        int64
	seen      atomic.Int64
	interrupt func()
}

func (i *interrupting) RoundTrip(r *http.Request) (*http.Response, error) {
	if i.seen.Add(1) == i.at {
		i.interrupt()
	}
	return i.RoundTripper.RoundTrip(r)
}

func (f *fleet) write(t *testing.T, name, text string) {
	t.Helper()
	assert.NoError(t, os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o600))
}

// merge is the command line that joins reports.
func (f *fleet) merge(reports ...int) []string {
	args := []string{"merge-reports", "--format", "json"}
	for _, i := range reports {
		args = append(args, filepath.Join(f.dir, fmt.Sprintf("report-%d.json", i)))
	}
	return args
}

// requireReport checks that every project is in the report once, with its differences.
func (f *fleet) requireReport(t *testing.T, text string) {
	t.Helper()
	var report environmentsReport
	require.NoError(t, json.Unmarshal([]byte(text), &report))
	assert.Equal(t, environmentsSummary{Environments: fleetProjects, Done: 1, Differences: fleetProjects - 1}, report.Summary)
	for i, one := range report.Environments {
		require.Equal(t, fmt.Sprintf("p%03d", i+1), one.Environment)
		require.Len(t, one.Report.(*diffReport).Objects, min(i, 1)*fleetEdits, one.Environment)
	}
}
