package attribute

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ObjectMemory is the part of the private state that all kinds of objects share. Attributes cannot hold it, because a
// refresh overwrites them with edits made in PostHog.
type ObjectMemory struct {
	// Echo records the values that PostHog normalized.
	Echo Memory
	// Held records the values that the attributes have had since the last write.
	Held Held
	// Written is the time of the last write or import. It identifies that write.
	Written time.Time
}

// Keys of an [ObjectMemory] in private state. Don't rename them, because existing states contain them.
const (
	echoKey    = "echo"
	HeldKey    = "held"
	WrittenKey = "written"
)

// LoadObjectMemory reads an object's memory from private state. If the normalized values cannot be read, it discards
// them and adds a warning, because a plan may then show a false difference. The warning's title contains the object,
// because Terraform merges warnings with the same title. Other unreadable parts are discarded without a warning. pull
// may then mistake an edit in PostHog for an edit to the configuration.
func LoadObjectMemory(ctx context.Context, private PrivateState, object string, diags *diag.Diagnostics) ObjectMemory {
	m := ObjectMemory{Echo: Memory{}, Written: DecodeWritten(LoadKey(ctx, private, WrittenKey, diags))}
	if raw := LoadKey(ctx, private, echoKey, diags); len(raw) > 0 {
		if err := json.Unmarshal(raw, &m.Echo); err != nil {
			m.Echo = nil
			diags.AddWarning("Could not read the values that PostHog normalized from the private state: "+object,
				fmt.Sprintf("private state %q: %s. The plan may once show values as changed that PostHog stores in another form.", echoKey, err))
		}
	}

	var err error
	if m.Held, err = DecodeHeld(LoadKey(ctx, private, HeldKey, diags)); err != nil {
		m.Held = Held{}
	}
	return m
}

// Save stores the memory in private state.
func (m ObjectMemory) Save(ctx context.Context, private PrivateState, diags *diag.Diagnostics) {
	if m.Echo == nil {
		m.Echo = Memory{}
	}
	SaveKey(ctx, private, echoKey, m.Echo, false, diags)
	SaveKey(ctx, private, HeldKey, m.Held, len(m.Held) == 0, diags)
	SaveKey(ctx, private, WrittenKey, m.Written, m.Written.IsZero(), diags)
}

// AfterWrite records the time of a write. It adjusts the time if necessary, so that each write of an object has a
// unique time.
func (m *ObjectMemory) AfterWrite(at time.Time) {
	m.Held = Held{}
	m.NoteImport(at)
}

// NoteImport records the time of an import. Like AfterWrite, it makes the time unique.
func (m *ObjectMemory) NoteImport(at time.Time) {
	if at = at.UTC(); at.After(m.Written) {
		m.Written = at
		return
	}
	m.Written = m.Written.Add(1)
}

// AfterRead records the changes that a read made to a state of an object without questions.
func (m *ObjectMemory) AfterRead(before, after tftypes.Value) { m.Held.AfterRead(before, after, nil) }

// Common returns the memory itself. The memories that embed it need it for framework.Memory.
func (m *ObjectMemory) Common() *ObjectMemory { return m }

// HasMemory reports whether private state contains the normalization memory, even an empty one. A tainted object does
// not have it, because Terraform destroys such an object without its private state.
func HasMemory(ctx context.Context, private PrivateState) bool {
	raw, _ := private.GetKey(ctx, echoKey)
	return len(raw) > 0
}

// DecodeHeld decodes Held from private state. It returns an empty Held for no bytes.
func DecodeHeld(raw []byte) (Held, error) {
	v := Held{}
	if len(raw) == 0 {
		return v, nil
	}
	err := json.Unmarshal(raw, &v)
	return v, err
}

// DecodeWritten decodes a time from private state. It returns the zero time for invalid bytes.
func DecodeWritten(raw []byte) time.Time {
	var at time.Time
	if json.Unmarshal(raw, &at) != nil {
		return time.Time{}
	}
	return at
}

// PrivateState is the subset of the framework's private state that this package needs.
type PrivateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// LoadKey reads a key of private state. It returns no bytes if the key does not exist.
func LoadKey(ctx context.Context, private PrivateState, key string, diags *diag.Diagnostics) []byte {
	raw, keyDiags := private.GetKey(ctx, key)
	diags.Append(keyDiags...)
	return raw
}

// SaveKey stores a value in private state if the value has changed. It does not store an empty value under a new key.
// It panics if the value cannot be encoded.
func SaveKey(ctx context.Context, private PrivateState, key string, value any, isEmpty bool, diags *diag.Diagnostics) {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	raw := LoadKey(ctx, private, key, diags)
	if !bytes.Equal(raw, encoded) && (len(raw) > 0 || !isEmpty) {
		diags.Append(private.SetKey(ctx, key, encoded)...)
	}
}

// IsMarked reports whether private state contains a mark.
func IsMarked(ctx context.Context, private PrivateState, key string, diags *diag.Diagnostics) bool {
	return string(LoadKey(ctx, private, key, diags)) == "true"
}

// Mark sets or removes a mark in private state.
func Mark(ctx context.Context, private PrivateState, key string, is bool, diags *diag.Diagnostics) {
	SaveKey(ctx, private, key, is, !is, diags)
}
