package api

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
)

//go:embed openapi.yaml
var document []byte

// Document returns the OpenAPI document as YAML.
func Document() []byte { return slices.Clone(document) }

// Operation is an operation of the API.
type Operation struct {
	// ID is the operationId, for example surveys_list.
	ID string
	// Method is the HTTP method in capitals. Path is the template of the URL path.
	Method, Path string
	// Scope is the scope that the API key needs. It is empty if the document names none.
	Scope string
	// Status is the success status. Responses with other statuses have the schema Error.
	Status int
	// Neighbour is true for an operation that only the hosted profile has, in addition to the documented API.
	Neighbour bool
}

// Operations returns the operations of the documented API, ordered by path and method.
func Operations() []Operation {
	return slices.DeleteFunc(AllOperations(), func(op Operation) bool { return op.Neighbour })
}

// AllOperations returns the operations of the hosted profile, which include the documented ones, ordered by path and
// method.
func AllOperations() []Operation { return slices.Clone(parsed().operations) }

// HostedFields returns the properties of a schema that only the hosted profile has, sorted.
func HostedFields(schema string) []string { return slices.Clone(parsed().hosted[schema]) }

// Fields returns all properties of a schema in the document, sorted.
func Fields(schema string) []string { return slices.Clone(parsed().fields[schema]) }

// PlainTexts returns the nullable properties of a schema that can be any text, including the empty text,
// sorted. It omits dates, IDs, and enumerations.
func PlainTexts(schema string) []string { return slices.Clone(parsed().texts[schema]) }

// operationNode contains the used members of an operation.
type operationNode struct {
	ID        string          `yaml:"operationId"`
	Scope     string          `yaml:"x-required-scope"`
	Profile   string          `yaml:"x-profile"`
	Request   body            `yaml:"requestBody"`
	Responses map[string]body `yaml:"responses"`
}

// body contains the schemas of a request body or a response body.
type body struct {
	Content map[string]struct{ Schema schemaNode }
}

// schemaNode contains the used members of a schema.
type schemaNode struct {
	Ref        string `yaml:"$ref"`
	Properties map[string]schemaNode
	Items      *schemaNode
	AllOf      []schemaNode `yaml:"allOf"`
	AnyOf      []schemaNode `yaml:"anyOf"`

	Profile  string `yaml:"x-profile"`
	Type     string
	Format   string
	Nullable bool
}

type index struct {
	operations            []Operation
	fields, hosted, texts map[string][]string
	// requests and responses map operationIds to the shapes of bodies.
	requests, responses map[string]*Shape
}

// parsed parses the embedded document once. It panics for an invalid document, which is part of the program and
// therefore a bug.
var parsed = sync.OnceValue(func() index {
	var doc struct {
		Paths      map[string]map[string]yaml.Node
		Components struct{ Schemas map[string]schemaNode }
	}
	if err := yaml.Unmarshal(document, &doc); err != nil {
		panic(fmt.Sprintf("api: openapi.yaml: %v", err))
	}
	x := index{
		fields: map[string][]string{}, hosted: map[string][]string{}, texts: map[string][]string{},
		requests: map[string]*Shape{}, responses: map[string]*Shape{},
	}
	for path, item := range doc.Paths {
		for method, node := range item {
			if method == "parameters" {
				continue
			}
			var op operationNode
			if err := node.Decode(&op); err != nil {
				panic(fmt.Sprintf("api: openapi.yaml: %s %s: %v", method, path, err))
			}
			x.addOperation(path, strings.ToUpper(method), op, doc.Components.Schemas)
		}
	}
	slices.SortFunc(x.operations, func(a, b Operation) int {
		return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
	})
	for name, schema := range doc.Components.Schemas {
		x.addSchema(name, schema)
	}
	return x
})

func (x *index) addOperation(path, method string, op operationNode, schemas map[string]schemaNode) {
	added := Operation{ID: op.ID, Method: method, Path: path, Scope: op.Scope, Neighbour: op.Profile == "hosted"}
	for _, content := range op.Request.Content {
		x.requests[op.ID] = shapeOf(content.Schema, schemas)
	}
	for name, response := range op.Responses {
		status, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		added.Status = status
		for _, content := range response.Content {
			if strings.HasPrefix(name, "2") {
				x.responses[op.ID] = shapeOf(content.Schema, schemas)
			}
		}
	}
	x.operations = append(x.operations, added)
}

func (x *index) addSchema(name string, schema schemaNode) {
	for _, field := range slices.Sorted(maps.Keys(schema.Properties)) {
		property := schema.Properties[field]
		x.fields[name] = append(x.fields[name], field)
		if property.Profile == "hosted" {
			x.hosted[name] = append(x.hosted[name], field)
		}
		if property.Type == "string" && property.Format == "" && property.Nullable && property.AnyOf == nil {
			x.texts[name] = append(x.texts[name], field)
		}
	}
}
