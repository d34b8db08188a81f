package testserver_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// nodeEvent is an event for posthog-node.
type nodeEvent struct {
	DistinctID string         `json:"distinctId"`
	Event      string         `json:"event"`
	UUID       string         `json:"uuid"`
	Properties map[string]any `json:"properties"`
}

// answerOfNode returns a response to the running survey.
func answerOfNode(uuid, id string) nodeEvent {
	return nodeEvent{id, "survey sent", uuid, map[string]any{"$survey_id": shownToApps, "$set": map[string]any{"plan": "pro"}}}
}

// sdkCommand returns the command of a program in testdata/sdks, with the server's URL.
func sdkCommand(t *testing.T, program string, srv *testserver.Instance, arguments ...string) *exec.Cmd {
	t.Helper()
	arguments = append([]string{filepath.Join("testdata", "sdks", program), browsertest.SDKs(t), srv.URL}, arguments...)
	return exec.CommandContext(t.Context(), "node", arguments...) //nolint:gosec // the test names the files
}

// captureWithNode sends batches of events with posthog-node in capture mode v1.
func captureWithNode(t *testing.T, srv *testserver.Instance, batches ...[]nodeEvent) {
	t.Helper()
	input, err := json.Marshal(batches)
	require.NoError(t, err)
	command := sdkCommand(t, "posthog-node.js", srv)
	command.Env = append(command.Environ(), "POSTHOG_CAPTURE_MODE=v1")
	command.Stdin = strings.NewReader(string(input))
	printed, err := command.CombinedOutput()
	require.NoError(t, err, string(printed))
}

// TestPosthogNodeCapturesByV1 runs the backend SDK. Responses arrive and count, and an event that is sent twice
// counts once.
func TestPosthogNodeCapturesByV1(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	captureWithNode(t, srv, []nodeEvent{answerOfNode(firstEvent, "ann")}, []nodeEvent{answerOfNode(firstEvent, "ann"), answerOfNode(secondEvent, "bob")})
	for _, r := range srv.Journal() {
		assert.Equal(t, "sdk_capture", r.Operation)
		assert.Equal(t, analyticsEvents, r.Path)
	}
	assert.Equal(t, 2, call(t, srv).responsesTo(shownToApps))

	events := sentEventsV1(srv)
	require.Len(t, events, 2)
	assert.Equal(t, "posthog-node", events[0].Properties["$lib"])
	assert.Contains(t, srv.Dump(), `"distinct_ids":["bob"]`)
}

// TestPosthogNodeSendsAgain injects faults that lose a request or request a retry of an event.
func TestPosthogNodeSendsAgain(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]testserver.Fault{
		"503":   {Operation: "sdk_capture", To: 1, Status: 503},
		"drop":  {Operation: "sdk_capture", To: 1, Drop: "after"},
		"retry": {Operation: "sdk_capture", To: 1, EventResults: []string{"ok", "retry"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
			srv.SetFaults(fault)
			captureWithNode(t, srv, []nodeEvent{answerOfNode(firstEvent, "ann"), answerOfNode(secondEvent, "bob")})
			assert.Equal(t, 2, call(t, srv).responsesTo(shownToApps))

			sent := srv.Journal()[:2]
			for i, r := range sent {
				assert.Equal(t, []string{fmt.Sprint(i + 1)}, r.Headers["Posthog-Attempt"])
			}
			assert.Equal(t, sent[0].Headers["Posthog-Request-Id"], sent[1].Headers["Posthog-Request-Id"])
			assert.Equal(t, name == "retry", !strings.Contains(string(sent[1].Body), firstEvent), "posthog-node must repeat only events with the result retry")
		})
	}
}
