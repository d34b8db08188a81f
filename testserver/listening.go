package testserver

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Limits of the server that the program runs. Bodies have their own, see [patience].
const (
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 128 << 10
)

// newHTTPServer returns a server that runs until the context ends.
func newHTTPServer(ctx context.Context, s *Server) *http.Server {
	return &http.Server{
		Handler:           s,
		ReadHeaderTimeout: patience,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		// Stopping also ends the delays of faults.
		BaseContext: withServerContext(ctx),
	}
}

// addressOfListener is the URL by which clients on this machine reach a listener.
func addressOfListener(address net.Addr) string {
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return "http://" + net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return "http://" + address.String()
}

// warnIfOpen says what is open when a listener can be reached from other machines.
func warnIfOpen(stderr io.Writer, address net.Addr) {
	if tcp, ok := address.(*net.TCPAddr); !ok || tcp.IP.IsLoopback() {
		return
	}
	_, _ = fmt.Fprintf(stderr, "posthog-testserver: other machines can reach %s: whoever does may read and replace all contents, "+
		"the journal and the faults, without a key; -listen 127.0.0.1:8000 keeps it to this machine\n", address)
}
