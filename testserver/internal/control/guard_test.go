package control

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
)

// request returns a request over the loopback interface.
func request(path, host string, header map[string]string) *http.Request {
	loopback := context.WithValue(context.Background(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8000})
	r := httptest.NewRequestWithContext(loopback, http.MethodGet, path, nil)
	r.Host = host
	for name, value := range header {
		r.Header.Set(name, value)
	}
	return r
}

// TestStrangers sends requests to each part of the server. The server must answer requests for other
// host names as misdirected, and refuse requests from pages of other sites unless the path is open to
// apps.
func TestStrangers(t *testing.T) {
	t.Parallel()
	guard, err := web.NewGuard([]string{"posthog.test"})
	require.NoError(t, err)
	const api, report, page = "/api/projects/1/surveys/", "/_testserver/report", "/"

	for _, row := range []struct {
		path, host string
		header     map[string]string
		isOpen     bool
		status     int
	}{
		{api, "localhost:8000", nil, false, 0}, {api, "127.0.0.1", nil, false, 0}, {api, "[::1]:8000", nil, false, 0}, {api, "posthog.test", nil, false, 0}, {api, "Posthog.Test:1", nil, false, 0},
		{api, "evil.example", nil, false, 421}, {report, "evil.example:8000", nil, false, 421}, {page, "localhost.evil.example", nil, false, 421},
		{api, "192.0.2.1", nil, true, 421}, {api, "a.posthog.test", nil, false, 421},
		{api, "evil.example", map[string]string{"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"}, false, 421},

		{api, "localhost", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, false, 403},
		{report, "localhost", map[string]string{"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors", "Origin": "http://localhost:3000"}, false, 403},
		{page, "localhost", map[string]string{"Origin": "https://evil.example"}, false, 403}, {report, "localhost", map[string]string{"Origin": "null"}, false, 403},
		{api, "localhost", map[string]string{"Origin": "https://evil.example"}, true, 0},

		// A link on another site may open the page, but not the API.
		{page, "localhost", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, false, 0},
		{report, "localhost", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, false, 0},
		{api, "localhost", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, false, 403},

		{page, "localhost:8000", map[string]string{"Origin": "http://localhost:8000", "Sec-Fetch-Site": "same-origin"}, false, 0},
		{api, "localhost:8000", map[string]string{"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, false, 0},
	} {
		f := stranger(guard, request(row.path, row.host, row.header), row.isOpen)
		if row.status == 0 {
			assert.Nil(t, f, "%+v", row)
			continue
		}
		if assert.NotNil(t, f, "%+v", row) {
			assert.Equal(t, row.status, f.Status, "%+v", row)
			assert.Equal(t, map[int]string{421: "misdirected_request", 403: "cross_site_request"}[row.status], f.Code)
		}
	}

	_, err = web.NewGuard([]string{"http://posthog.test"})
	require.ErrorContains(t, err, `"http://posthog.test" is not a host name`)
}

func TestPageAndControlPaths(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{"/": true, "/_testserver/page/page.js": true, "/_testserver/report": false, "/x": false, "/api/": false} {
		assert.Equal(t, want, isPage(httptest.NewRequest(http.MethodGet, path, nil)), path)
	}
	assert.True(t, isPage(httptest.NewRequest(http.MethodHead, "/", nil)))
	assert.False(t, isPage(httptest.NewRequest(http.MethodPost, "/", nil)))
}
