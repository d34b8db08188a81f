package held

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// AfterRead remembers what a read has changed in a state. What cannot be read of it is
// dropped: pull then takes an edit outside of the code for one in the code.
func AfterRead(ctx context.Context, private attribute.PrivateState, before, after tftypes.Value, diags *diag.Diagnostics) {
	if before.Equal(after) {
		return
	}
	raw, found := private.GetKey(ctx, Key)
	diags.Append(found...)
	values, err := Decode(raw)
	if err != nil {
		values = Values{}
	}

	was, _ := Tree(before).(map[string]any)
	is, _ := Tree(after).(map[string]any)
	if !values.Note(was, is) {
		return
	}
	encoded, err := json.Marshal(values)
	if err == nil {
		diags.Append(private.SetKey(ctx, Key, encoded)...)
	}
}

// AfterWrite forgets everything: the code and the service agree.
func AfterWrite(ctx context.Context, private attribute.PrivateState, diags *diag.Diagnostics) {
	raw, found := private.GetKey(ctx, Key)
	diags.Append(found...)
	if len(raw) > len("{}") {
		diags.Append(private.SetKey(ctx, Key, []byte("{}"))...)
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
