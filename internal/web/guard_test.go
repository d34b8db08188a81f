package web_test

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

// request returns a request that arrived at a local address.
func request(method, local, host string, header map[string]string) *http.Request {
	r := httptest.NewRequest(method, "/path", http.NoBody)
	r.Host = host
	for name, value := range header {
		r.Header.Set(name, value)
	}
	address := &net.TCPAddr{IP: net.ParseIP(local), Port: 8000}
	return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(address)))
}

func TestCheckHost(t *testing.T) {
	t.Parallel()
	const loopback, inside = "127.0.0.1", "172.18.0.2"

	for _, row := range []struct {
		local, host string
		names       []string
		fits        bool
	}{
		{loopback, "localhost", nil, true},
		{loopback, "localhost:8000", nil, true},
		{loopback, "LOCALHOST.:8000", nil, true},
		{loopback, "127.0.0.1:8000", nil, true},
		{loopback, "127.8.9.10", nil, true},
		{loopback, "[::1]:8000", nil, true},
		{loopback, "[::1]", nil, true},
		{loopback, "[::ffff:127.0.0.1]:8000", nil, true},
		{"::1", "localhost:8000", nil, true},
		{loopback, "", nil, true},

		{loopback, "evil.example", nil, false},
		{"::1", "evil.example", nil, false},
		{loopback, "evil.example:8000", nil, false},
		{loopback, "localhost.evil.example", nil, false},
		{loopback, "127.0.0.1.evil.example:8000", nil, false},
		{loopback, "localhost@evil.example", nil, false},
		{loopback, "evil", nil, false},
		{loopback, "192.168.0.1:8000", nil, false},
		{loopback, "0.0.0.0:8000", nil, false},
		{loopback, "[::]:8000", nil, false},
		{loopback, "[fe80::1%25lo]:8000", nil, false},
		{loopback, ":8000", nil, false},
		{loopback, ".", nil, false},

		{loopback, "posthog.test:8000", []string{"Posthog.test"}, true},
		{loopback, "POSTHOG.TEST.:8000", []string{"posthog.test."}, true},
		{loopback, "a.posthog.test", []string{"posthog.test"}, false},
		{loopback, "other.test", []string{"posthog.test", "other.test"}, true},
		{loopback, "192.168.0.1:8000", []string{"192.168.0.1"}, true},
		{loopback, "[fd00::1]:8000", []string{"[fd00::1]"}, true},
		{loopback, "evil.example", []string{"*"}, true},

		{inside, "posthog:8000", nil, true},
		{inside, "localhost:8000", nil, true},
		{inside, "172.18.0.2:8000", nil, true},
		{inside, "192.168.0.1:8000", nil, true},
		{inside, "[fd00::1]:8000", nil, true},
		{inside, "evil.example:8000", nil, false},
		{inside, "posthog.default.svc.cluster.local", nil, false},
		{inside, "posthog.default.svc.cluster.local", []string{"posthog.default.svc.cluster.local"}, true},
		{inside, ":8000", nil, false},
	} {
		guard, err := web.NewGuard(row.names)
		require.NoError(t, err)

		err = guard.CheckHost(request(http.MethodGet, row.local, row.host, nil))

		if row.fits {
			assert.NoError(t, err, "%+v", row)
		} else {
			assert.ErrorContains(t, err, "which this server does not serve", "%+v", row)
		}
	}
}

// A request without a connection doesn't come from a browser.
func TestCheckHostWithoutConnection(t *testing.T) {
	t.Parallel()
	guard, err := web.NewGuard(nil)
	require.NoError(t, err)
	r := httptest.NewRequest(http.MethodGet, "http://evil.example/", http.NoBody)
	require.NoError(t, guard.CheckHost(r))

	file := &net.UnixAddr{Name: "/run/posthog.sock", Net: "unix"}
	r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(file)))
	assert.NoError(t, guard.CheckHost(r))
}

func TestNewGuardRefuses(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", ".", "http://posthog.test", "posthog.test:8000", "posthog.test/path", "*.test", "a b"} {
		_, err := web.NewGuard([]string{name})
		assert.ErrorContains(t, err, "is not a host name", name)
	}
}

func TestCheckSite(t *testing.T) {
	t.Parallel()
	const host = "localhost:8000"
	guard, err := web.NewGuard(nil)
	require.NoError(t, err)

	type header = map[string]string
	for name, row := range map[string]struct {
		method        string
		header        header
		page, program bool
	}{
		"a program":                        {http.MethodPost, nil, true, true},
		"a program that reads":             {http.MethodGet, nil, true, true},
		"the page's form":                  {http.MethodPost, header{"Sec-Fetch-Site": "same-origin", "Origin": "http://" + host}, true, true},
		"the page's form, old browser":     {http.MethodPost, header{"Origin": "http://" + host}, true, true},
		"the address bar":                  {http.MethodGet, header{"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, true, true},
		"a link":                           {http.MethodGet, header{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, true, false},
		"a form of another site":           {http.MethodPost, header{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Origin": "https://evil.example"}, false, false},
		"a form of another port":           {http.MethodPost, header{"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate", "Origin": "http://localhost:3000"}, false, false},
		"a form, old browser":              {http.MethodPost, header{"Origin": "https://evil.example"}, false, false},
		"a form of a sandbox, old browser": {http.MethodPost, header{"Origin": "null"}, false, false},
		"a form, odd origin":               {http.MethodPost, header{"Origin": "http://" + host + "%"}, false, false},
		"a deletion":                       {http.MethodDelete, header{"Origin": "https://evil.example"}, false, false},
		"an image":                         {http.MethodGet, header{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, false, false},
		"an image of another port":         {http.MethodGet, header{"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}, false, false},
		"a script that reads":              {http.MethodGet, header{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", "Origin": "https://evil.example"}, false, false},
		"a script, old browser":            {http.MethodGet, header{"Origin": "https://evil.example"}, false, false},
		"a preflight":                      {http.MethodOptions, header{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", "Origin": "https://evil.example"}, false, false},
	} {
		r := request(row.method, "127.0.0.1", host, row.header)
		assert.Equal(t, row.page, guard.CheckSite(r) == nil, name)
		assert.Equal(t, row.program, guard.CheckProgram(r) == nil, name)
	}
}
