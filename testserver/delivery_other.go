package testserver

import (
	"encoding/json"
	"io"
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

// sdkOther is the name of what SDKs ask for beside surveys, in the journal and in faults.
const sdkOther = "sdk_other"

// withoutContents are the paths of parts of the service that this server has none of, each with what
// it responds where there is nothing. An app that asks must not find errors.
var withoutContents = []struct {
	path, method, response string
	// isTokenless is set where the token is in what nothing reads.
	isTokenless bool
}{
	{"/api/product_tours/", http.MethodGet, `{"product_tours":[]}`, false},
	{"/api/web_experiments/", http.MethodGet, `{"experiments":[]}`, false},
	{"/api/early_access_features/", http.MethodGet, `{"earlyAccessFeatures":[]}`, false},
	{"/i/v1/logs", http.MethodPost, `{}`, true},
	{"/i/v1/metrics", http.MethodPost, `{}`, true},
	// Recordings of sessions.
	{"/s/", http.MethodPost, `{"status":1}`, true},
}

// addWithoutContents adds the paths of what SDKs ask for beside surveys.
func (rs *routes) addWithoutContents() {
	for _, part := range withoutContents {
		rs.add(&endpoint{
			Operation:   api.Operation{ID: sdkOther, Method: part.method, Path: part.path},
			isTokenless: part.isTokenless, isBodyless: true,
			deliver: func(x *exchange) (response, *field.Failure) {
				return x.encode(http.StatusOK, func(b []byte) []byte { return append(b, json.RawMessage(part.response)...) }), nil
			},
		})
	}
}

// discardBody reads a body that nothing is done with: a recording is larger than what is kept.
func discardBody(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil {
		return
	}
	// One that ends early, or is too large, is as good as any.
	_, _ = io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, maxBody))
	r.Body = http.NoBody
}
