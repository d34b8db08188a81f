package main

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// valueOf converts a configuration to a value of a type; omitted attributes are null.
func valueOf(config settings, of tftypes.Type) (tftypes.Value, error) {
	return tfprotov6.RawState{JSON: []byte(text(config))}.Unmarshal(of)
}

// encodedConfig is a configuration in the encoding of the protocol.
func encodedConfig(config settings, of tftypes.Type) (*tfprotov6.DynamicValue, error) {
	value, err := valueOf(config, of)
	if err != nil {
		return nil, err
	}
	return encode(value)
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
