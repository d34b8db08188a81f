// Command posthog-testserver runs the reference test server of the package
// testserver.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/surveys-as-code/terraform-provider-posthog/cmd/posthog-testserver/commandline"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

func main() {
	if commandline.Completes(os.Args[1:]) {
		if err := complete(); err != nil {
			fmt.Fprintln(os.Stderr, "posthog-testserver:", err)
			os.Exit(1)
		}
		return
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := testserver.Command(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// complete serves shell completion, or prints the completion script.
func complete() error {
	command, err := commandline.Command()
	if err != nil {
		return err
	}
	return command.Execute()
}
