package testserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/sdk"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// The names of what SDKs ask for, in the journal and in faults. They are no operations of the
// document, and the report does not count them among those.
const (
	sdkConfig  = "sdk_config"
	sdkFlags   = "sdk_flags"
	sdkSurveys = "sdk_surveys"
	sdkCapture = "sdk_capture"
)

var deliveryOperations = []string{sdkConfig, sdkFlags, sdkSurveys, sdkCapture, sdkScript, sdkSurveyPage, sdkOther}

// newDeliveryRoutes are the paths that SDKs in apps call.
func newDeliveryRoutes() *routes {
	rs := &routes{}
	for _, served := range []struct {
		operation, path string
		methods         []string
		serve           func(x *exchange) (response, *wire.Failure)
	}{
		{sdkConfig, "/array/{token}/config", []string{http.MethodGet}, serveConfig},
		{sdkConfig, "/array/{token}/config.js", []string{http.MethodGet}, serveConfigScript},
		{sdkSurveys, "/api/surveys/", []string{http.MethodGet, http.MethodPost}, serveFeed},
		{sdkFlags, "/flags/", []string{http.MethodPost}, serveFlags},
		{sdkFlags, "/decide/", []string{http.MethodPost}, serveFlags},
	} {
		for _, method := range served.methods {
			op := api.Operation{ID: served.operation, Method: method, Path: served.path}
			rs.add(&endpoint{Operation: op, handle: served.serve})
		}
	}
	for _, path := range capturePaths {
		rs.add(&endpoint{Operation: api.Operation{ID: sdkCapture, Method: http.MethodPost, Path: path}, handle: captureEvents})
	}
	rs.addScripts()
	rs.addWithoutContents()
	rs.addSurveyPage()
	return rs
}

// maxDelivered is the maximum size of a body on the paths that are open to all pages, as it is
// sent and unpacked: the journal keeps what is sent, and has room for many of them. Events may be
// as large as a request to the API, and the journal keeps no larger ones than others.
const maxDelivered = 64 << 10

// notDelivered is what apps are told where no surveys are served to them.
const notDelivered = "surveys are served to apps with -profile hosted or -delivery"

// delivered is a request of an SDK. It is read before the world is known, since its token names
// the world.
type delivered struct {
	// sentToken is the token as it was sent, token that of the project within the world; project
	// is nil when none has it.
	sentToken, token string
	project          *store.Project
	// body is compact JSON; nil when there is none.
	body json.RawMessage
	// events says which events the body has, shown are the surveys that people saw by them.
	events string
	shown  []uuid.UUID
	// offered are the surveys that the app got.
	offered []*store.Survey
	// refused is the response when the request cannot be served; nil otherwise.
	refused *response
	// unlocked is work that needs the store no longer; nil when there is none.
	unlocked func() response
}

// deliver serves a request of an SDK, which any page may make.
func (s *Server) deliver(w http.ResponseWriter, r *http.Request, route *route, values []pathValue) {
	x := newExchange(s.settings, r)
	allowOrigin(x.header, r)
	x.endpoint = route.endpoint(r.Method)
	most := maxDelivered
	if x.endpoint.capturesEvents() {
		most = maxBody
	}

	if x.endpoint.dropsBody() {
		discardBody(w, r)
	}
	tooLarge, err := x.readBody(w, most)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	x.values = values
	sent := s.readDelivered(x, most)
	x.delivery = sent
	if sent.body != nil {
		// What was sent packed can be read in the journal.
		x.body = sent.body
	}
	if x.endpoint.capturesEvents() && sent.body != nil {
		sent.events = eventsText(sent.body)
	}

	world, token := s.worldOfToken(sent.sentToken)
	if sent.sentToken == "" {
		world = s.worldOfPage(r.URL.Query(), x.value("survey"))
	}
	sent.token = token
	world.respond(r.Context(), w, x, route, tooLarge)
}

// readDelivered reads what an SDK sends: a body in any of its forms, of most bytes, and the token.
func (s *Server) readDelivered(x *exchange, most int) *delivered {
	sent := &delivered{}
	query := x.request.URL.Query()
	form, body, err := unpackBody(x.body, most)
	switch {
	case !s.delivers:
		sent.refused = plainText(http.StatusNotFound, notDelivered)
	case errors.Is(err, sdk.ErrTooLarge):
		sent.refused = plainText(http.StatusRequestEntityTooLarge, err.Error())
	case err != nil:
		sent.refused = plainText(http.StatusBadRequest, err.Error())
	}
	sent.body = body
	for _, token := range []string{x.value("token"), sdk.TokenInQuery(query), sdk.TokenInQuery(form), sdk.TokenInBody(body)} {
		if sent.sentToken == "" {
			sent.sentToken = token
		}
	}
	if sent.refused == nil && (sent.sentToken != "" || !x.endpoint.needsNoToken()) {
		sent.refused = refuseToken(sent.sentToken, x.endpoint.capturesEvents())
	}
	return sent
}

// refuseToken is the response to a token that no project can have; nil for any other one.
func refuseToken(token string, captures bool) *response {
	switch {
	case token == "" && captures:
		return plainText(http.StatusUnauthorized, "event submitted without an api_key")
	case token == "":
		return plainText(http.StatusUnauthorized, "Token not provided")
	case sdk.IsToken(token):
		return nil
	case captures:
		return plainText(http.StatusUnauthorized, "API key is not valid")
	}
	return plainText(http.StatusBadRequest, "Invalid token")
}

// unpackBody reads a body of most bytes as a form, or else as JSON.
func unpackBody(sent []byte, most int) (form url.Values, body []byte, err error) {
	if len(sent) == 0 {
		return nil, nil, nil
	}
	if values, err := url.ParseQuery(string(sent)); err == nil && sdk.TokenInQuery(values) != "" && values.Get("data") == "" {
		return values, nil, nil
	}

	text, err := sdk.Unpack(sent, most)
	if err != nil {
		return nil, nil, err
	}
	if len(text) == 0 {
		return nil, nil, nil
	}
	if err := checkLimits(text); err != nil {
		return nil, nil, err
	}
	// Mobile SDKs send text that is not UTF-8 now and then; the service replaces it.
	body, err = wire.Compact(bytes.ToValidUTF8(text, []byte("\ufffd")))
	return nil, body, err
}

// serve does the work of a request, what takes long without the store locked.
func (d *delivered) serve(x *exchange, route *route) (response, *wire.Failure) {
	switch {
	case x.request.Method == http.MethodOptions:
		return response{status: http.StatusNoContent}, nil
	case x.endpoint == nil:
		return response{}, wire.MethodNotAllowed(x.request.Method, route.allow())
	case d.refused != nil:
		return *d.refused, nil
	case x.endpoint.capturesEvents():
		// It takes the lock for itself, once all is read.
		return x.endpoint.handle(x)
	}

	reply, f := d.serveLocked(x)
	if d.unlocked != nil {
		return d.unlocked(), nil
	}
	return reply, f
}

// serveLocked does the work of a request that needs the store.
func (d *delivered) serveLocked(x *exchange) (response, *wire.Failure) {
	x.contents.mu.RLock()
	defer x.contents.mu.RUnlock()
	x.store = x.contents.store
	d.project = x.store.ProjectWithToken(d.token)
	return x.endpoint.handle(x)
}

// allowOrigin lets the pages of an app read the response, whatever it is.
func allowOrigin(header http.Header, r *http.Request) {
	header.Set("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" {
		return
	}
	header.Set("Access-Control-Allow-Origin", origin)
	header.Set("Access-Control-Allow-Credentials", "true")

	if r.Method == http.MethodOptions {
		header.Set("Access-Control-Allow-Methods", "GET, POST, OPTIONS, HEAD")
		if asked := r.Header.Values("Access-Control-Request-Headers"); len(asked) > 0 {
			header.Set("Access-Control-Allow-Headers", strings.Join(asked, ", "))
		}
	}
}

// plainText is a response to an SDK that is a text.
func plainText(status int, text string) *response {
	return &response{status: status, contentType: []string{"text/plain; charset=utf-8"}, body: []byte(text)}
}

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
			handle: func(x *exchange) (response, *wire.Failure) {
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
