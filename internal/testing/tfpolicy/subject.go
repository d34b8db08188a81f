package tfpolicy

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
)

// Subject is a resource that policies are evaluated for.
type Subject struct {
	// Address is for messages of tests. Policies cannot read it.
	Address   string
	Type      string
	Operation Operation
	// Attrs are null, each of them, after a delete. PriorAttrs is null unless there is an
	// update or a delete.
	Attrs, PriorAttrs cty.Value
}

// Discovered is a resource that terraform query found: it is to be created, and has the
// attributes of the configuration that the provider generates for it.
func Discovered(schemas Schemas, typeName, address string, config map[string]any) (Subject, error) {
	typ, err := schemas.ResourceType(typeName)
	if err != nil {
		return Subject{}, err
	}
	attrs, err := decoded(typ, config, nil)
	if err != nil {
		return Subject{}, fmt.Errorf("cannot read the configuration of %s: %w", address, err)
	}
	return Subject{Address: address, Type: typeName, Operation: Create, Attrs: attrs, PriorAttrs: cty.NullVal(typ)}, nil
}
