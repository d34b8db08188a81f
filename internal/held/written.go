package held

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// WrittenKey is the key of the private state that holds when an object was last written, by
// the clock of the service.
const WrittenKey = "written"

// NoteWritten remembers that an object was written. The newest time counts.
func NoteWritten(ctx context.Context, private attribute.PrivateState, at time.Time, diags *diag.Diagnostics) {
	raw, found := private.GetKey(ctx, WrittenKey)
	diags.Append(found...)
	if at.IsZero() || !DecodeWritten(raw).Before(at) {
		return
	}
	encoded, err := json.Marshal(at.UTC().Truncate(time.Second))
	if err == nil {
		diags.Append(private.SetKey(ctx, WrittenKey, encoded)...)
	}
}

// DecodeWritten reads a time from private state; what is none is the zero time.
func DecodeWritten(raw []byte) time.Time {
	var at time.Time
	if json.Unmarshal(raw, &at) != nil {
		return time.Time{}
	}
	return at
}
