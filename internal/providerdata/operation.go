package providerdata

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

const (
	// operationTime is how long an operation may take, with all its waits, when no
	// timeout is given. The service asks for pauses of up to some minutes.
	operationTime = 20 * time.Minute
	// longWait is the longest wait that is not reported.
	longWait = 10 * time.Second
)

// Values are a plan or a state of a resource.
type Values interface {
	GetAttribute(ctx context.Context, at path.Path, into any) diag.Diagnostics
}

// Lookup begins a read of a data source. The context that it returns ends when the time
// is over; the function, to be deferred, warns of long waits.
func Lookup(ctx context.Context, diags *diag.Diagnostics) (context.Context, func()) {
	return begin(ctx, client.Budget{Length: operationTime}, diags)
}

// Operation begins a create, read, update or delete of a resource, as Lookup does.
// It may take as long as the timeouts in the plan or state say.
func Operation(ctx context.Context, name string, from Values, diags *diag.Diagnostics) (context.Context, func()) {
	return begin(ctx, client.Budget{Operation: name, Length: timeout(ctx, name, from, diags)}, diags)
}

// DefaultOperation is Operation for a resource that has no timeouts of its own.
func DefaultOperation(ctx context.Context, name string, diags *diag.Diagnostics) (context.Context, func()) {
	return begin(ctx, client.Budget{Operation: name, Length: operationTime}, diags)
}

func begin(ctx context.Context, budget client.Budget, diags *diag.Diagnostics) (context.Context, func()) {
	ctx, cancel := client.WithBudget(ctx, budget)
	ctx, waits := client.WithWaits(ctx)

	return ctx, func() {
		cancel()
		warnOfWaits(waits, diags)
	}
}

// warnOfWaits gives all objects the same summary: Terraform shows such warnings as one.
func warnOfWaits(waits *client.Waits, diags *diag.Diagnostics) {
	if d := waits.Throttled(); d > longWait {
		diags.AddWarning("The service asked for fewer requests",
			fmt.Sprintf("It answered 429, and requests waited for %s in all. Nothing is lost. "+
				"Fewer runs at the same time, or requests_per_minute in the provider block, avoid the wait.", d.Round(time.Second)))
	}

	if d := waits.Failed(); d > longWait {
		diags.AddWarning("The service failed for a while",
			fmt.Sprintf("Requests failed, and were sent again after pauses of %s in all. "+
				"The log (TF_LOG=WARN) has each failure.", d.Round(time.Second)))
	}
}
