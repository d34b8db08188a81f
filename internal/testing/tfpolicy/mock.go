package tfpolicy

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Mock is a resource that a test makes up.
type Mock struct {
	Type, Label   string
	ExpectFailure bool
	Inputs        map[string]cty.Value
	// subjects are the mock as it is written, and with null for what it leaves out: the
	// documentation does not say which of the two policies see.
	subjects []Subject
}

var mockSchema = &hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "attrs"}, {Name: "prior_attrs"}, {Name: "expect_failure"}, {Name: "meta"}},
	Blocks:     []hcl.BlockHeaderSchema{{Type: "inputs"}},
}

func parseMock(block *hcl.Block, schemas Schemas) (*Mock, error) {
	content, diags := block.Body.Content(mockSchema)
	if diags.HasErrors() {
		return nil, diags
	}
	typ, err := schemas.ResourceType(block.Labels[0])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", block.DefRange, err)
	}
	m := &Mock{Type: block.Labels[0], Label: block.Labels[1]}

	failure, err := literal(content, "expect_failure", cty.Bool)
	if err != nil {
		return nil, err
	}
	m.ExpectFailure = !failure.IsNull() && failure.True()
	if m.Inputs, err = parseInputs(content.Blocks); err != nil {
		return nil, err
	}

	attrs, err := mocked(content, "attrs", typ)
	if err != nil {
		return nil, err
	}
	priorAttrs, err := mocked(content, "prior_attrs", typ)
	if err != nil {
		return nil, err
	}
	operation, err := mockedOperation(content, attrs, priorAttrs)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", block.DefRange, err)
	}

	for _, form := range []func(cty.Value) cty.Value{
		func(value cty.Value) cty.Value { return value },
		func(value cty.Value) cty.Value { return completed(value, typ) },
	} {
		subject := Subject{Address: m.Type + "." + m.Label, Type: m.Type, Operation: operation, Attrs: form(attrs), PriorAttrs: form(priorAttrs)}
		if attrs.IsNull() {
			subject.Attrs = nothing(typ)
		}
		m.subjects = append(m.subjects, subject)
	}
	return m, nil
}

// mocked are attributes of a mock, null when they are not there.
func mocked(content *hcl.BodyContent, name string, typ cty.Type) (cty.Value, error) {
	attribute := content.Attributes[name]
	if attribute == nil {
		return cty.NullVal(typ), nil
	}
	value, diags := attribute.Expr.Value(nil)
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	if err := conforms(value, typ); err != nil {
		return cty.NilVal, fmt.Errorf("%s: %s: %w", attribute.Range, name, err)
	}
	if value.IsNull() || value.LengthInt() == 0 {
		return cty.NilVal, fmt.Errorf("%s: %s has an attribute", attribute.Range, name)
	}
	return value, nil
}

// mockedOperation is what meta says, or else what follows from the attributes.
func mockedOperation(content *hcl.BodyContent, attrs, priorAttrs cty.Value) (Operation, error) {
	operation := Update
	switch {
	case attrs.IsNull() && priorAttrs.IsNull():
		return "", fmt.Errorf("a mock has attrs or prior_attrs")
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

// conforms checks that a value has only what the type has. Attributes may be missing.
func conforms(value cty.Value, typ cty.Type) error {
	if value.IsNull() {
		return nil
	}

	switch {
	case typ.IsObjectType() && value.Type().IsObjectType():
		for name, one := range value.AsValueMap() {
			if !typ.HasAttribute(name) {
				return fmt.Errorf("there is no attribute %s", name)
			}
			if err := conforms(one, typ.AttributeType(name)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil

	case typ.IsListType() && value.Type().IsTupleType():
		for i, one := range value.AsValueSlice() {
			if err := conforms(one, typ.ElementType()); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		return nil

	case typ.IsPrimitiveType() && value.Type().Equals(typ):
		return nil
	}
	return fmt.Errorf("a %s is no %s", value.Type().FriendlyName(), typ.FriendlyName())
}

// completed is a value that conforms to the type, with null for attributes that are missing.
func completed(value cty.Value, typ cty.Type) cty.Value {
	switch {
	case value.IsNull():
		return cty.NullVal(typ)

	case typ.IsObjectType():
		values := map[string]cty.Value{}
		for name, one := range typ.AttributeTypes() {
			values[name] = cty.NullVal(one)
			if value.Type().HasAttribute(name) {
				values[name] = completed(value.GetAttr(name), one)
			}
		}
		return cty.ObjectVal(values)

	case typ.IsListType() && value.LengthInt() == 0:
		return cty.ListValEmpty(typ.ElementType())

	case typ.IsListType():
		var values []cty.Value
		for _, one := range value.AsValueSlice() {
			values = append(values, completed(one, typ.ElementType()))
		}
		return cty.ListVal(values)
	}
	return value
}
