package cli

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

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
