package testserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// maxBody is the maximum size of a request's body.
const maxBody = 20 << 20

// exchange is a request with the response that is being prepared.
type exchange struct {
	*settings
	request *http.Request
	// world is the name of the world that serves the request, contents are what it holds, and
	// store is their store while it is locked.
	world    string
	contents *contents
	store    *store.Store
	// endpoint is the operation; nil when the document has none for the request.
	endpoint *endpoint
	// body is the body of the request as it was sent; events are unpacked.
	body []byte

	caller
	// values are the parameters of the path.
	values []pathValue
	// undocumented are the paths of fields that the document does not have, cut are the
	// answers that a write cut off; nil for none.
	undocumented []string
	cut          *CutAnswers
	// delivery is what an SDK asks for; nil for a request of the API.
	delivery *delivered
	// edit is the merge patch of a fault, which is applied before the work; nil for none.
	edit json.RawMessage

	// response is what is sent, with header in place of its own fields.
	response response
	header   http.Header
}

func newExchange(shared *settings, r *http.Request) *exchange {
	return &exchange{settings: shared, request: r, header: http.Header{}}
}

// operation is the operationId; empty when the document has none for the request.
func (x *exchange) operation() string {
	if x.endpoint == nil {
		return ""
	}
	return x.endpoint.ID
}

// encoding is how objects are encoded in the response.
func (x *exchange) encoding() encoding { return encoding{profile: x.profile, store: x.store} }

// readBody reads the body of the request, of most bytes. It returns a failure for a body that is too large,
// and an error when the client does not send it completely.
func (x *exchange) readBody(w http.ResponseWriter, most int) (*wire.Failure, error) {
	if x.request.Body == nil || x.request.Body == http.NoBody {
		return nil, nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, x.request.Body, int64(most)))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return &wire.Failure{
			Status: http.StatusRequestEntityTooLarge, Kind: "invalid_request", Code: "request_entity_too_large",
			Detail: "The request is larger than " + strconv.Itoa(most) + " bytes.",
		}, nil
	}
	x.body = body
	return nil, err
}

// fields reads the body as the fields of an object; sent are the checked ones.
func (x *exchange) fields(t *wire.Table, creating bool) (body wire.Value, sent wire.Fields, f *wire.Failure) {
	if body, f = x.parse(); f != nil {
		return body, nil, f
	}
	sent, f = t.Read(body, wire.Reading{Creating: creating, Verbatim: !x.profile.checks})
	return body, sent, f
}

// parse reads the body as a JSON object. An empty body counts as an empty object.
func (x *exchange) parse() (wire.Value, *wire.Failure) {
	none := wire.Value{}
	if len(x.body) == 0 {
		return none, nil
	}

	contentType := x.request.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil || media != jsonContent[0] {
		return none, &wire.Failure{
			Status: http.StatusUnsupportedMediaType, Kind: "invalid_request", Code: "unsupported_media_type",
			Detail: `Unsupported media type "` + contentType + `" in request.`,
		}
	}

	if !utf8.Valid(x.body) {
		return none, wire.BadRequest("parse_error", "JSON parse error - the body is not UTF-8")
	}
	if f := beyondLimits(x.body); f != nil {
		return none, f
	}
	raw, err := wire.Compact(x.body)
	if err != nil {
		return none, wire.BadRequest("parse_error", "JSON parse error - "+err.Error())
	}

	body := wire.Decode(raw)
	switch {
	case body.IsNull():
		return none, wire.Invalid("null", "", "No data provided")
	case !body.IsObject():
		return none, wire.Refused("", "Invalid data. Expected a dictionary, but got %s.", body.Type())
	}
	return body, x.checkDocumented(body)
}

// reply settles the response, whose body a fault may still change.
func (x *exchange) reply(with response) {
	x.response = with
	if with.contentType != nil {
		x.header["Content-Type"] = with.contentType
	}
	maps.Copy(x.header, with.header)
}

// send writes the response. If cut is not negative, it closes the connection after that many
// bytes of the body.
func (x *exchange) send(w http.ResponseWriter, cut int) {
	h, body := w.Header(), x.response.body
	maps.Copy(h, x.header)
	if x.response.status != http.StatusNoContent && x.response.status != http.StatusNotModified {
		h["Content-Length"] = []string{strconv.Itoa(len(body))}
	}
	w.WriteHeader(x.response.status)

	if cut < 0 {
		// If this fails the client has gone, and there is no one to report it to.
		_, _ = w.Write(body) //nolint:gosec // the type of the response is not HTML, or the page escapes it
		return
	}
	if _, err := w.Write(body[:min(cut, len(body))]); err == nil { //nolint:gosec // as above
		_ = http.NewResponseController(w).Flush()
	}
	panic(http.ErrAbortHandler)
}

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
func (x *exchange) refusal(f *wire.Failure) response {
	refused := refusalOf(f)
	if f.Status == http.StatusInternalServerError && x.profile.breaks {
		// The hosted service gives each unhandled error an id.
		event := uuid.NewSHA1(uuid.NameSpaceURL, []byte(x.request.Method+x.request.URL.Path))
		refused.body = append(refused.body[:len(refused.body)-1], `,"error_event_id":"`+event.String()+`"}`...)
	}
	return refused
}

// refusalOf is the response that a failure describes.
func refusalOf(f *wire.Failure) response {
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
