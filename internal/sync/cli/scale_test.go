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

// Fleet size.
const (
	fleetProjects = 100
	fleetJobs     = 4
	// fleetEdits is the number of surveys in each project that differ from those of the first project.
	fleetEdits = 8
)

// fleetKeys contains the API keys of the two halves of the projects.
var fleetKeys = [2]string{"phx_firstKeyOfTheFleet", "phx_secondKeyOfTheFleet"}

// fleet is a hundred projects on one server that throttles each API key. The runs are in a synctest bubble, whose
// clock advances when all goroutines wait.
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
func (f *fleet) run(ctx context.Context, transport http.RoundTripper, args ...string) (code int, stdout, stderr string) {
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
		return ""
	}
	code = p.run(ctx, args)
	return code, out.String(), errs.String()
}

// killed forwards requests up to a given request. The server executes that request, and the waiting goroutine ends,
// as in a killed process.
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

// A hundred projects have a hundred surveys each, eight of which differ from the first project's. Four jobs run in
// parallel with two keys. Two jobs stop in the middle and run again. Each edit is written once, a report covers every
// project, and no 429 reaches the user.
func TestScale(t *testing.T) {
	t.Parallel()
	f := newFleet(t)

	synctest.Test(t, func(t *testing.T) {
		code, _, stderr := f.run(t.Context(), f.transport, "snapshot", "--env", "p001", "--kind", "surveys", filepath.Join(f.dir, "base.json"))
		require.Equal(t, codeDone, code, stderr)
		f.srv.ResetJournal()
		time.Sleep(time.Minute)

		reports := f.runCutOff(t)
		for _, i := range []int{2, 3} {
			code, report, stderr := f.run(t.Context(), f.transport, f.sync(i)...)
			require.Equal(t, codeDone, code, stderr)
			reports[i-1] = report
		}
		f.requireRequests(t)
		f.requireReports(t, reports)
	})
}

// runCutOff runs all parts in parallel and returns their reports. The second part is interrupted, and the third part
// is killed.
func (f *fleet) runCutOff(t *testing.T) (reports [fleetJobs]string) {
	t.Helper()

	interrupted, interrupt := context.WithCancelCause(t.Context())
	defer interrupt(nil)
	kill := &killed{RoundTripper: f.transport}
	kill.left.Store(250)
	var codes [fleetJobs]int
	var jobs sync.WaitGroup
	for i := range fleetJobs {
		ctx, transport := t.Context(), f.transport
		switch i {
		case 1:
			ctx = interrupted
			transport = &interrupting{RoundTripper: f.transport, at: 120, interrupt: func() { interrupt(errInterrupted) }}
		case 2:
			transport = kill
		}
		jobs.Go(func() {
			codes[i] = -1
			code, report, stderr := f.run(ctx, transport, f.sync(i+1)...)
			codes[i], reports[i] = code, report
			assert.NotContains(t, stderr, "429")
		})
	}
	jobs.Wait()
	assert.Equal(t, [fleetJobs]int{codeDone, codeInterrupted, -1, codeDone}, codes)
	return reports
}

// sync returns the command line of a part's job.
func (f *fleet) sync(part int) []string {
	return []string{"sync", "file:" + filepath.Join(f.dir, "base.json"), "live", "--yes", "--all-environments", "--format", "json", "--part", fmt.Sprintf("%d/%d", part, fleetJobs)}
}

// requireRequests checks the number of requests: one list and one count of responses for each project, because edited
// questions may have answers, and one read and one write for each edit.
// The parts that run again list each project again, and repeat the read of the survey that they were about to write.
func (f *fleet) requireRequests(t *testing.T) {
	t.Helper()

	methods := map[string]int{}
	for _, request := range f.srv.Journal() {
		require.NotEqual(t, http.StatusTooManyRequests, request.Status, "the parts must stay within their keys' quotas")
		methods[request.Method]++
	}
	const edits = (fleetProjects - 1) * fleetEdits
	assert.Equal(t, edits, methods[http.MethodPatch], "each edit must be written once")
	assert.Len(t, methods, 2, "%v", methods)
	assert.LessOrEqual(t, methods[http.MethodGet], 2*fleetProjects+edits+fleetProjects/2+2)
}

// interrupting forwards requests, and interrupts the run at one of them.
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

// requireReports checks that the reports cover every project, and that all projects are complete.
func (f *fleet) requireReports(t *testing.T, reports [fleetJobs]string) {
	t.Helper()
	reported := map[string]bool{}
	for i, text := range reports {
		var report struct {
			Part         string
			Environments []struct {
				Environment string
				ExitCode    int `json:"exit_code"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(text), &report))
		assert.Equal(t, fmt.Sprintf("%d/%d", i+1, fleetJobs), report.Part)
		for _, one := range report.Environments {
			assert.Equal(t, codeDone, one.ExitCode, one.Environment)
			reported[one.Environment] = true
		}
	}
	assert.Len(t, reported, fleetProjects)
	for p := 1; p <= fleetProjects; p++ {
		for _, survey := range f.srv.Surveys(fmt.Sprint(p)) {
			require.Equal(t, "Why?", survey["questions"].([]any)[0].(map[string]any)["question"], "project %d", p)
		}
	}
}
