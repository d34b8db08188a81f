package attribute

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// timestampLayouts are the layouts of a date and time that the service accepts; without
// an offset it is UTC.
var timestampLayouts = []string{
	time.RFC3339Nano,
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04:05.999999999",
	"2006-01-02T15:04",
}

// ParseTimestamp parses a date and time: RFC 3339, of which seconds and offset may be
// omitted; without an offset it is UTC.
func ParseTimestamp(s string) (time.Time, error) {
	for _, layout := range timestampLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date and time such as 2026-01-31T09:00:00Z", s)
}

// SameTimestamp reports whether two strings name the same time, to the
// microsecond, which is the precision of the service.
func SameTimestamp(a, b string) bool {
	x, errX := ParseTimestamp(a)
	y, errY := ParseTimestamp(b)

	if errX != nil || errY != nil {
		return a == b
	}

	return x.Truncate(time.Microsecond).Equal(y.Truncate(time.Microsecond))
}

// Timestamp is the validator of a date and time.
type Timestamp struct{}

// Description implements validator.Describer.
func (Timestamp) Description(context.Context) string {
	return "a date and time such as 2026-01-31T09:00:00Z"
}

// MarkdownDescription implements validator.Describer.
func (i Timestamp) MarkdownDescription(ctx context.Context) string { return i.Description(ctx) }

// ValidateString implements validator.String.
func (Timestamp) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}

	if _, err := ParseTimestamp(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a date and time",
			fmt.Sprintf("%s: %s. Write it as in RFC 3339, with an offset or Z for UTC.", req.Path, err))
	}
}
