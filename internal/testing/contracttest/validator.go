// Package contracttest holds answers of the test server against the OpenAPI document by
// the strict reading of OpenAPI 3.0.3. Tests alone import it.
package contracttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// insideQuestions are places inside of questions: the service keeps what a client wrote
// there, of whatever kind.
var insideQuestions = regexp.MustCompile(`^\$(\.results\[\d+\])?\.questions\[\d+\].+`)

// outOfRange is the complaint about a number that the validator cannot hold.
const outOfRange = "into Go value of type float64"

// document is the document's validator. Reading the document takes longer than most
// tests, so all of a test binary share one.
var document = sync.OnceValues(func() (validator.Validator, error) {
	parsed, err := libopenapi.NewDocument(api.Document())
	if err != nil {
		return nil, err
	}
	built, errs := validator.NewValidator(parsed, config.WithFormatAssertions())
	return built, errors.Join(errs...)
})

// validating is held during a validation.
var validating sync.Mutex

// Validate returns what is wrong with a response to an operation; nothing when the document
// allows it.
func Validate(op api.Operation, status int, header http.Header, body []byte) []string {
	checks, err := document()
	if err != nil {
		return []string{err.Error()}
	}
	path := strings.NewReplacer("{project_id}", "1", "{organization_id}", "o", "{id}", "1").Replace(op.Path)
	request, err := http.NewRequestWithContext(context.Background(), op.Method, "http://example.com"+path, http.NoBody)
	if err != nil {
		return []string{err.Error()}
	}

	validating.Lock()
	defer validating.Unlock()
	_, errs := checks.ValidateHttpResponse(request, &http.Response{
		StatusCode: status, Header: header, Body: io.NopCloser(bytes.NewReader(body)),
	})
	var faults []string
	for _, err := range errs {
		if len(err.SchemaValidationErrors) == 0 {
			faults = append(faults, fmt.Sprintf("%s: %s", err.Message, err.Reason))
		}
		for _, detail := range err.SchemaValidationErrors {
			if !insideQuestions.MatchString(detail.FieldPath) && !strings.Contains(detail.Reason, outOfRange) {
				faults = append(faults, detail.FieldPath+" "+detail.Reason)
			}
		}
	}
	return faults
}
