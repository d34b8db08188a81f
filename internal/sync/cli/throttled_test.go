package cli

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// throttledProject is a project whose PostHog throttles requests. Its commands run in a synctest bubble, whose clock
// advances when all goroutines wait.
type throttledProject struct {
	*testing.T
	srv      *testserver.Instance
	yaml     string
	throttle testserver.Throttle

	// requests and writes count the requests of commands, and the writes that PostHog carried out.
	requests, writes int
	// refused is called for each refused request to a survey.
	refused func(method, id string)
}

// throttledRuns are throttles, with so many surveys that some requests of most runs are refused.
var throttledRuns = []struct {
	testserver.Throttle
	synced, repaired int
}{
	{testserver.Throttle{Requests: 8, PerSeconds: 5}, 14, 14},
	{testserver.Throttle{Requests: 30, PerSeconds: 15}, 20, 14},
	{testserver.Throttle{Requests: 480, PerSeconds: 60}, 260, 68},
}

// eachThrottle runs a test with a new project for each throttle, in a bubble.
func eachThrottle(t *testing.T, test func(p *throttledProject, synced, repaired int)) {
	t.Helper()
	for _, run := range throttledRuns {
		t.Run(fmt.Sprintf("%d in %d s", run.Requests, run.PerSeconds), func(t *testing.T) {
			t.Parallel()
			if testing.Short() && run.Requests > 100 { // the same number of windows with fewer requests
				run.Requests, run.synced, run.repaired = run.Requests/4, run.synced/4, run.repaired/4
			}
			p := startThrottledProject(t, run.Throttle)
			p.inBubble(t, func() { test(p, run.synced, run.repaired) })
		})
	}
}

// startThrottledProject starts a server. Its throttle starts with startThrottle.
func startThrottledProject(t *testing.T, throttle testserver.Throttle) *throttledProject {
	t.Helper()
	return &throttledProject{
		srv:  testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Clock: time.Now}),
		yaml: filepath.Join(t.TempDir(), "surveys.yaml"), throttle: throttle, refused: func(string, string) {},
	}
}

// inBubble runs a test in a synctest bubble.
func (p *throttledProject) inBubble(t *testing.T, test func()) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p.T = t
		test()
	})
}

const (
	// requestLatency is how long a request takes.
	requestLatency = 40 * time.Millisecond
	// processStart is how long a command takes to start.
	processStart = 600 * time.Millisecond
)

var surveyPath = regexp.MustCompile(`/surveys/([0-9a-f-]{36})/`)

// RoundTrip implements [http.RoundTripper].
func (p *throttledProject) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(requestLatency)
	resp, err := acctest.Direct(p.srv.Server).RoundTrip(r)
	if err != nil {
		return nil, err
	}

	p.requests++
	survey := surveyPath.FindStringSubmatch(r.URL.Path)
	switch {
	case resp.StatusCode == http.StatusTooManyRequests && survey != nil:
		p.refused(r.Method, survey[1])
	case r.Method == http.MethodPatch && resp.StatusCode == http.StatusOK:
		p.writes++
	}
	return resp, nil
}

// run runs a command in a new process, and returns its exit code and output.
func (p *throttledProject) run(args ...string) (code int, output string) {
	p.Helper()
	time.Sleep(processStart)
	command := testProgram(p.T, p.srv)
	command.roundTripper = p
	var stdout, stderr bytes.Buffer
	command.stdout, command.stderr = &stdout, &stderr
	code = command.run(p.Context(), append(args, "--kind", "surveys"))
	return code, stdout.String() + stderr.String()
}

// must runs a command that must succeed.
func (p *throttledProject) must(args ...string) {
	p.Helper()
	code, output := p.run(args...)
	require.Equal(p, codeDone, code, output)
}

// measure runs commands, and returns the number of their requests and writes, and their duration.
func (p *throttledProject) measure(commands func()) (requests, writes int, took time.Duration) {
	p.requests, p.writes = 0, 0
	start := time.Now()
	commands()
	return p.requests, p.writes, time.Since(start)
}

// startThrottle throttles requests from now on. None of the earlier requests counts.
func (p *throttledProject) startThrottle() { p.srv.SetFaults(testserver.Fault{Throttle: &p.throttle}) }

// allowed returns how long the throttle requires for a number of requests.
func (p *throttledProject) allowed(requests int) time.Duration {
	return time.Duration(requests) * time.Duration(p.throttle.PerSeconds) * time.Second / time.Duration(p.throttle.Requests)
}

// describe writes surveys with a description to the YAML file.
func (p *throttledProject) describe(surveys int, description string) {
	p.Helper()
	text := "surveys:\n"
	for i := range surveys {
		text += fmt.Sprintf("  - {name: %s, type: popover, description: %s, questions: [{type: open, question: Why?}, {type: open, question: How?}]}\n",
			throttledName(i), description)
	}
	require.NoError(p, os.WriteFile(p.yaml, []byte(text), 0o600))
}

func throttledName(i int) string { return fmt.Sprintf("Survey %03d", i) }

func (p *throttledProject) sync(flags ...string) []string {
	return append([]string{"sync", "file:" + p.yaml, "live"}, flags...)
}

// replaceIDs saves all surveys without question IDs, as a client that does not know the IDs.
func (p *throttledProject) replaceIDs() {
	for _, survey := range p.srv.Surveys(p.srv.ProjectID) {
		questions := survey["questions"].([]any)
		for _, q := range questions {
			delete(q.(map[string]any), "id")
		}
		p.srv.PatchSurvey(survey["id"].(string), testserver.Object{"questions": questions})
	}
}

// sync takes one read and one write for each survey, plus at most a tenth, and at most 1.3 times the time that the
// throttle requires.
func TestThrottledSyncTakesFewRequests(t *testing.T) {
	t.Parallel()
	eachThrottle(t, func(p *throttledProject, surveys, _ int) {
		p.describe(surveys, "one")
		p.must(p.sync("--yes")...)
		p.describe(surveys, "two")
		planned, _, _ := p.measure(func() { p.run(p.sync("--dry-run")...) })

		p.startThrottle()
		requests, writes, took := p.measure(func() { p.must(p.sync("--yes")...) })
		assert.Equal(p, surveys, writes)
		assert.Greater(p, requests, p.throttle.Requests, "some requests must be refused")
		assert.LessOrEqual(p, requests-planned, surveys*22/10)
		assert.LessOrEqual(p, took.Seconds(), 1.3*p.allowed(planned+2*surveys).Seconds())
	})
}

// Each repair is a new process that learns of the throttle only when a request is refused. Repairs in one window after
// another take at most 2.2 more requests for each survey than without a throttle, and at most 1.3 times the time that
// the throttle requires.
func TestThrottledRepairsTakeFewRequests(t *testing.T) {
	t.Parallel()
	eachThrottle(t, func(p *throttledProject, _, surveys int) {
		repairAll := func() {
			for i := range surveys {
				p.must("repair", throttledName(i), "--yes")
			}
		}
		p.describe(surveys, "one")
		p.must(p.sync("--yes")...)
		before := p.srv.Dump()
		p.replaceIDs()
		unthrottled, writes, _ := p.measure(repairAll)
		require.Equal(p, surveys, writes)

		p.srv.SetFixtures(before)
		p.replaceIDs()
		p.startThrottle()
		requests, writes, took := p.measure(repairAll)
		assert.Equal(p, surveys, writes)
		assert.Greater(p, requests, unthrottled, "some requests must be refused")
		assert.LessOrEqual(p, requests-unthrottled, surveys*22/10)
		assert.LessOrEqual(p, took.Seconds(), 1.3*p.allowed(unthrottled).Seconds())
	})
}

// L11: sync and repair keep an edit that a teammate makes while a refused write waits. The first window ends between
// the look of a survey and its write.
func TestL11ThrottledCommandsKeepEdits(t *testing.T) {
	t.Parallel()
	theirs := testserver.Object{"description": "theirs", "questions": []any{map[string]any{"id": "theirs", "type": "open", "question": "Theirs?"}}}
	for name, write := range map[string]func(*throttledProject) (code int, output string){
		"sync": func(p *throttledProject) (code int, output string) {
			p.describe(throttledL11, "two")
			return p.run(p.sync("--yes")...)
		},
		"repair": func(p *throttledProject) (code int, output string) {
			p.replaceIDs()
			return p.run("repair", throttledName(0), "--yes")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := startThrottledProject(t, testserver.Throttle{Requests: 6, PerSeconds: 5})
			p.inBubble(t, func() {
				p.describe(throttledL11, "one")
				p.must(p.sync("--yes")...)

				edited := map[string]bool{}
				p.refused = func(method, id string) {
					if method == http.MethodPatch && !edited[id] {
						edited[id] = true
						time.AfterFunc(500*time.Millisecond, func() { p.srv.PatchSurvey(id, theirs) })
					}
				}
				p.startThrottle()
				code, output := write(p)

				require.NotEmpty(p, edited, "a write must be refused")
				assert.Equal(p, codeDifferences, code, output)
				assert.Contains(p, output, "changed after the")
				for _, survey := range p.srv.Surveys(p.srv.ProjectID) {
					if edited[survey["id"].(string)] {
						assert.Equal(p, "theirs", survey["description"])
						assert.Equal(p, theirs["questions"].([]any)[0].(map[string]any)["question"], survey["questions"].([]any)[0].(map[string]any)["question"])
					}
				}
			})
		})
	}
}

// throttledL11 is enough surveys for two windows.
const throttledL11 = 5
