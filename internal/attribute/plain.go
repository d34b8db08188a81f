package attribute

import (
	"encoding/json"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Plain is a value as encoding/json holds it, and a state file; nil for null and unknown.
func Plain(v tftypes.Value) any {
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
			elements[i] = Plain(list[i])
		}
		return elements
	case v.As(&fields) == nil:
		object := map[string]any{}
		for name, field := range fields {
			object[name] = Plain(field)
		}
		return object
	}
	return nil
}
