package testserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// sendFromPage sends a batch like a web SDK, and returns the part of the response that the page can read. The
// content type and the header fields of capture v1 cause a preflight request.
const sendFromPage = `fetch(%s, {
	method: "POST", credentials: "include", body: %s,
	headers: {
		"Authorization": "Bearer phc_test", "Content-Type": "application/json", "PostHog-Sdk-Info": "page/1.0.0", "PostHog-Attempt": "1",
		"PostHog-Request-Id": "019b0000-0000-7000-8000-0000000000e2", "PostHog-Request-Timestamp": "2026-03-01T12:00:00Z",
	},
}).then(async (response) => ({ Status: response.status, Body: await response.text() }), (error) => ({ Status: 0, Body: String(error) }))`

// TestCaptureV1FromAPageOfAnotherOrigin sends an answer from a page of another origin, and reads an error
// there.
func TestCaptureV1FromAPageOfAnotherOrigin(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>App</title>"))
	}))
	t.Cleanup(pages.Close)
	page := browser.Open(t, strings.Replace(pages.URL, "127.0.0.1", "localhost", 1), browsertest.View{})

	send := func(body string) (got struct {
		Status int
		Body   string
	}) {
		page.Evaluate(t, fmt.Sprintf(sendFromPage, strconv.Quote(srv.URL+analyticsEvents), strconv.Quote(body)), &got)
		return got
	}
	sent := send(batchV1(answerV1(firstEvent, "ann")))
	assert.Equal(t, http.StatusOK, sent.Status, sent.Body)
	assert.JSONEq(t, resultV1(`{"result":"ok"}`), sent.Body)
	assert.Equal(t, 1, call(t, srv).responsesTo(shownToApps))

	refused := send(batchV1())
	assert.Equal(t, http.StatusBadRequest, refused.Status, refused.Body)
	assert.JSONEq(t, errorV1("empty_batch", "request batch is empty"), refused.Body)
}
