package testserver_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What SDKs ask for beside surveys is empty, of the shape that they read, and open to their pages.
func TestPartsWithoutContents(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		for path, want := range map[string]string{
			"/api/product_tours/?token=phc_test":                        `{"product_tours":[]}`,
			"/api/web_experiments/?token=phc_test":                      `{"experiments":[]}`,
			"/api/early_access_features/?token=phc_test&stage=beta":     `{"earlyAccessFeatures":[]}`,
			"/api/early_access_features/?token=phc_other":               `{"earlyAccessFeatures":[]}`,
			"POST /i/v1/logs?token=phc_test":                            `{}`,
			"POST /i/v1/metrics?token=phc_test":                         `{}`,
			"POST /s/?compression=gzip-js&ver=1.449.2&_=1767225600000":  `{"status":1}`,
			"POST /s/?ip=0&_=1767225600000&ver=1.449.2&beacon=1&retry=": `{"status":1}`,
		} {
			method := http.MethodGet
			if rest, ok := strings.CutPrefix(path, "POST "); ok {
				method, path = http.MethodPost, rest
			}
			a := c.do(method, path, map[string]string{http.MethodPost: "\x1f\x8b not really"}[method]).is(http.StatusOK)
			assert.JSONEq(t, want, a.body, path)
			assert.Equal(t, "http://localhost:3000", a.header.Get("Access-Control-Allow-Origin"), path)
			c.do(http.MethodOptions, path, "").is(http.StatusNoContent)
		}
		for _, path := range []string{"/api/product_tours/", "/api/web_experiments/", "/api/early_access_features/"} {
			c.get(path).is(http.StatusUnauthorized)
		}
		c.get("/s/").is(http.StatusMethodNotAllowed)
	}
}

// A recording may be large, and is not kept.
func TestRecordingsAreDropped(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		app(t, srv).post("/s/", strings.Repeat("x", 5<<20)).is(http.StatusOK)
		journal := srv.Journal()
		assert.Len(t, journal, 1)
		assert.Equal(t, "sdk_other", journal[0].Operation)
		assert.JSONEq(t, "null", string(journal[0].Body))
	}
}

// What an SDK sends packed can be read in the journal.
func TestPackedBodiesInTheJournal(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		var packed bytes.Buffer
		gz := gzip.NewWriter(&packed)
		_, err := gz.Write([]byte(`{"token":"phc_test","distinct_id":"ann"}`))
		require.NoError(t, err)
		require.NoError(t, gz.Close())
		app(t, srv).post("/flags/?v=2", packed.String()).is(http.StatusOK)
		assert.JSONEq(t, `{"token":"phc_test","distinct_id":"ann"}`, string(srv.Journal()[0].Body))
	}
}
