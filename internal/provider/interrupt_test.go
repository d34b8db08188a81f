package provider_test

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
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

// Ctrl-C ends the wait that the service asked for at once, and what was done before
// is kept: the next run goes on from there.
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

// reporting serves the Env's server, and reports when it has answered with a 429.
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
			default: // the one before was not received yet
			}
		}
	}))
	t.Cleanup(front.Close)
	return front.URL, answered
}

// interrupt calls the CLI, and presses Ctrl-C when the service has asked for a pause.
// It returns what was printed, and fails the test when the CLI goes on waiting.
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
	require.NoError(s.t, ctx.Err(), "it was still waiting: %s", output.String())
	require.Error(s.t, err, "an interrupted run is no success: %s", output.String())
	return output.String()
}
