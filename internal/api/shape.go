package api

import (
	"strings"
)

// Shape describes the members of a JSON value, as far as the document defines them.
type Shape struct {
	// Members maps the members of an object to the shapes of their values. It is nil if the document does not define
	// them.
	Members map[string]*Shape
	// Items is the shape of the items of an array. It is nil if the document does not define it.
	Items *Shape
}

// RequestShape returns the shape of an operation's request body, including fields that only the hosted
// profile has. It is nil for an operation without a body. Shapes are shared and must not be changed.
func RequestShape(operationID string) *Shape { return parsed().requests[operationID] }

// ResponseShape returns the shape of an operation's success response. It is nil for a response without a
// body. Shapes are shared and must not be changed.
func ResponseShape(operationID string) *Shape { return parsed().responses[operationID] }

// shapeOf follows references, which is safe because no schema contains itself.
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
