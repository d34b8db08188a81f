package api

import (
	"fmt"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
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
func RequestShape(operationID string) *Shape { return shapes().requests[operationID] }

// ResponseShape returns the shape of the body of an operation's success, nil for one without
// a body. Like those of requests it is shared.
func ResponseShape(operationID string) *Shape { return shapes().responses[operationID] }

// operationShapes are the shapes of requests and responses, by operationId.
type operationShapes struct{ requests, responses map[string]*Shape }

// body is the part of a request or of a response in the document that has its schema.
type body struct {
	Content map[string]struct{ Schema schemaNode }
}

// schemaNode is the part of a schema that its shape is made of.
type schemaNode struct {
	Ref        string `yaml:"$ref"`
	Properties map[string]schemaNode
	Items      *schemaNode
	AllOf      []schemaNode `yaml:"allOf"`
	AnyOf      []schemaNode `yaml:"anyOf"`
}

var shapes = sync.OnceValue(func() operationShapes {
	var doc struct {
		Paths      map[string]map[string]yaml.Node
		Components struct{ Schemas map[string]schemaNode }
	}
	if err := yaml.Unmarshal(document, &doc); err != nil {
		panic(fmt.Sprintf("api: openapi.yaml: %v", err))
	}

	all := operationShapes{map[string]*Shape{}, map[string]*Shape{}}
	for _, item := range doc.Paths {
		for method, node := range item {
			if method == "parameters" {
				continue
			}
			var op struct {
				ID        string `yaml:"operationId"`
				Request   body   `yaml:"requestBody"`
				Responses map[string]body
			}
			if err := node.Decode(&op); err != nil {
				panic(fmt.Sprintf("api: openapi.yaml: %s: %v", method, err))
			}
			for _, content := range op.Request.Content {
				all.requests[op.ID] = shapeOf(content.Schema, doc.Components.Schemas)
			}
			for status, response := range op.Responses {
				for _, content := range response.Content {
					if strings.HasPrefix(status, "2") {
						all.responses[op.ID] = shapeOf(content.Schema, doc.Components.Schemas)
					}
				}
			}
		}
	}
	return all
})

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
