package attribute

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// Equivalent plans no change for a string that says in other words what the prior
// state holds, as the function judges it. Terraform lets a provider answer a
// configured value with the prior one for this purpose.
type Equivalent func(prior, configured string) bool

// Description implements planmodifier.Describer.
func (Equivalent) Description(context.Context) string {
	return "Another spelling of the same value is no change."
}

// MarkdownDescription implements planmodifier.Describer.
func (e Equivalent) MarkdownDescription(ctx context.Context) string { return e.Description(ctx) }

// PlanModifyString implements planmodifier.String.
func (e Equivalent) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.StateValue.IsNull() || req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if e(req.StateValue.ValueString(), req.ConfigValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}

// instantLayouts are the spellings of a moment that the service takes. Without an
// offset it is UTC.
var instantLayouts = []string{
	time.RFC3339Nano,
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04:05.999999999",
	"2006-01-02T15:04",
}

// ParseInstant reads a moment: RFC 3339, of which seconds and offset may be left
// out; without an offset it is UTC.
func ParseInstant(s string) (time.Time, error) {
	for _, layout := range instantLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date and time such as 2026-01-31T09:00:00Z", s)
}

// SameInstant reports whether two strings name the same moment, to the
// microsecond that the service keeps.
func SameInstant(a, b string) bool {
	x, errX := ParseInstant(a)
	y, errY := ParseInstant(b)
	if errX != nil || errY != nil {
		return a == b
	}
	return x.Truncate(time.Microsecond).Equal(y.Truncate(time.Microsecond))
}

// Instant is the validator of a date and time.
type Instant struct{}

// Description implements validator.Describer.
func (Instant) Description(context.Context) string {
	return "a date and time such as 2026-01-31T09:00:00Z"
}

// MarkdownDescription implements validator.Describer.
func (i Instant) MarkdownDescription(ctx context.Context) string { return i.Description(ctx) }

// ValidateString implements validator.String.
func (Instant) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if _, err := ParseInstant(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a date and time",
			fmt.Sprintf("%s: %s. Write it as in RFC 3339, with an offset or Z for UTC.", req.Path, err))
	}
}
