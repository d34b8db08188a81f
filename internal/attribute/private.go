package attribute

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// PrivateState is what is needed of the private state in a request or a response.
type PrivateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// Recall reads what is remembered in private state. What cannot be read is lost
// with a warning: at worst, a difference shows that is none.
func LoadMemory(ctx context.Context, private PrivateState, diags *diag.Diagnostics) Memory {
	raw, found := private.GetKey(ctx, memoryKey)
	diags.Append(found...)
	memory, err := decodeMemory(raw)
	if err != nil {
		diags.AddWarning("What the provider remembered is unreadable",
			err.Error()+". What the service stores in another form than it was written may show as changed once.")
	}
	return memory
}

// Keep writes a Memory to private state, in place of the one before.
func (m Memory) Save(ctx context.Context, private PrivateState, diags *diag.Diagnostics) {
	diags.Append(private.SetKey(ctx, memoryKey, m.encode())...)
}

// ConfiguredIn tells which attributes a configuration sets, for [Answer]. What is
// inside an attribute, written attribute/..., counts as the attribute does.
func ConfiguredIn(config tftypes.Value) func(name string) bool {
	attributes := map[string]tftypes.Value{}
	err := config.As(&attributes)
	return func(name string) bool {
		root, _, _ := strings.Cut(name, "/")
		value, ok := attributes[root]
		return err == nil && ok && !value.IsNull()
	}
}
