package attribute

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// Memory is the normalization memory: for the path of each configured attribute that the
// service stored in another form than it was sent, a hash of what it stored. While the
// service still returns that, the state keeps the configured form; anything else is
// drift. The memory lives in the private state of a resource.
type Memory map[string]string

// memoryKey is the key of the memory in the private state. States that exist hold it.
const memoryKey = "echo"

// PrivateState is the part of the private state of a request or a response that this
// package needs.
type PrivateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// LoadMemory reads the memory of an object from private state. One that cannot be read is
// dropped with a warning: at worst, a plan shows a difference that is none. Terraform folds
// warnings of one title into one, so the title names the object.
func LoadMemory(ctx context.Context, private PrivateState, object string, diags *diag.Diagnostics) Memory {
	raw, found := private.GetKey(ctx, memoryKey)
	diags.Append(found...)

	memory, err := decodeMemory(raw)
	if err != nil {
		diags.AddWarning("Cannot read what the service normalized, from the private state: "+object,
			err.Error()+". Values that the service stores in another form than they were written may show as changed once.")
	}
	return memory
}

// HasMemory reports whether private state holds a memory, be it an empty one. That of a
// tainted object, which Terraform destroys without its private state, does not.
func HasMemory(ctx context.Context, private PrivateState) bool {
	raw, _ := private.GetKey(ctx, memoryKey)
	return len(raw) > 0
}

// Save writes the memory to private state, in place of the previous one.
func (m Memory) Save(ctx context.Context, private PrivateState, diags *diag.Diagnostics) {
	diags.Append(private.SetKey(ctx, memoryKey, m.encode())...)
}

// decodeMemory decodes a memory from private state; no bytes are an empty one.
func decodeMemory(raw []byte) (Memory, error) {
	memory := Memory{}
	if len(raw) == 0 {
		return memory, nil
	}

	if err := json.Unmarshal(raw, &memory); err != nil {
		return nil, fmt.Errorf("private state %q: %w", memoryKey, err)
	}
	return memory, nil
}

func (m Memory) encode() []byte {
	if m == nil {
		m = Memory{}
	}

	raw, err := json.Marshal(m)
	if err != nil {
		panic(err) // a map of strings always encodes
	}
	return raw
}

// fingerprint returns a hash of a value, its type included.
func fingerprint(v attr.Value) string {
	sum := sha256.Sum256([]byte(v.String()))
	return base64.RawStdEncoding.EncodeToString(sum[:12])
}
