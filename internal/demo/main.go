// Command demo shows the provider at its main job, on the test server and with a
// real Terraform: apply, an empty plan, a survey from the web interface brought
// under Terraform, destroy; then posthog-sync export, which writes twenty surveys as
// code, and pull, which writes an edit of the web interface into that code. Every step checks what it claims, and the first that
// is not as it should be ends the demo with an error.
//
// It uses the three programs of this module from outside, as a person would, and
// imports none of their code.
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

// run builds what is needed in a temporary folder, plays the demo, and takes
// everything away again, whatever happened.
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
