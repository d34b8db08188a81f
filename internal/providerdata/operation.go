package providerdata

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

const (
	// operationTime is how long one create, read, update, delete or list may
	// take, with all its waits. The service asks for pauses of up to some minutes.
	operationTime = 20 * time.Minute
	// longWait is a wait that is worth a word.
	longWait = 10 * time.Second
)

// Operation begins a create, read, update, delete or list. The context that it returns
// ends in time; the function, to be deferred, tells the user of long waits.
func Operation(ctx context.Context, diags *diag.Diagnostics) (context.Context, func()) {
	ctx, cancel := context.WithTimeout(ctx, operationTime)
	ctx, waits := client.WithWaits(ctx)
	return ctx, func() {
		cancel()
		tellWaits(waits, diags)
	}
}

// tellWaits gives all objects the same summary: Terraform shows such warnings as one.
func tellWaits(waits *client.Waits, diags *diag.Diagnostics) {
	if d := waits.Throttled(); d > longWait {
		diags.AddWarning("The service asked for fewer requests",
			fmt.Sprintf("It answered 429, and requests waited for %s until they were let through. Nothing is lost. "+
				"Fewer runs at the same time, or requests_per_minute in the provider block, avoid the wait.", d.Round(time.Second)))
	}
	if d := waits.Failed(); d > longWait {
		diags.AddWarning("The service failed for a while",
			fmt.Sprintf("Requests failed, and were sent again after pauses of %s in all. "+
				"The log (TF_LOG=WARN) has each failure.", d.Round(time.Second)))
	}
}
