package api

import (
	"strings"
)

// Shape is what the document says of the members of a JSON value.
type Shape struct {
	// Members are the members of an object by name, with what is known of their values;
	// nil where the document leaves the value open.
	Members map[string]*Shape
	// Items is what is known of the items of an array; nil for nothing.
	Items *Shape
}

// RequestShape returns the shape of the body of an operation, with the fields that only
// the hosted service has. It is nil for an operation without a body. Shapes are shared
// and must not be changed.
func RequestShape(operationID string) *Shape { return parsed().requests[operationID] }

// ResponseShape returns the shape of the body of an operation's success, nil for one without
// a body. Like those of requests it is shared.
func ResponseShape(operationID string) *Shape { return parsed().responses[operationID] }

// shapeOf follows references; no schema contains itself.
func shapeOf(node schemaNode, schemas map[string]schemaNode) *Shape {
	if name, ok := strings.CutPrefix(node.Ref, "#/components/schemas/"); ok {
		return shapeOf(schemas[name], schemas)
	}

	shape := &Shape{}
	if len(node.Properties) > 0 {
		shape.Members = map[string]*Shape{}
		for name, property := range node.Properties {
			shape.Members[name] = shapeOf(property, schemas)
		}
	}
	if node.Items != nil {
		shape.Items = shapeOf(*node.Items, schemas)
	}
	for _, part := range append(node.AllOf, node.AnyOf...) {
		if known := shapeOf(part, schemas); known != nil {
			return known
		}
	}
	if shape.Members == nil && shape.Items == nil {
		return nil
	}
	return shape
}
