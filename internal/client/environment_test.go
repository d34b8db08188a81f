package client

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asChild makes the test program a user of the client: it retrieves a survey at the
// address in this variable and prints what came of it. net/http reads the proxy
// variables once per process, so they can only be tested in one of their own.
const asChild = "CLIENT_TEST_BASE_URL"

func TestMain(m *testing.M) {
	base, ok := os.LookupEnv(asChild)
	if !ok {
		os.Exit(m.Run())
	}
	c, err := New(Options{BaseURL: base, APIKey: testKey})
	if err == nil {
		c.retry = oneFailure
		_, err = c.Surveys("1").Retrieve(context.Background(), surveyID)
	}
	fmt.Print(err)
}

// HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured by the transport that the client
// brings along.
func TestProxyFromEnvironment(t *testing.T) {
	t.Parallel()

	var mu sync.Mutex
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Method+" "+r.Host)

		if r.Method == http.MethodConnect {
			assert.Empty(t, r.Header.Get("Authorization"), "the key is for the service alone")
			w.WriteHeader(http.StatusForbidden)
			return
		}

		found(w, r)
	}))
	t.Cleanup(proxy.Close)

	for name, c := range map[string]struct{ base, proxy, noProxy, want string }{
		"http":     {"http://posthog.invalid", proxy.URL, "", "^<nil>$"},
		"https":    {"https://posthog.invalid", proxy.URL, "", `cannot reach posthog.invalid \(through the proxy 127.0.0.1:\d+\): Forbidden`},
		"no proxy": {"http://0.0.0.0:1", proxy.URL, "0.0.0.0", "cannot reach 0.0.0.0:1: connection refused"},
	} {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), asChild+"="+c.base, "HTTP_PROXY="+c.proxy, "HTTPS_PROXY="+c.proxy, "NO_PROXY="+c.noProxy,
			"http_proxy=", "https_proxy=", "no_proxy=", "REQUEST_METHOD=")

		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.Regexp(t, c.want, string(out), name)
	}

	assert.ElementsMatch(t, []string{"GET posthog.invalid", "CONNECT posthog.invalid:443"}, asked)
}
