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
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
)

func main() {
	// Ctrl-C cancels the step at work; what was started and written is then taken
	// away like after any other error. So does a reader of the output who leaves
	// early (SIGPIPE), which would otherwise end the program on the spot.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	defer stop()
	if err := run(ctx); err != nil {
		if ctx.Err() != nil {
			err = errors.New("it was interrupted. What it had started is stopped, and what it had written is gone")
		}
		fmt.Fprintf(os.Stderr, "\nThe demo failed: %v\n", err)
		os.Exit(1)
	}
	step("Done. The server is stopped and the temporary folder is gone.")
}

// run builds the programs in a temporary directory, plays the demo, and removes everything
// again in any case.
func run(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "posthog-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	step("Building the provider, posthog-sync and the test server.")
	programs, err := build(ctx, dir)
	if err != nil {
		return err
	}
	srv, err := startServer(ctx, filepath.Join(programs, "posthog-testserver"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, srv.stop()) }()
	fmt.Printf("  The test server keeps everything in memory and listens on %s.\n", srv.url)

	tf, err := newTerraform(ctx, dir, filepath.Join(programs, "posthog-sync"), srv.environment)
	if err != nil {
		return err
	}
	return play(ctx, tf, srv)
}

// build builds the three programs, and lays the provider out as a registry's mirror on disk.
// Terraform and OpenTofu look under the name of their own registry.
func build(ctx context.Context, dir string) (programs string, err error) {
	// Not 0.0.0, which to Terraform means that there is no version.
	const version = "0.0.1"
	programs = filepath.Join(dir, "bin") + string(filepath.Separator)
	if err := os.Mkdir(programs, 0o750); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", programs, ".", "./cmd/...") //nolint:gosec // the folder is ours
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build, in the folder of the provider: %w\n%s", err, out)
	}

	suffix := ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		folder := filepath.Join(dir, "mirror", host, "surveys-as-code", "posthog", version, runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(folder, 0o750); err != nil {
			return "", err
		}
		const name = "terraform-provider-posthog"
		if err := os.Link(filepath.Join(programs, name+suffix), filepath.Join(folder, name+"_v"+version+suffix)); err != nil {
			return "", err
		}
	}
	return programs, nil
}
