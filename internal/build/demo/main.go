// Command demo shows what the provider does, on the test server and with a real Terraform:
// apply, an empty plan, the import of a survey from the web interface, destroy; then
// posthog-sync export, which writes twenty surveys as code, and pull, which writes an edit
// of the web interface into that code. Every step checks its result, and the first that
// fails ends the demo with an error.
//
// It uses the three programs of this module like a user, and imports none of their code.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// Ctrl-C cancels the step at work; what was started and written is then taken
	// away like after any other error. So does a reader of the output who leaves
	// early (SIGPIPE), which would otherwise end the program on the spot.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	defer stop()
	if err := run(ctx, os.Stdout); err != nil {
		if ctx.Err() != nil {
			err = errors.New("it was interrupted. What it had started is stopped, and what it had written is gone")
		}
		fmt.Fprintf(os.Stderr, "\nThe demo failed: %v\n", err)
		os.Exit(1)
	}
	narrator{os.Stdout}.step("Done. The server is stopped and the temporary folder is gone.")
}

// run builds the programs in a temporary directory, plays the demo, and removes everything
// again in any case.
func run(ctx context.Context, out io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "posthog-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	say := narrator{out}
	say.step("Building the provider, posthog-sync and the test server.")
	built, err := build(ctx, dir)
	if err != nil {
		return err
	}
	srv, err := startServer(ctx, built.server)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, srv.stop()) }()
	say.line("The test server keeps everything in memory and listens on %s.", srv.url)

	tf, err := newTerraform(ctx, built, srv, dir)
	if err != nil {
		return err
	}
	say.line("%s gets the provider from a folder, as it would from a registry.", tf.name)

	return play(ctx, say, tf, srv, built.examples)
}
