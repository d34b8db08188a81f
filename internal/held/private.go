package held

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// Load reads values from private state. What cannot be read is dropped: pull then takes an edit
// outside of the code for one in the code.
func Load(ctx context.Context, private attribute.PrivateState, diags *diag.Diagnostics) Values {
	raw, found := private.GetKey(ctx, Key)
	diags.Append(found...)
	values, err := Decode(raw)
	if err != nil {
		return Values{}
	}
	return values
}

// AfterRead remembers what a read has changed in a state.
func (v Values) AfterRead(before, after tftypes.Value) {
	if before.Equal(after) {
		return
	}
	was, _ := Tree(before).(map[string]any)
	is, _ := Tree(after).(map[string]any)
	v.Note(was, is)
}

// Save stores values in private state, if it has others.
func (v Values) Save(ctx context.Context, private attribute.PrivateState, diags *diag.Diagnostics) {
	raw, found := private.GetKey(ctx, Key)
	diags.Append(found...)
	if encoded, err := json.Marshal(v); err == nil && !bytes.Equal(raw, encoded) && len(v)+len(raw) > 0 {
		diags.Append(private.SetKey(ctx, Key, encoded)...)
	}
}

// Tree is a value as encoding/json holds it, without what is null or unknown in objects.
func Tree(v tftypes.Value) any { return withoutNulls(attribute.Plain(v)) }

func withoutNulls(value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = withoutNulls(value[i])
		}
	case map[string]any:
		for name, member := range value {
			value[name] = withoutNulls(member)
			if member == nil {
				delete(value, name)
			}
		}
	}
	return value
}
