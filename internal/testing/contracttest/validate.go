// Package contracttest holds answers of the test server against the OpenAPI document by
// the strict reading of OpenAPI 3.0.3. Tests alone import it.
package contracttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/pb33f/libopenapi"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi-validator/helpers"
	"github.com/pb33f/libopenapi/datamodel/high/base"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
	"github.com/pb33f/libopenapi/orderedmap"
	"github.com/pb33f/libopenapi/utils"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// insideQuestions are places inside of questions: the service keeps what a client wrote
// there, of whatever kind.
var insideQuestions = regexp.MustCompile(`^\$(\.results\[\d+\])?\.questions\[\d+\].+`)

// outOfRange is the complaint about a number that the validator cannot hold.
const outOfRange = "into Go value of type float64"

// Validate returns what is wrong with a response to an operation; nothing when the document
// allows it.
func Validate(op api.Operation, status int, header http.Header, body []byte) []string {
	schema, err := document.schema(op, status, header.Get("Content-Type"))
	if err != nil {
		return []string{err.Error()}
	}

	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		if strings.Contains(err.Error(), outOfRange) {
			return nil
		}
		return []string{err.Error()}
	}
	if schema == nil || value == nil {
		return nil
	}
	return faultsOf(schema.Validate(value))
}

// faultsOf are the faults that a validation found, each with its place.
func faultsOf(err error) []string {
	if err == nil {
		return nil
	}
	failed, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return []string{err.Error()}
	}

	var faults []string
	for _, unit := range failed.BasicOutput().Errors {
		if unit.Error == nil || unit.KeywordLocation == "" {
			continue
		}
		reason, path := unit.Error.String(), helpers.ExtractJSONPathFromStringLocation(unit.InstanceLocation)
		// That none of several schemas fits says less than what each of them lacks.
		if !helpers.IgnoreRegex.MatchString(reason) && !insideQuestions.MatchString(path) {
			faults = append(faults, path+" "+reason)
		}
	}
	return faults
}

// document has the schemas of the responses. All of a test binary share it, since to read it
// takes longer than most tests.
var document = &responseSchemas{compiled: map[responseKind]compiledSchema{}}

// responseSchemas are the schemas of the document's responses, each compiled when it is first
// asked for. The validator of the library looks the schema up by a hash of all that is in it, and
// compiles an expression for each part of each path, for every response anew.
type responseSchemas struct {
	// mu is held while the document is read, which is not safe for concurrent use.
	mu       sync.Mutex
	model    *v3.Document
	compiled map[responseKind]compiledSchema
}

// responseKind is what the document tells responses apart by.
type responseKind struct {
	operation string
	status    int
	mediaType string
}

// compiledSchema is a schema, nil when the document says nothing of a body, or why there is
// none.
type compiledSchema struct {
	schema *jsonschema.Schema
	err    error
}

// schema is the schema of the body of a response; nil when any body is allowed.
func (s *responseSchemas) schema(op api.Operation, status int, mediaType string) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	kind := responseKind{op.ID, status, mediaType}
	found, known := s.compiled[kind]
	if !known {
		found.schema, found.err = s.compile(op, status, mediaType)
		s.compiled[kind] = found
	}
	return found.schema, found.err
}

func (s *responseSchemas) compile(op api.Operation, status int, mediaType string) (*jsonschema.Schema, error) {
	if err := s.read(); err != nil {
		return nil, err
	}
	documented, err := s.response(op, status)
	if err != nil || orderedmap.Len(documented.Content) == 0 {
		return nil, err
	}

	content, ok := documented.Content.Get(mediaType)
	if !ok {
		return nil, fmt.Errorf("%s: the document has no %q for status %d", op.ID, mediaType, status)
	}
	if content.Schema == nil {
		return nil, nil
	}
	rendered, err := content.Schema.Schema().RenderInlineWithContext(base.NewInlineRenderContext())
	if err != nil {
		return nil, fmt.Errorf("%s: cannot resolve the schema for status %d: %w", op.ID, status, err)
	}
	text, err := utils.ConvertYAMLtoJSON(rendered)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot convert the schema for status %d: %w", op.ID, status, err)
	}

	name := op.ID + "_" + strconv.Itoa(status)
	options := config.NewValidationOptions(config.WithFormatAssertions())
	return helpers.NewCompiledSchemaWithVersion(name, text, options, helpers.VersionToFloat(s.model.Version))
}

// read reads the document, unless it has been read.
func (s *responseSchemas) read() error {
	if s.model != nil {
		return nil
	}
	parsed, err := libopenapi.NewDocument(api.Document())
	if err != nil {
		return fmt.Errorf("cannot read the document: %w", err)
	}
	model, err := parsed.BuildV3Model()
	if err != nil {
		return fmt.Errorf("cannot read the document: %w", err)
	}
	s.model = &model.Model
	return nil
}

// response finds the response with a status: itself, that of its class, or the default one.
func (s *responseSchemas) response(op api.Operation, status int) (*v3.Response, error) {
	item, ok := s.model.Paths.PathItems.Get(op.Path)
	if !ok {
		return nil, fmt.Errorf("the document has no path %s", op.Path)
	}
	operation, ok := item.GetOperations().Get(strings.ToLower(op.Method))
	if !ok {
		return nil, fmt.Errorf("the document has no %s %s", op.Method, op.Path)
	}

	documented := operation.Responses.Default
	for _, code := range []string{strconv.Itoa(status/100) + "XX", strconv.Itoa(status)} {
		if found, ok := operation.Responses.Codes.Get(code); ok {
			documented = found
		}
	}
	switch {
	case documented == nil:
		return nil, fmt.Errorf("%s: the document has no status %d", op.ID, status)
	case orderedmap.Len(documented.Headers) > 0:
		return nil, fmt.Errorf("%s: the document has headers for status %d, which no test looks at", op.ID, status)
	}
	return documented, nil
}
