package web_test

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
)

// The error for an unavailable address explains the cause without the library's text.
func TestListenExplainsErrors(t *testing.T) {
	t.Parallel()
	taken, err := web.Listen(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, taken.Close()) })
	_, port, err := net.SplitHostPort(taken.Addr().String())
	require.NoError(t, err)

	const malformed = "it must be a host and a port between 0 and 65535, such as 127.0.0.1:8080"
	for address, want := range map[string]string{
		"nope": malformed, "127.0.0.1": malformed, "127.0.0.1:99999999": malformed, "::1:80": malformed, "[::1": malformed,
		"127.0.0.1:" + port: "another program uses this port",
		"192.0.2.1:0":       "this machine does not have the IP address",
		"127.0.0.1:nope":    "the host name, or the name of the port, does not exist",
	} {
		_, err := web.Listen(t.Context(), address)
		assert.EqualError(t, err, "cannot listen on "+address+": "+want)
	}
}
