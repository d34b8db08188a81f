package testserver

import (
	"bytes"
	"net/http"
	"sync"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

// response is a reply of the service to a request. Handlers return it whole; nothing is sent
// until it is complete, so that a fault can still change it.
type response struct {
	status int
	// contentType is the value of Content-Type; nil when there is no body.
	contentType []string
	// header are further fields; nil for none. They may be shared, and must not be changed.
	header http.Header
	body   []byte
}

var jsonContent = []string{"application/json"}

// buffers are where responses are encoded: a page of a list that grew from nothing would be copied
// many times.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// encode is a response with the JSON that body appends.
func (x *exchange) encode(status int, body func(b []byte) []byte) response {
	buffer, _ := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	*buffer = body((*buffer)[:0])
	return response{status: status, contentType: jsonContent, body: bytes.Clone(*buffer)}
}

// refusal is the response to a request that fails.
func (x *exchange) refusal(f *field.Failure) response {
	refused := refusalOf(f)
	if f.Status == http.StatusInternalServerError && x.profile.traits().errorEvents {
		// The hosted service gives each unhandled error an id.
		event := uuid.NewSHA1(uuid.NameSpaceURL, []byte(x.request.Method+x.request.URL.Path))
		refused.body = append(refused.body[:len(refused.body)-1], `,"error_event_id":"`+event.String()+`"}`...)
	}
	return refused
}

// refusalOf is the response that a failure describes.
func refusalOf(f *field.Failure) response {
	refused := response{status: f.Status, contentType: jsonContent, body: f.Body()}
	for name, value := range map[string]string{"Allow": f.Allow, "Retry-After": f.RetryAfter, "WWW-Authenticate": f.Challenge} {
		if value == "" {
			continue
		}
		if refused.header == nil {
			refused.header = http.Header{}
		}
		refused.header.Set(name, value)
	}
	return refused
}
