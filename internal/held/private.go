package held

import (
	"context"
	"encoding/json"
	"math/big"

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

// Tree is a value as encoding/json holds it; nil for null and unknown.
func Tree(v tftypes.Value) any {
	if v.IsNull() || !v.IsKnown() {
		return nil
	}

	var text string
	var truth bool
	var number big.Float
	var list []tftypes.Value
	var fields map[string]tftypes.Value
	switch {
	case v.As(&text) == nil:
		return text
	case v.As(&truth) == nil:
		return truth
	case v.As(&number) == nil:
		return json.Number(number.Text('f', -1))
	case v.As(&list) == nil:
		elements := make([]any, len(list))
		for i := range list {
			elements[i] = Tree(list[i])
		}
		return elements
	case v.As(&fields) == nil:
		object := map[string]any{}
		for name, field := range fields {
			if value := Tree(field); value != nil {
				object[name] = value
			}
		}
		return object
	}
	return nil
}
