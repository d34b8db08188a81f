// Package contracttest validates the test server's HTTP responses against the OpenAPI document, by a strict reading
// of OpenAPI 3.0.3. Only tests import it.
package contracttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// fault is a deviation of a response from the document.
type fault struct {
	path, reason string
	// isValue reports whether the value has the documented type but not an allowed value.
	isValue bool
}

// Validate returns the deviations of a response from the document. It returns nothing if the document allows the
// response.
func Validate(op api.Operation, status int, header http.Header, body []byte) []string {
	var faults []string
	for _, f := range validate(op, status, header, body) {
		faults = append(faults, strings.TrimSpace(f.path+" "+f.reason))
	}
	return faults
}

func validate(op api.Operation, status int, header http.Header, body []byte) []fault {
	schema, err := responseSchema(op, status, header.Get("Content-Type"))
	if err != nil {
		return []fault{{reason: err.Error()}}
	}

	var value any
	switch err := json.Unmarshal(body, &value); {
	case err != nil && strings.Contains(err.Error(), outOfRange):
		return nil
	case err != nil:
		return []fault{{reason: err.Error()}}
	case schema == nil || value == nil:
		return nil
	}
	return listFaults(schema.VisitJSON(value, openapi3.VisitAsResponse(), openapi3.MultiErrors()))
}

// outOfRange is part of the error for a number that the validator cannot represent.
const outOfRange = "into Go value of type float64"

// insideQuestions matches paths inside questions. PostHog stores any value that a client sends there.
var insideQuestions = regexp.MustCompile(`^(/results/\d+)?/questions/\d+/.+`)

// listFaults returns the deviations in a validation error, each with its path.
func listFaults(err error) []fault {
	if several, ok := errors.AsType[openapi3.MultiError](err); ok {
		var faults []fault
		for _, part := range several {
			faults = append(faults, listFaults(part)...)
		}
		return faults
	}

	failed, ok := errors.AsType[*openapi3.SchemaError](err)
	switch {
	case err == nil:
		return nil
	case !ok:
		return []fault{{reason: err.Error()}}
	case failed.SchemaField == "allOf" && failed.Origin != nil:
		return listFaults(failed.Origin) // the nested error names the schema that does not match
	}

	path := "/" + strings.Join(failed.JSONPointer(), "/")
	switch {
	case insideQuestions.MatchString(path):
		return nil
	case failed.SchemaField == "anyOf":
		// In an anyOf, the second schema is null. The error of the first schema is more useful than the general
		// error.
		faults := listFaults(failed.Schema.AnyOf[0].Value.VisitJSON(failed.Value, openapi3.VisitAsResponse(), openapi3.MultiErrors()))
		for i := range faults {
			faults[i].path = path + faults[i].path
		}
		return faults
	}
	_, text := failed.Value.(string)
	return []fault{{path, failed.Reason, text && (failed.SchemaField == "enum" || failed.SchemaField == "format")}}
}

// document loads the OpenAPI document. All tests share it, because loading it takes longer than most tests.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	openapi3.DefineStringFormatValidator("uuid", openapi3.NewRegexpFormatValidator(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`))
	openapi3.DefineStringFormatValidator("email", openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForEmail))
	// A schema without a type allows null, but the library treats it like a schema with a type.
	text := bytes.ReplaceAll(api.Document(), []byte("{x-go-type: json.RawMessage}"), []byte("{nullable: true}"))
	return openapi3.NewLoader().LoadFromData(text)
})

// responseSchema returns the schema of a response body, or nil if the document does not describe one.
func responseSchema(op api.Operation, status int, mediaType string) (*openapi3.Schema, error) {
	doc, err := document()
	if err != nil {
		return nil, fmt.Errorf("cannot read the document: %w", err)
	}
	operation := doc.Paths.Value(op.Path).GetOperation(op.Method)
	documented := operation.Responses.Status(status)
	if documented == nil {
		documented = operation.Responses.Default()
	}
	switch {
	case documented == nil:
		return nil, fmt.Errorf("%s: the document does not contain status %d", op.ID, status)
	case len(documented.Value.Headers) > 0:
		return nil, fmt.Errorf("%s: the document has headers for status %d, which no test checks", op.ID, status)
	case len(documented.Value.Content) == 0:
		return nil, nil
	}

	content := documented.Value.Content[mediaType]
	switch {
	case content == nil:
		return nil, fmt.Errorf("%s: the document has no %q for status %d", op.ID, mediaType, status)
	case content.Schema == nil:
		return nil, nil
	}
	return content.Schema.Value, nil
}
