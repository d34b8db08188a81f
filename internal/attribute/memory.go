package attribute

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
)

// Memory is what the service made of configured values that it did not store as
// they were sent: for the path of an attribute, a hash of what it stored. While
// the service still tells that, the state keeps what the user wrote; anything else
// is drift. It lives in the private state of a resource.
type Memory map[string]string

// MemoryKey is the key of the private state under which a Memory is kept.
const memoryKey = "echo"

// ReadMemory reads a Memory from private state; nothing there is an empty one.
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

// Bytes is the Memory as private state holds it.
func (m Memory) encode() []byte {
	if m == nil {
		m = Memory{}
	}
	// A map of strings always encodes.
	raw, _ := json.Marshal(m)
	return raw
}

// fingerprint is a hash of a value, type included, by its rendering.
func fingerprint(v attr.Value) string {
	sum := sha256.Sum256([]byte(v.String()))
	return base64.RawStdEncoding.EncodeToString(sum[:12])
}

// Settle decides between what an answer tells of an attribute and what was there
// before. In the answer to a write, a planned value stays, as Terraform demands;
// that the service told another is remembered if the attribute was configured. In
// the answer to a read, the prior value stays while the service tells what is
// remembered. same says that the two mean the same, so that there is nothing to
// tell anybody.
func Reconcile[T attr.Value](a *Answer, name string, answered, prior T, same bool) T {
	switch {
	case prior.IsUnknown() || answered.Equal(prior):
		return answered
	case a.IsWrite:
		if hash := fingerprint(answered); a.configured(name) {
			a.remember(name, hash)
			if !same && a.Memory[name] != hash {
				a.Changed = append(a.Changed, name)
			}
		}
		return prior
	case same:
		return prior
	}
	if hash, ok := a.Memory[name]; ok && hash == fingerprint(answered) {
		a.remember(name, hash)
		return prior
	}
	return answered
}

func (a *Answer) remember(name, hash string) {
	if a.Remembered == nil {
		a.Remembered = Memory{}
	}
	a.Remembered[name] = hash
}

func (a *Answer) configured(name string) bool { return a.Configured == nil || a.Configured(name) }
