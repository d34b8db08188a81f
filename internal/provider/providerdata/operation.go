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
	// operationTime is the default timeout of an operation, including all its waits. The
	// service asks for pauses of up to some minutes.
	operationTime = 20 * time.Minute
	// longWait is the longest wait that is not reported.
	longWait = 10 * time.Second
)

// Values are a plan or a state of a resource.
type Values interface {
	GetAttribute(ctx context.Context, at path.Path, into any) diag.Diagnostics
}

// Lookup starts a read of a data source. The returned context ends at the timeout; the
// returned function, which has to be deferred, warns of long waits.
func Lookup(ctx context.Context, diags *diag.Diagnostics) (context.Context, func()) {
	return begin(ctx, client.Budget{Length: operationTime}, diags)
}

// Operation starts a create, read, update or delete of a resource, as Lookup does, with the
// timeouts in the plan or state.
func Operation(ctx context.Context, name string, from Values, diags *diag.Diagnostics) (context.Context, func()) {
	return begin(ctx, client.Budget{Operation: name, Length: timeout(ctx, name, from, diags)}, diags)
}

// DefaultOperation is Operation for a resource without timeouts.
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

// warnOfWaits warns with the same summary for all objects, since Terraform shows such
// warnings as one.
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
