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

// clockMargin is by how much the clocks of a service may differ: that of its responses, and
// that of its log. A header has no fractions of a second either.
const clockMargin = 10 * time.Second

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

// After are the changes that were certainly made after a write. changes are newest first;
// a zero time is not known, and nothing is after it.
func After[T any](written time.Time, changes []Change[T]) []Change[T] {
	for i, change := range changes {
		if written.IsZero() || !change.At.After(written.Add(clockMargin)) {
			return changes[:i]
		}
	}
	return changes
}
