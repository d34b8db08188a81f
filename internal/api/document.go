package api

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed openapi.yaml
var document []byte

// Document returns the OpenAPI document, as YAML.
func Document() []byte { return slices.Clone(document) }

// Operation is one operation of the interface.
type Operation struct {
	// ID is the operationId, for example surveys_list.
	ID string
	// Method is the HTTP method in capitals, Path the template of the URL's path.
	Method, Path string
	// Scope is what the API key needs; empty where the interface names none.
	Scope string
	// Status is the status of success. Errors have any other, in the form of the schema Error.
	Status int
	// Neighbour is set for an operation beside the documented interface, which only the
	// hosted service has.
	Neighbour bool
}

// Operations lists the operations of the documented interface, ordered by path and method.
func Operations() []Operation {
	return slices.DeleteFunc(AllOperations(), func(op Operation) bool { return op.Neighbour })
}

// AllOperations lists the operations of the hosted service: the documented ones and
// their neighbours, ordered by path and method.
func AllOperations() []Operation { return slices.Clone(parsed().operations) }

// HostedFields returns the properties of a schema of the document that only the
// hosted service has, sorted.
func HostedFields(schema string) []string { return slices.Clone(parsed().hosted[schema]) }

// Fields returns all properties that the document names for a schema, sorted.
func Fields(schema string) []string { return slices.Clone(parsed().fields[schema]) }

// PlainTexts returns the nullable properties of a schema that are text of any kind,
// the empty one included: no date, no id and no enumeration. Sorted.
func PlainTexts(schema string) []string { return slices.Clone(parsed().texts[schema]) }

type index struct {
	operations            []Operation
	fields, hosted, texts map[string][]string
}

// parsed reads the embedded document once. It is part of the program, so a fault
// in it is a fault of the build: a panic, not an error for callers to pass on.
var parsed = sync.OnceValue(func() index {
	var doc struct {
		Paths      map[string]map[string]yaml.Node
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Profile  string `yaml:"x-profile"`
					Type     string
					Format   string
					Nullable bool
					AnyOf    []yaml.Node `yaml:"anyOf"`
				}
			}
		}
	}
	if err := yaml.Unmarshal(document, &doc); err != nil {
		panic(fmt.Sprintf("api: openapi.yaml: %v", err))
	}
	x := index{fields: map[string][]string{}, hosted: map[string][]string{}, texts: map[string][]string{}}
	for path, item := range doc.Paths {
		for method, node := range item {
			if method == "parameters" {
				continue
			}
			op := struct {
				ID      string               `yaml:"operationId"`
				Scope   string               `yaml:"x-required-scope"`
				Profile string               `yaml:"x-profile"`
				Answers map[string]yaml.Node `yaml:"responses"`
			}{}
			if err := node.Decode(&op); err != nil {
				panic(fmt.Sprintf("api: openapi.yaml: %s %s: %v", method, path, err))
			}
			x.operations = append(x.operations, Operation{
				ID: op.ID, Method: strings.ToUpper(method), Path: path, Scope: op.Scope,
				Status: success(op.Answers), Neighbour: op.Profile == "hosted",
			})
		}
	}
	slices.SortFunc(x.operations, func(a, b Operation) int {
		return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
	})
	for name, schema := range doc.Components.Schemas {
		for field, property := range schema.Properties {
			x.fields[name] = append(x.fields[name], field)
			if property.Profile == "hosted" {
				x.hosted[name] = append(x.hosted[name], field)
			}
			if property.Type == "string" && property.Format == "" && property.Nullable && property.AnyOf == nil {
				x.texts[name] = append(x.texts[name], field)
			}
		}
		slices.Sort(x.fields[name])
		slices.Sort(x.hosted[name])
		slices.Sort(x.texts[name])
	}
	return x
})

// success is the status of success among the responses of an operation; 0 for none.
func success(answers map[string]yaml.Node) int {
	for name := range answers {
		if status, err := strconv.Atoi(name); err == nil {
			return status
		}
	}
	return 0
}
