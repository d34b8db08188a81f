package main

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// object is an object of an OpenAPI document.
type object = map[string]any

// document is an OpenAPI document, version 3.0 or 3.1.
type document struct{ root object }

// parse reads a document in YAML or JSON.
func parse(text []byte) (document, error) {
	var content any
	if err := yaml.Unmarshal(text, &content); err != nil {
		return document{}, err
	}
	root, _ := withTextKeys(content).(object)
	if _, ok := root["paths"].(object); !ok {
		return document{}, errors.New("it has no paths: is it an OpenAPI document?")
	}
	return document{root}, nil
}

// withTextKeys converts keys that are not strings in YAML, such as status codes without
// quotes.
func withTextKeys(value any) any {
	switch value := value.(type) {
	case map[any]any:
		converted := object{}
		for key, one := range value {
			converted[fmt.Sprint(key)] = withTextKeys(one)
		}
		return converted
	case object:
		for key, one := range value {
			value[key] = withTextKeys(one)
		}
	case []any:
		for i, one := range value {
			value[i] = withTextKeys(one)
		}
	}
	return value
}

var parameter = regexp.MustCompile(`\{[^}]*\}`)

// methods are the keys of a path item that are operations.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch"}

// operations are the operations by method and path, without the names of path parameters,
// which differ between documents.
func (d document) operations() map[string]object {
	found := map[string]object{}
	paths, _ := d.root["paths"].(object)
	for path, item := range paths {
		item, _ := item.(object)
		shared, _ := item["parameters"].([]any)
		for method, operation := range item {
			if operation, ok := operation.(object); ok && slices.Contains(methods, method) {
				own, _ := operation["parameters"].([]any)
				operation = maps.Clone(operation)
				operation["parameters"] = slices.Concat(shared, own)
				found[strings.ToUpper(method)+" "+parameter.ReplaceAllString(path, "{}")] = operation
			}
		}
	}
	return found
}

// resolve follows a reference inside the document. A broken one resolves to an empty
// object, which has nothing to compare.
func (d document) resolve(value any) object {
	for range 20 { // a chain of references; a longer one is a circle
		found, _ := value.(object)
		reference, ok := found["$ref"].(string)
		if !ok {
			return found
		}

		value = d.root
		for part := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
			part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
			parent, _ := value.(object)
			value = parent[part]
		}
	}
	return nil
}

// body is the schema of the JSON in a request body or a response; nil when it has none.
func (d document) body(of any) any {
	content, _ := d.resolve(of)["content"].(object)
	for mediaType, media := range content {
		if media, ok := media.(object); ok && strings.HasPrefix(mediaType, "application/json") {
			return media["schema"]
		}
	}
	return nil
}

// statuses are the codes of success of an operation, sorted.
func statuses(operation object) []string {
	responses, _ := operation["responses"].(object)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(responses)), func(code string) bool { return !strings.HasPrefix(code, "2") })
}

// answer is the schema of the JSON body of a successful response, including hosted bodies:
// of several responses the first that has one.
func (d document) answer(operation object) any {
	responses, _ := operation["responses"].(object)
	for _, code := range statuses(operation) {
		if schema := d.body(responses[code]); schema != nil {
			return schema
		}
		if schema := d.resolve(responses[code])["x-hosted-body"]; schema != nil {
			return schema
		}
	}
	return nil
}
