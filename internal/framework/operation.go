package framework

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// operationTime is the default timeout of an operation, including all its waits. PostHog may request pauses of
// several minutes.
const operationTime = 20 * time.Minute

// Values is a resource's plan or state.
type Values interface {
	GetAttribute(ctx context.Context, p path.Path, into any) diag.Diagnostics
}

// Lookup starts a data source read, which ends at the default timeout.
func Lookup(ctx context.Context) (context.Context, context.CancelFunc) {
	return client.WithBudget(ctx, client.Budget{Length: operationTime})
}

// Operation is like Lookup, for a resource's create, read, update, or delete. It uses the timeouts in the plan or
// state.
func Operation(ctx context.Context, name string, values Values, diags *diag.Diagnostics) (context.Context, context.CancelFunc) {
	return client.WithBudget(ctx, client.Budget{Operation: name, Length: timeout(ctx, name, values, diags)})
}

// DefaultOperation is Operation for a resource without timeouts.
func DefaultOperation(ctx context.Context, name string) (context.Context, context.CancelFunc) {
	return client.WithBudget(ctx, client.Budget{Operation: name, Length: operationTime})
}

// TimeoutsName is the name of the timeouts attribute in a resource schema.
const TimeoutsName = "timeouts"

// TimeoutsAttribute is the attribute for a resource's operation timeouts. It is not a block because
// bridges to other tools cannot represent a single nested block. An earlier version used a block,
// whose state has the same form, so it needs no upgrade.
func TimeoutsAttribute() schema.Attribute { return timeoutsAttribute }

var timeoutsAttribute = newTimeoutsAttribute()

// newTimeoutsAttribute extends the timeouts module's attribute.
func newTimeoutsAttribute() schema.Attribute {
	ctx := context.Background()
	nested, ok := timeouts.Attributes(ctx, timeouts.Opts{
		Create: true, Read: true, Update: true, Delete: true,
		CreateDescription: describeTimeout("one create"),
		ReadDescription:   describeTimeout("one read, which each plan performs") + " A new value takes effect after the next apply.",
		UpdateDescription: describeTimeout("one update"),
		DeleteDescription: describeTimeout("one delete") + " Apply a new value before you destroy the resource.",
	}).(schema.SingleNestedAttribute)
	if !ok {
		panic("timeouts.Attributes no longer returns a single nested attribute")
	}

	inner := map[string]attr.Type{}
	for name, nestedAttribute := range nested.Attributes {
		inner[name] = nestedAttribute.GetType()
		if text, ok := nestedAttribute.(schema.StringAttribute); ok {
			text.Validators = []validator.String{positive}
			nested.Attributes[name] = text
		}
	}

	// Computed with a null default keeps the attribute out of generated configuration.
	nested.Computed, nested.Default = true, attribute.NullDefault{Of: types.ObjectType{AttrTypes: inner}}
	nested.MarkdownDescription = "Time limits for operations, including the waits that PostHog requires. " +
		"If you change only these, the provider sends no request. After an import, the first apply stores them in the state."
	return nested
}

func describeTimeout(operation string) string {
	return fmt.Sprintf("Time limit for %s, such as `90s`, `30m`, or `2h`. Defaults to `%s`.", operation, client.FormatDuration(operationTime))
}

// timeout returns an operation's timeout in a resource's plan or state.
func timeout(ctx context.Context, operation string, values Values, diags *diag.Diagnostics) time.Duration {
	p := path.Root(TimeoutsName).AtName(operation)
	var text types.String
	diags.Append(values.GetAttribute(ctx, p, &text)...)
	if text.ValueString() == "" {
		return operationTime
	}

	length, err := time.ParseDuration(text.ValueString())
	if err != nil || length <= 0 {
		diags.AddAttributeError(p, "Invalid timeout", notTimeout(p, text.ValueString()))
		return operationTime
	}
	return length
}

// positive rejects values that are not a duration greater than zero. The timeouts module's validator accepts zero, and
// reports that "-1.5h" is not a duration.
var positive = attribute.Text("greater than zero", func(p path.Path, text string) (title, detail string) {
	if length, err := time.ParseDuration(text); err != nil || length <= 0 {
		return "Invalid timeout", notTimeout(p, text)
	}
	return "", ""
})

func notTimeout(p path.Path, text string) string {
	description := strconv.Quote(text)
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		description += ", a number without a unit"
	}
	return fmt.Sprintf("%s is %s. Use a duration greater than zero, such as 90s, 30m, or 2h. The default is %s.",
		p, description, client.FormatDuration(operationTime))
}
