package testserver

import (
	"context"
	"net"
	"net/http"
	"sync"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/control"
)

// port is a server on a free port of the loopback interface. It is what a test would have of
// net/http/httptest, which the programs shall not link.
type port struct {
	url  string
	http *http.Server

	mu     sync.Mutex
	closed bool
	// open are the connections; served waits for their end.
	open   map[net.Conn]bool
	served sync.WaitGroup
}

// openPort serves until the port is closed. The end of the context ends the delays of faults.
func openPort(ctx context.Context, s *Server) (*port, error) {
	var loopback net.ListenConfig
	listener, err := loopback.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		if listener, err = loopback.Listen(ctx, "tcp6", "[::1]:0"); err != nil {
			return nil, err
		}
	}

	p := &port{url: "http://" + listener.Addr().String(), open: map[net.Conn]bool{}}
	p.http = &http.Server{Handler: s, ReadHeaderTimeout: headerTimeout, BaseContext: control.WithServerContext(ctx), ConnState: p.note}
	p.served.Go(func() { _ = p.http.Serve(listener) })
	return p, nil
}

// note counts the connections that are served.
func (p *port) note(c net.Conn, state http.ConnState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case state == http.StateNew && p.closed:
		// It was accepted while the port was being closed.
		_ = c.Close()
	case state == http.StateNew:
		p.open[c] = true
		p.served.Add(1)
	case p.open[c] && (state == http.StateClosed || state == http.StateHijacked):
		delete(p.open, c)
		p.served.Done()
	}
}

// close cuts all connections, and waits until no request is served any more.
func (p *port) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()

	_ = p.http.Close()
	p.served.Wait()
}
