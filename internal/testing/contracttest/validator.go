// Package contracttest holds answers of the test server against the OpenAPI document by
// the strict reading of OpenAPI 3.0.3. Tests alone import it.
package contracttest

import (
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"

	"github.com/pb33f/libopenapi-validator/helpers"
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
