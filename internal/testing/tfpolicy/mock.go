package tfpolicy

import (
	"fmt"

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
