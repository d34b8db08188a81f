// Command posthog-testserver runs the reference test server of the package
// testserver.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := testserver.Command(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
