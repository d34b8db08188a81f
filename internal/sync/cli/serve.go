package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/owner"
)

// listen opens the port of --listen for pages, and returns what guards them: they may be opened
// by the names of --host.
func listen(ctx context.Context, address string, hosts []string) (*owner.Guard, net.Listener, error) {
	guard, err := owner.NewGuard(hosts)
	if err != nil {
		return nil, nil, fmt.Errorf("--host: %w", err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot listen on %s: %w; --listen 127.0.0.1:0 picks a free port", address, err)
	}
	return guard, listener, nil
}

// serveUntilInterrupted serves pages for the person who runs the program until Ctrl-C is
// pressed. The greeting goes to stdout, since programs read the address from it.
func (p *program) serveUntilInterrupted(ctx context.Context, listener net.Listener, pages http.Handler, greeting, farewell string) error {
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	server := &http.Server{Handler: pages, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()

	if _, err := io.WriteString(p.stdout, greeting); err != nil {
		return errors.Join(err, server.Close())
	}
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		p.logf("%s", farewell)
		return server.Close()
	}
}

// untilInterrupted returns a context that Ctrl-C ends as a preview is meant to end: no request
// is in flight and nothing is left undone, so the words and the exit code of a run that is
// interrupted would mislead. The signals are taken from what handles them for other verbs.
func untilInterrupted(ctx context.Context) (context.Context, func()) {
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}
