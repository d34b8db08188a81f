package testserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// FuzzCaptureV1 sends bodies in any encoding. Every response must have the format of capture v1, and the server
// must be able to load its own dump.
func FuzzCaptureV1(f *testing.F) {
	srv, err := testserver.New(testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	require.NoError(f, err)
	one := batchV1(answerV1(firstEvent, "ann"))
	for encoding, body := range map[string]string{
		"": one, "gzip": gzipped(f, one), "deflate": deflated(f, one), "zstd": zstdCompressed(f, one), "br": one,
	} {
		f.Add(encoding, []byte(body))
	}
	f.Add("", []byte(`{"created_at":"2026-03-01T12:00:00Z","batch":[{"event":"e","uuid":"{`+firstEvent+`}","distinct_id":"a","timestamp":"9999-12-31T23:59:59-12:00","options":{"disable_skew_correction":1e999}}]}`))
	f.Add("", []byte(batchV1(eventV1("e", firstEvent, "a", `,"timestamp":"0001-01-01T00:00:00Z","options":{"disable_skew_correction":true},"properties":{"a":1,"a":2}`))))

	f.Fuzz(func(t *testing.T, encoding string, body []byte) {
		r := httptest.NewRequest(http.MethodPost, analyticsEvents, bytes.NewReader(body))
		r.Header = captureV1("phc_test")
		if encoding != "" {
			r.Header.Set("Content-Encoding", encoding)
		}
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, r)

		var response map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &response), w.Body.String())
		if w.Code == http.StatusOK {
			require.Contains(t, response, "results")
		} else {
			require.Contains(t, []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType}, w.Code)
			require.Contains(t, response, "error_description")
		}

		var dump strings.Builder
		require.NoError(t, srv.Dump(&dump))
		require.NoError(t, srv.SetFixtures(strings.NewReader(dump.String())))
		srv.Reset()
		srv.ResetJournal()
	})
}
