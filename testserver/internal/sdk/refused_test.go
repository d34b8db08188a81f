package sdk_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/sdk"
)

// readCall reads a request without serving it.
func readCall(method, path string, header http.Header, body string, delivers bool) *sdk.Call {
	r := httptest.NewRequest(method, path, nil)
	r.Header = header
	found, values := sdk.Paths().Match(r.URL.Path)
	return sdk.Read(r, found, values, []byte(body), maxBody, delivers)
}

func TestRequestsAreRefusedBeforeTheWork(t *testing.T) {
	t.Parallel()
	srv := deliveringServers(t, "{}")["hosted"]
	one := batchV1(eventV1("e", firstEvent, "ann", ""))
	for name, row := range map[string]struct {
		call   *sdk.Call
		status int
		body   string
	}{
		"not delivered":           {readCall(http.MethodGet, "/api/surveys/?token=phc_test", nil, "", false), 404, sdk.NotDelivered},
		"not delivered, as batch": {readCall(http.MethodPost, analyticsEvents, captureV1("phc_test"), one, false), 404, sdk.NotDelivered},
		"too large":               {readCall(http.MethodPost, "/api/surveys/", nil, zipped(t, `{"token":"phc_test","x":"`+strings.Repeat("x", 70<<10)+`"}`), true), 413, ""},
		"not JSON":                {readCall(http.MethodPost, "/api/surveys/", nil, `{`, true), 400, ""},
		"no token":                {readCall(http.MethodGet, "/api/surveys/", nil, "", true), 401, "Token not provided"},
		"no token of events":      {readCall(http.MethodPost, "/e/", nil, `{"event":"e"}`, true), 401, "event submitted without an api_key"},
		"odd token":               {readCall(http.MethodGet, "/api/surveys/?token=a.b", nil, "", true), 400, "Invalid token"},
		"odd token of events":     {readCall(http.MethodPost, "/e/", nil, `{"event":"e","api_key":"a b"}`, true), 401, "API key is not valid"},
		"token of nobody":         {readCall(http.MethodGet, "/array/phc_none/config", nil, "", true), 404, ""},
		"bearer alone":            {readCall(http.MethodPost, analyticsEvents, http.Header{"Authorization": {"Bearer "}}, one, true), 400, ""},
	} {
		reply, f := row.call.Serve(&sdk.Apps{Contents: srv.Contents}, row.call.SentToken)
		if f != nil {
			reply = f.Response()
		}
		assert.Equal(t, row.status, reply.Status, "%s: %s", name, reply.Body)
		assert.Contains(t, string(reply.Body), row.body, name)
	}
}

// TestResultsOfFaults sets the results of a batch. The last result applies to all remaining events.
func TestResultsOfFaults(t *testing.T) {
	t.Parallel()
	for results, want := range map[string]string{
		"drop":       `{"results":{"` + firstEvent + `":{"result":"drop","details":"billing_limit_exceeded"},"` + secondEvent + `":{"result":"drop","details":"billing_limit_exceeded"}}}`,
		"ok warning": `{"results":{"` + firstEvent + `":{"result":"ok"},"` + secondEvent + `":{"result":"warning","details":"person_processing_disabled"}}}`,
		"retry ok":   `{"results":{"` + firstEvent + `":{"result":"retry","details":"not_persisted"},"` + secondEvent + `":{"result":"ok"}}}`,
	} {
		srv := deliveringServers(t, fmt.Sprintf(captureFixtures, "null"))["hosted"]
		call := readCall(http.MethodPost, analyticsEvents, captureV1("phc_test"), batchV1(answerV1(firstEvent, "ann"), answerV1(secondEvent, "bob")), true)
		call.SetResults(strings.Fields(results))
		reply, f := call.Serve(&sdk.Apps{Contents: srv.Contents}, call.SentToken)
		assert.Nil(t, f)
		assert.JSONEq(t, want, string(reply.Body))
		assert.Equal(t, strings.Contains(results, "retry"), reply.Header.Get("Retry-After") == "1", results)
		assert.Equal(t, strings.Count(results, "ok")+strings.Count(results, "warning"), srv.responsesTo(shownToApps), results)
	}
}

func TestRecordedBodies(t *testing.T) {
	t.Parallel()
	text := `{"token":"phc_test","distinct_id":"ann"}`
	body, size := readCall(http.MethodPost, "/flags/?v=2", nil, zipped(t, text), true).JournalBody(nil)
	assert.Equal(t, text, string(body), "the journal shows the decoded body")
	assert.Equal(t, len(text), size)

	event := `{"api_key":"phc_test","event":"e","distinct_id":"ann","x":"`
	for length, isKept := range map[int]bool{64<<10 - len(event) - 2: true, 64<<10 - len(event) - 1: false} {
		body, size := readCall(http.MethodPost, "/e/", nil, event+strings.Repeat("x", length)+`"}`, true).JournalBody(nil)
		assert.Equal(t, isKept, body != nil, length)
		assert.Equal(t, length+len(event)+2, size)
	}
}
