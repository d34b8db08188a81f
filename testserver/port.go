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
	// serving is held for reading by each request that is served.
	serving sync.RWMutex
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

	p := &port{url: "http://" + listener.Addr().String()}
	p.http = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			p.serving.RLock()
			defer p.serving.RUnlock()
			s.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: headerTimeout, BaseContext: control.WithServerContext(ctx),
	}
	go func() { _ = p.http.Serve(listener) }()
	return p, nil
}

// close cuts all connections, and waits until no request is served any more.
func (p *port) close() {
	_ = p.http.Close()
	p.serving.Lock()
	defer p.serving.Unlock()
}
