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

// literal is the value of an argument that no expression can have, null when it is not there.
func literal(content *hcl.BodyContent, name string, typ cty.Type) (cty.Value, error) {
	attribute := content.Attributes[name]
	if attribute == nil {
		return cty.NullVal(typ), nil
	}
	value, diags := attribute.Expr.Value(nil)
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	if !value.Type().Equals(typ) || value.IsNull() {
		return cty.NilVal, fmt.Errorf("%s: %s is a %s", attribute.Range, name, typ.FriendlyName())
	}
	return value, nil
}
