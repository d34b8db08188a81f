package testserver

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Media types of forms, which the hosted service reads as it reads JSON.
const (
	formContent      = "application/x-www-form-urlencoded"
	multipartContent = "multipart/form-data"
)

// maxFormMemory is how much of a form is kept in memory; no body is larger.
const maxFormMemory = maxBody

// readForm reads the body as a form: each field is a text, the last one of a name
// counts. JSON under the type of a form is a form too, one with an odd name in it.
func (x *exchange) readForm(media string, parameters map[string]string) (rawjson.Fields, *field.Failure) {
	values := url.Values{}
	switch media {
	case formContent:
		// What cannot be decoded is left out, as the service does.
		values, _ = url.ParseQuery(string(x.body))
	case multipartContent:
		form, err := multipart.NewReader(bytes.NewReader(x.body), parameters["boundary"]).ReadForm(maxFormMemory)
		if err != nil {
			return nil, field.BadRequest("parse_error", "Multipart form parse error - "+multipartFault(err))
		}
		values = form.Value
	}
	sent := rawjson.Fields{}
	for name, all := range values {
		sent[name] = rawjson.Quote(last(all))
	}
	return sent, nil
}

// multipartFault says what is wrong with a form in parts.
func multipartFault(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, http.ErrMissingBoundary) {
		return "Invalid boundary in multipart: None"
	}
	return err.Error()
}
