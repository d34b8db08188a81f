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

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The size of the fleet.
const (
	fleetProjects = 100
	fleetJobs     = 4
	// fleetEdits is in how many surveys each project differs from the first one.
	fleetEdits = 8
)

// fleetKeys are the keys of the two halves of the projects.
var fleetKeys = [2]string{"phx_firstKeyOfTheFleet", "phx_secondKeyOfTheFleet"}

// fleet are a hundred projects on one server that throttles each key, and what runs on
// them in a bubble: its clock goes on when everything waits.
type fleet struct {
	srv       *testserver.Instance
	dir       string
	transport http.RoundTripper
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
		for s := range sized(100) {
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
	f.transport = acctest.Direct(f.srv.Server)
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
	code, matrix, stderr := f.run(t.Context(), nil, f.transport, "shard", "--jobs", fmt.Sprint(fleetJobs), "--format", "github")
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

// throttled is how many requests with each key were refused because there were too many.
func (f *fleet) throttled() (n [2]int) {
	for _, request := range f.srv.Journal() {
		var project int
		if _, err := fmt.Sscanf(request.Path, "/api/projects/%d/", &project); err == nil && request.Status == http.StatusTooManyRequests {
			n[project%2]++
		}
	}
	return n
}

// A hundred projects of a hundred surveys, of which eight differ from the first project's,
// two keys, four jobs side by side, two of which are cut off in the middle and run again:
// each edit is written once, there is one report, and no 429 reaches the user.
func TestScale(t *testing.T) {
	t.Parallel()
	f := newFleet(t)

	synctest.Test(t, func(t *testing.T) {
		shards := f.shards(t)
		assert.Len(t, f.srv.Journal(), fleetProjects, "one request counts a project")
		for _, one := range shards {
			assert.Equal(t, 240, one.RequestsPerMinute, "half of the quota of its key")
		}
		code, _, stderr := f.run(t.Context(), nil, f.transport, "snapshot", "--env", "p001", "--kind", "surveys", filepath.Join(f.dir, "base.json"))
		require.Equal(t, codeDone, code, stderr)
		f.srv.ResetJournal()
		time.Sleep(time.Minute)

		f.runCutOff(t, shards)
		code, _, stderr = f.run(t.Context(), nil, nil, f.merge(0, 1, 3)...)
		assert.Equal(t, codeError, code)
		assert.Contains(t, stderr, "no report of shard 3/4")

		for _, i := range []int{1, 2} {
			code, report, stderr := f.run(t.Context(), shards[i].variables(), f.transport, f.sync(shards[i])...)
			require.Equal(t, codeDone, code, stderr)
			f.write(t, i+fleetJobs, report)
		}
		f.requireRequests(t)
		code, merged, stderr := f.run(t.Context(), nil, nil, f.merge(0, 1, 3, 5, 6)...)
		assert.Equal(t, codeDone, code, stderr)
		f.requireReport(t, merged)
	})
}

// runCutOff runs all shards side by side. The second one is interrupted, the third killed;
// the last two share a key and know of no quota.
func (f *fleet) runCutOff(t *testing.T, shards []fleetShard) {
	t.Helper()

	interrupted, interrupt := context.WithCancelCause(t.Context())
	defer interrupt(nil)
	kill := &killed{RoundTripper: f.transport}
	kill.left.Store(250)
	codes := make([]int, len(shards))
	var jobs sync.WaitGroup
	for i, one := range shards {
		ctx, transport, variables := t.Context(), f.transport, one.variables()
		switch i {
		case 1:
			ctx = interrupted
			transport = &interrupting{RoundTripper: f.transport, at: 120, interrupt: func() { interrupt(errInterrupted) }}
		case 2:
			transport = kill
		}
		if i > 1 {
			delete(variables, "POSTHOG_REQUESTS_PER_MINUTE")
		}
		jobs.Go(func() {
			codes[i] = -1
			code, report, stderr := f.run(ctx, variables, transport, f.sync(one)...)
			codes[i] = code
			assert.NotContains(t, stderr, "429")
			f.write(t, i, report)
		})
	}
	jobs.Wait()
	assert.Equal(t, []int{codeDone, codeInterrupted, -1, codeDone}, codes)
}

// sync is the command line of a shard's job.
func (f *fleet) sync(s fleetShard) []string {
	return []string{"sync", "file:" + filepath.Join(f.dir, "base.json"), "live", "--yes", "--all-environments", "--format", "json", "--shard", s.Shard}
}

// requireRequests counts what the service was asked: a list for each project, a read and a
// write for each edit; once more a list for the projects of the shards that were run again,
// and a read of the survey that each of them was about to write.
func (f *fleet) requireRequests(t *testing.T) {
	t.Helper()

	methods, refused := map[string]int{}, f.throttled()
	for _, request := range f.srv.Journal() {
		if request.Status != http.StatusTooManyRequests {
			methods[request.Method]++
		}
	}
	const edits = (fleetProjects - 1) * fleetEdits
	assert.Equal(t, edits, methods[http.MethodPatch], "each edit is written once")
	assert.Len(t, methods, 2, "%v", methods)
	assert.LessOrEqual(t, methods[http.MethodGet], fleetProjects+edits+fleetProjects/2+2)
	assert.Zero(t, refused[1], "the shares of two jobs keep to the quota of their key")
	assert.NotZero(t, refused[0], "the jobs without shares did not come to the quota")
	assert.Less(t, refused[0], 10)
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

func (f *fleet) write(t *testing.T, i int, report string) {
	t.Helper()
	assert.NoError(t, os.WriteFile(f.report(i), []byte(report), 0o600))
}

func (f *fleet) report(i int) string { return filepath.Join(f.dir, fmt.Sprintf("report-%d.json", i)) }

// merge is the command line that joins reports.
func (f *fleet) merge(reports ...int) []string {
	args := []string{"merge-reports", "--format", "json"}
	for _, i := range reports {
		args = append(args, f.report(i))
	}
	return args
}

// requireReport checks that every project is in the report once, and that it is done.
func (f *fleet) requireReport(t *testing.T, text string) {
	t.Helper()
	var report environmentsReport
	require.NoError(t, json.Unmarshal([]byte(text), &report))
	assert.Equal(t, environmentsSummary{Environments: fleetProjects, Done: fleetProjects}, report.Summary)
	for i, one := range report.Environments {
		require.Equal(t, fmt.Sprintf("p%03d", i+1), one.Environment)
		require.IsType(t, &syncReport{}, one.Report)
	}
	for p := 1; p <= fleetProjects; p++ {
		for _, survey := range f.srv.Surveys(fmt.Sprint(p)) {
			require.Equal(t, "Why?", survey["questions"].([]any)[0].(map[string]any)["question"], "project %d", p)
		}
	}
}
