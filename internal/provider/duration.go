package provider

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// duration is the validator of request_timeout and of the pauses between retries.
type duration struct{}

// Description implements validator.Describer.
func (duration) Description(context.Context) string { return "a duration such as 30s or 2m" }

// MarkdownDescription implements validator.Describer.
func (d duration) MarkdownDescription(ctx context.Context) string { return d.Description(ctx) }

// ValidateString implements validator.String.
func (duration) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.ValueString() == "" {
		return
	}
	if parsed, err := time.ParseDuration(req.ConfigValue.ValueString()); err != nil || parsed <= 0 {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid duration", notDuration(req.Path.String(), req.ConfigValue.ValueString()))
	}
}

func notDuration(name, text string) string {
	return fmt.Sprintf("%s is %q; it must be a duration greater than zero, such as 30s or 2m.", name, text)
}
