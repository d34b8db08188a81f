package attribute

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// UUID is the validator of a string that must hold the id of an object.
type UUID struct{}

// Description implements validator.Describer.
func (UUID) Description(context.Context) string { return "a UUID" }

// MarkdownDescription implements validator.Describer.
func (v UUID) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString implements validator.String.
func (UUID) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !IsKnown(req.ConfigValue) || uuid.Validate(req.ConfigValue.ValueString()) == nil {
		return
	}
	resp.Diagnostics.AddAttributeError(req.Path, "Not a UUID",
		fmt.Sprintf("%s is %q. It must be a UUID: the last part of the object's address in the web interface.", req.Path, req.ConfigValue.ValueString()))
}
