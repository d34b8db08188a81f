package tfpolicy

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// mocked are attributes of a mock, null when they are not there.
func mocked(content *hcl.BodyContent, name string, typ cty.Type) (cty.Value, error) {
	value, at, err := constant(content, name, typ)
	if err != nil || at == nil {
		return value, err
	}
	if err := conforms(value, typ); err != nil {
		return cty.NilVal, fmt.Errorf("%s: %s: %w", at, name, err)
	}
	if value.IsNull() || value.LengthInt() == 0 {
		return cty.NilVal, fmt.Errorf("%s: %s has an attribute", at, name)
	}
	return value, nil
}

// mockedOperation is what meta says, or else what follows from the attributes.
func mockedOperation(content *hcl.BodyContent, attrs, priorAttrs cty.Value) (Operation, error) {
	operation := Update
	switch {
	case attrs.IsNull() && priorAttrs.IsNull():
		return "", errors.New("a mock has attrs or prior_attrs")
	case attrs.IsNull():
		operation = Delete
	case priorAttrs.IsNull():
		operation = Create
	}

	if meta := content.Attributes["meta"]; meta != nil {
		value, diags := meta.Expr.Value(nil)
		if diags.HasErrors() {
			return "", diags
		}
		if err := conforms(value, metaType); err != nil {
			return "", fmt.Errorf("meta: %w", err)
		}
		if value.Type().HasAttribute("operation") {
			operation = Operation(value.GetAttr("operation").AsString())
		}
	}

	hasPrior := operation == Update || operation == Delete
	if !slices.Contains(operations, operation) || hasPrior == priorAttrs.IsNull() || (operation == Delete) != attrs.IsNull() {
		return "", fmt.Errorf("a mock of the operation %q has other attributes", operation)
	}
	return operation, nil
}
