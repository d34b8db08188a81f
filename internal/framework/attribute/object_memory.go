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

// ObjectMemory is what the private state of every kind of object remembers: what no attribute
// holds, since a refresh overwrites attributes with what was edited in PostHog.
type ObjectMemory struct {
	// Echo has the values that PostHog stored in another form than they were sent.
	Echo Memory
	// Held has the values that the attributes had since the last write.
	Held Held
	// Written is when the object was last written, or imported: the name of that write.
	Written time.Time
}

// The keys of an [ObjectMemory] in the private state. States that exist have them.
const (
	echoKey    = "echo"
	HeldKey    = "held"
	WrittenKey = "written"
)

// LoadObjectMemory reads what private state remembers of an object. Normalized values that cannot
// be read are dropped with a warning: at worst, a plan shows a difference that is none. Terraform
// folds warnings of one title into one, so the title names the object. Of the rest, nothing warns:
// pull then takes an edit outside of the code for one in the code.
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

// Save stores what is remembered in private state.
func (m ObjectMemory) Save(ctx context.Context, private PrivateState, diags *diag.Diagnostics) {
	if m.Echo == nil {
		m.Echo = Memory{}
	}
	SaveKey(ctx, private, echoKey, m.Echo, false, diags)
	SaveKey(ctx, private, HeldKey, m.Held, len(m.Held) == 0, diags)
	SaveKey(ctx, private, WrittenKey, m.Written, m.Written.IsZero(), diags)
}

// AfterWrite remembers a write, or an import, at some time. No two writes of an object have the
// same time, so that it names the write.
func (m *ObjectMemory) AfterWrite(at time.Time) {
	m.Held = Held{}
	m.NoteImport(at)
}

// NoteImport remembers that an object was imported at some time.
func (m *ObjectMemory) NoteImport(at time.Time) {
	if at = at.UTC(); at.After(m.Written) {
		m.Written = at
		return
	}
	m.Written = m.Written.Add(1)
}

// AfterRead remembers what a read has changed in a state. rootOf returns the one ID by which a
// question is remembered that has another one; nil for an object without questions.
func (m *ObjectMemory) AfterRead(before, after tftypes.Value, rootOf func(id string) string) {
	m.Held.afterRead(before, after, rootOf)
}

// HasMemory reports whether private state holds normalized values, be it none. That of a
// tainted object, which Terraform destroys without its private state, does not.
func HasMemory(ctx context.Context, private PrivateState) bool {
	raw, _ := private.GetKey(ctx, echoKey)
	return len(raw) > 0
}

// DecodeHeld reads values from private state; no bytes are none.
func DecodeHeld(raw []byte) (Held, error) {
	v := Held{}
	if len(raw) == 0 {
		return v, nil
	}
	err := json.Unmarshal(raw, &v)
	return v, err
}

// DecodeWritten reads a time from private state; what is none is the zero time.
func DecodeWritten(raw []byte) time.Time {
	var at time.Time
	if json.Unmarshal(raw, &at) != nil {
		return time.Time{}
	}
	return at
}

// PrivateState is the part of the private state of a request or a response that this
// package needs.
type PrivateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// LoadKey reads a key of private state; no bytes if it has none.
func LoadKey(ctx context.Context, private PrivateState, key string, diags *diag.Diagnostics) []byte {
	raw, keyDiags := private.GetKey(ctx, key)
	diags.Append(keyDiags...)
	return raw
}

// SaveKey stores a value of a key in private state, if it has another one. An empty value is not
// stored if the key has none. The value must be one that always encodes.
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

// IsMarked reports whether private state has a mark.
func IsMarked(ctx context.Context, private PrivateState, key string, diags *diag.Diagnostics) bool {
	return string(LoadKey(ctx, private, key, diags)) == "true"
}

// Mark sets or removes a mark in private state.
func Mark(ctx context.Context, private PrivateState, key string, is bool, diags *diag.Diagnostics) {
	SaveKey(ctx, private, key, is, !is, diags)
}
