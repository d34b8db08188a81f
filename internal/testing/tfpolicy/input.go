package tfpolicy

import (
	"errors"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Input is a setting of a policy file.
type Input struct {
	Type cty.Type
	// Default is null when there is none: then a value has to be set.
	Default cty.Value
}

var inputSchema = &hcl.BodySchema{Attributes: []hcl.AttributeSchema{
	{Name: "type", Required: true}, {Name: "default"}, {Name: "description"}, {Name: "nullable"}, {Name: "sensitive"},
}}

func parseInput(block *hcl.Block) (*Input, error) {
	content, diags := block.Body.Content(inputSchema)
	if diags.HasErrors() {
		return nil, diags
	}
	typ, diags := typeexpr.TypeConstraint(content.Attributes["type"].Expr)
	if diags.HasErrors() {
		return nil, diags
	}
	for name, want := range map[string]cty.Type{"description": cty.String, "nullable": cty.Bool, "sensitive": cty.Bool} {
		if _, err := literal(content, name, want); err != nil {
			return nil, err
		}
	}

	input := &Input{Type: typ, Default: cty.NullVal(typ)}
	if attribute := content.Attributes["default"]; attribute != nil {
		value, diags := attribute.Expr.Value(nil)
		if diags.HasErrors() {
			return nil, diags
		}
		if input.Default, diags = input.value(block.Labels[0], value); diags.HasErrors() {
			return nil, diags
		}
	}
	return input, nil
}

// value is a value for the input, converted to its type.
func (i *Input) value(name string, value cty.Value) (cty.Value, hcl.Diagnostics) {
	converted, err := convert.Convert(value, i.Type)
	if err == nil && converted.IsNull() {
		err = errors.New("it has no value")
	}
	if err != nil {
		return cty.NilVal, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Invalid value of input " + name, Detail: err.Error()}}
	}
	return converted, nil
}
