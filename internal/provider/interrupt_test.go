package provider_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const twoSurveys = secretConfig + `resource "posthog_survey" "second" {
  name       = "CSAT"
  type       = "popover"
  depends_on = [posthog_survey.test]
}
`

// Ctrl-C immediately ends a wait that PostHog requested. Completed work is kept, and the next run continues from
// there.
func TestAccInterrupt(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t)
	address, throttled := reporting(t, env)
	s := newShell(t, env, address, built(t))
	s.write("main.tf", twoSurveys)

	env.SetFaults(testserver.Fault{Operation: "surveys_create", From: 2, RetryAfter: "600"})
	output := s.interrupt(throttled, "apply", "-auto-approve")
	assert.Contains(t, output, "posthog_survey.test: Creation complete")
	require.Len(t, env.Surveys(t), 1)
	listed, ok := s.run(env.APIKey, "state", "list")
	require.True(t, ok, listed)
	assert.Equal(t, "posthog_survey.test\n", listed)

	env.SetFaults(testserver.Fault{Operation: "surveys_retrieve", RetryAfter: "600"})
	s.interrupt(throttled, "plan")

	env.SetFaults()
	output, ok = s.run(env.APIKey, "apply", "-auto-approve")
	require.True(t, ok, output)
	assert.Contains(t, output, "1 added, 0 changed, 0 destroyed")
	assert.Len(t, env.Surveys(t), 2)
}

// reporting serves the Env's server, and signals each 429.
func reporting(t *testing.T, env *acctest.Env) (address string, throttled <-chan struct{}) {
	t.Helper()
	answered := make(chan struct{}, 1)
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		response := httptest.NewRecorder()
		env.Server.ServeHTTP(response, r)
		maps.Copy(rw.Header(), response.Header())
		rw.WriteHeader(response.Code)
		_, err := rw.Write(response.Body.Bytes())
		assert.NoError(t, err)
		if response.Code == http.StatusTooManyRequests {
			select {
			case answered <- struct{}{}:
			default: // the previous signal was not received yet
			}
		}
	}))
	t.Cleanup(front.Close)
	return front.URL, answered
}

// interrupt runs the CLI, and presses Ctrl-C after PostHog asked for a pause. It returns the output, and fails the
// test if the CLI continues to wait.
func (s *shell) interrupt(throttled <-chan struct{}, args ...string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, cli(), append(args, "-no-color")...) //nolint:gosec // the CLI that was asked for
	cmd.Dir, cmd.Env = s.dir, append(slices.Clip(s.env), "POSTHOG_API_KEY="+s.key)
	var output strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &output
	require.NoError(s.t, cmd.Start())
	select {
	case <-throttled:
	case <-ctx.Done():
	}
	require.NoError(s.t, cmd.Process.Signal(os.Interrupt))
	err := cmd.Wait()
	require.NoError(s.t, ctx.Err(), "the interrupted run did not end: %s", output.String())
	require.Error(s.t, err, "an interrupted run must fail: %s", output.String())
	return output.String()
}

// creates is the number of objects that the interrupted run creates. Half of them belong to each resource type.
const creates = 30

const thirtyObjects = `terraform {
  required_providers {
    posthog = { source = "surveys-as-code/posthog" }
  }
}
resource "posthog_survey" "test" {
  count = 15
  name  = "Survey ${count.index}"
  type  = "popover"
}
resource "posthog_pipeline_import_app" "test" {
  count        = 15
  name         = "App ${count.index}"
  plugin_type  = "source"
  capabilities = jsonencode({ scheduled_tasks = ["runEveryMinute"] })
}
`

// A single Ctrl-C at any time leaves nothing on the server that isn't in the state. A run with 30 creates is
// interrupted at each of them: before, during, and after PostHog processes the request.
func TestAccA5InterruptAtEachCreate(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t)
	s := newShell(t, env, env.URL, built(t))
	s.write("main.tf", thirtyObjects)

	lanes := make(chan struct{}, 3)
	step := 1
	if testing.Short() {
		step = 7 // each of the three phases, once or twice
	}
	for moment := 1; moment <= creates; moment += step {
		t.Run(fmt.Sprint("create ", moment), func(t *testing.T) {
			t.Parallel()
			lanes <- struct{}{}
			defer func() { <-lanes }()
			interruptAt(t, s, moment)
		})
	}
}

func interruptAt(t *testing.T, s *shell, moment int) {
	t.Helper()
	env := acctest.Start(t)
	run := &interruptedRun{env: env, moment: moment, held: moment%3 != 1, worked: moment%3 == 0, reached: make(chan struct{}), stopping: make(chan struct{})}
	front := httptest.NewServer(run)
	defer front.Close()

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	stateFile := filepath.Join(t.TempDir(), "terraform.tfstate")
	cmd := exec.CommandContext(ctx, cli(), "apply", "-auto-approve", "-no-color", "-state="+stateFile) //nolint:gosec // the CLI that was asked for
	cmd.Dir = s.dir
	for _, assignment := range s.env {
		if !strings.HasPrefix(assignment, "TF_LOG") {
			cmd.Env = append(cmd.Env, assignment)
		}
	}
	cmd.Env = append(cmd.Env, "POSTHOG_API_KEY="+env.APIKey, "POSTHOG_BASE_URL="+front.URL, "POSTHOG_ORGANIZATION_ID="+env.OrganizationID)
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, in
	var output strings.Builder
	var reading sync.WaitGroup
	reading.Go(func() { run.watch(io.TeeReader(out, &output)) })

	require.NoError(t, cmd.Start())
	select {
	case <-run.reached:
	case <-ctx.Done():
	}
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait() // a run interrupted at the last create may complete
	in.Close()
	reading.Wait()
	front.Close() // this returns after the server has responded to all requests
	require.NoError(t, ctx.Err(), output.String())

	there := map[string]bool{}
	for _, one := range append(env.Surveys(t), env.Apps(t)...) {
		there[fmt.Sprint(one["id"])] = true
	}
	assert.NotEmpty(t, there)
	assert.Equal(t, there, idsInState(t, stateFile), output.String())
}

// interruptedRun serves an Env until the time of the interrupt, and then continues.
type interruptedRun struct {
	env    *acctest.Env
	moment int
	// held requests get a response only after the CLI has started to stop. If worked is set, PostHog processes the
	// request before that.
	held, worked bool

	mu      sync.Mutex
	creates int
	// reached is closed at the time of the interrupt, and stopping when the CLI prints that it stops.
	reached, stopping chan struct{}
}

// ServeHTTP implements http.Handler.
func (r *interruptedRun) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodPost {
		r.env.Server.ServeHTTP(rw, req)
		return
	}

	r.mu.Lock()
	r.creates++
	isMoment, isAfter := r.creates == r.moment, r.creates >= r.moment
	r.mu.Unlock()
	response := httptest.NewRecorder()
	if r.worked {
		r.env.Server.ServeHTTP(response, req)
	}
	if isMoment {
		close(r.reached)
	}
	if r.held && isAfter {
		<-r.stopping
		select {
		case <-req.Context().Done(): // the provider has canceled the request
		case <-time.After(300 * time.Millisecond):
		}
	}
	if !r.worked {
		r.env.Server.ServeHTTP(response, req)
	}
	maps.Copy(rw.Header(), response.Header())
	rw.WriteHeader(response.Code)
	_, _ = rw.Write(response.Body.Bytes()) // the client may be gone
}

// watch reads the CLI's output.
func (r *interruptedRun) watch(out io.Reader) {
	var output strings.Builder
	isStopping := false
	buffer := make([]byte, 4096)
	for {
		n, err := out.Read(buffer)
		output.Write(buffer[:n])
		if !isStopping && (err != nil || strings.Contains(output.String(), "Gracefully shutting down")) {
			isStopping = true
			close(r.stopping)
		}
		if err != nil {
			return
		}
	}
}

// idsInState returns the IDs of all objects in a state file.
func idsInState(t *testing.T, file string) map[string]bool {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)

	var state struct {
		Resources []struct {
			Instances []struct {
				Attributes struct {
					ID any `json:"id"`
				} `json:"attributes"`
			} `json:"instances"`
		} `json:"resources"`
	}

	require.NoError(t, json.Unmarshal(raw, &state))

	ids := map[string]bool{}
	for _, r := range state.Resources {
		for _, one := range r.Instances {
			ids[fmt.Sprint(one.Attributes.ID)] = true
		}
	}

	return ids
}
