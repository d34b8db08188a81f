package tfpolicy

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// expression is an optional argument, nil when it is not there.
func expression(content *hcl.BodyContent, name string) hcl.Expression {
	if attribute := content.Attributes[name]; attribute != nil {
		return attribute.Expr
	}
	return nil
}

// constant is the value of an argument that no expression can have. It is null, and the range is
// nil, when the argument is not there.
func constant(content *hcl.BodyContent, name string, typ cty.Type) (cty.Value, *hcl.Range, error) {
	attribute := content.Attributes[name]
	if attribute == nil {
		return cty.NullVal(typ), nil, nil
	}

	value, diags := attribute.Expr.Value(nil)
	if diags.HasErrors() {
		return cty.NilVal, nil, diags
	}
	return value, &attribute.Range, nil
}

// literal is a constant of exactly this type.
func literal(content *hcl.BodyContent, name string, typ cty.Type) (cty.Value, error) {
	value, at, err := constant(content, name, typ)
	if err != nil || at == nil {
		return value, err
	}
	if !value.Type().Equals(typ) || value.IsNull() {
		return cty.NilVal, fmt.Errorf("%s: %s is a %s", at, name, typ.FriendlyName())
	}
	return value, nil
}
