package main

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// valueOf converts a configuration to a value of a type; omitted attributes are null.
func valueOf(config settings, of tftypes.Type) (tftypes.Value, error) {
	return tfprotov6.RawState{JSON: []byte(text(config))}.Unmarshal(of)
}

func encode(value tftypes.Value) (*tfprotov6.DynamicValue, error) {
	encoded, err := tfprotov6.NewDynamicValue(value.Type(), value)
	return &encoded, err
}

// with is an object with one attribute changed.
func with(object tftypes.Value, name string, value tftypes.Value) (tftypes.Value, error) {
	attributes := map[string]tftypes.Value{}
	if err := object.As(&attributes); err != nil {
		return object, err
	}
	attributes[name] = value
	return tftypes.NewValue(object.Type(), attributes), nil
}

// stateJSON encodes a value as in a state file.
func stateJSON(value tftypes.Value) ([]byte, error) {
	plain, err := plainValue(value)
	if err != nil {
		return nil, err
	}
	return json.Marshal(plain)
}

// plainValue converts a known value for encoding/json.
func plainValue(value tftypes.Value) (any, error) {
	if value.IsNull() {
		return nil, nil //nolint:nilnil // the null of JSON
	}

	var err error
	switch {
	case value.Type().Is(tftypes.String):
		var s string
		err = value.As(&s)
		return s, err
	case value.Type().Is(tftypes.Bool):
		var b bool
		err = value.As(&b)
		return b, err
	case value.Type().Is(tftypes.Number):
		var n *big.Float
		err = value.As(&n)
		return json.Number(n.Text('f', -1)), err
	case value.Type().Is(tftypes.List{}):
		var elements []tftypes.Value
		if err := value.As(&elements); err != nil {
			return nil, err
		}
		list := make([]any, len(elements))
		for i := range elements {
			if list[i], err = plainValue(elements[i]); err != nil {
				return nil, err
			}
		}
		return list, nil
	case value.Type().Is(tftypes.Object{}), value.Type().Is(tftypes.Map{}):
		var elements map[string]tftypes.Value
		if err := value.As(&elements); err != nil {
			return nil, err
		}
		object := map[string]any{}
		for name, element := range elements {
			if object[name], err = plainValue(element); err != nil {
				return nil, err
			}
		}
		return object, nil
	default:
		return nil, fmt.Errorf("a value of type %s has no place in this benchmark's states", value.Type())
	}
}
