package held

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// WrittenKey is the key of the private state that holds when an object was last written: the
// name of that write.
const WrittenKey = "written"

// NextWrite is the time of a write after another one: no two writes of an object have the same,
// so that it names the write.
func NextWrite(last, now time.Time) time.Time {
	if now = now.UTC(); now.After(last) {
		return now
	}
	return last.Add(1)
}

// NoteWritten remembers that an object was written now.
func NoteWritten(ctx context.Context, private attribute.PrivateState, now time.Time, diags *diag.Diagnostics) {
	raw, found := private.GetKey(ctx, WrittenKey)
	diags.Append(found...)
	if encoded, err := json.Marshal(NextWrite(DecodeWritten(raw), now)); err == nil {
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
