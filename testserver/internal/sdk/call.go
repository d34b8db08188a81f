package sdk

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// The names of SDK requests in the journal and in faults. The OpenAPI document does not describe these
// requests, so the report doesn't count them as operations.
const (
	configOperation  = "sdk_config"
	flagsOperation   = "sdk_flags"
	surveysOperation = "sdk_surveys"
	// definitionsOperation serves backends that evaluate flags locally.
	definitionsOperation = "sdk_flag_definitions"
	captureOperation     = "sdk_capture"
	scriptOperation      = "sdk_script"
	surveyPageOperation  = "sdk_survey_page"
	// otherOperation is the name of SDK requests that don't concern surveys.
	otherOperation = "sdk_other"
)

// Operations are the names of all SDK requests.
var Operations = []string{
	configOperation, flagsOperation, definitionsOperation, surveysOperation, captureOperation, scriptOperation, surveyPageOperation, otherOperation,
}

// Operation is a kind of SDK request.
type Operation struct {
	ID     string
	handle func(*Call) (wire.Response, *wire.Failure)
	// isTokenless is true if the SDK sends no token. isBodyless is true if the server ignores the body.
	isTokenless, isBodyless bool
	// isCaptureV1 is true for batches whose response contains a result for each event.
	isCaptureV1 bool
}

// capturesEvents reports whether the operation receives events.
func (o *Operation) capturesEvents() bool { return o != nil && o.ID == captureOperation }

// HasEventResults reports whether the response contains a result for each event.
func (o *Operation) HasEventResults() bool { return o != nil && o.isCaptureV1 }

// NeedsKey reports whether the operation needs an API key. The key then selects the world, as in the API.
func (o *Operation) NeedsKey() bool { return o != nil && o.ID == definitionsOperation }

// needsToken reports whether the operation needs a project token.
func (o *Operation) needsToken() bool { return o == nil || !o.isTokenless }

// MaxBody returns the maximum size of a body. For events, it is ofAPI, the maximum of an API request.
func (o *Operation) MaxBody(ofAPI int) int {
	if o.capturesEvents() {
		return ofAPI
	}
	return maxDelivered
}

// DropsBody reports whether the server ignores the body.
func (o *Operation) DropsBody() bool { return o != nil && o.isBodyless }

// Paths returns the paths that SDKs call.
func Paths() *service.Paths[*Operation] {
	paths := &service.Paths[*Operation]{}
	for _, served := range []struct {
		path, methods string
		Operation
	}{
		{"/array/{token}/config", "GET", Operation{ID: configOperation, handle: serveConfig}},
		{"/array/{token}/config.js", "GET", Operation{ID: configOperation, handle: serveConfigScript}},
		{"/api/surveys/", "GET POST", Operation{ID: surveysOperation, handle: serveFeed}},
		{"/flags/", "POST", Operation{ID: flagsOperation, handle: serveFlags}},
		{"/decide/", "POST", Operation{ID: flagsOperation, handle: serveFlags}},
		{"/flags/definitions/", "GET", Operation{ID: definitionsOperation, handle: serveDefinitions, isTokenless: true}},
		{"/api/feature_flag/local_evaluation/", "GET", Operation{ID: definitionsOperation, handle: serveDefinitions, isTokenless: true}},
		{"/e/", "POST", Operation{ID: captureOperation}},
		{"/i/v0/e/", "POST", Operation{ID: captureOperation}},
		{"/batch/", "POST", Operation{ID: captureOperation}},
		{"/capture/", "POST", Operation{ID: captureOperation}},
		{"/i/v1/analytics/events/", "POST", Operation{ID: captureOperation, isCaptureV1: true}},
		{"/i/v1/ai/events/", "POST", Operation{ID: captureOperation, isCaptureV1: true}},
		// posthog-js requests its additional scripts at paths that contain its version.
		{"/static/{script}", "GET", Operation{ID: scriptOperation, handle: serveScript, isTokenless: true}},
		{"/static/{version}/{script}", "GET", Operation{ID: scriptOperation, handle: serveScript, isTokenless: true}},
		{"/array/{token}/array.js", "GET", Operation{ID: scriptOperation, handle: serveScriptOfProject}},
		{"/external_surveys/{survey}/", "GET", Operation{ID: surveyPageOperation, handle: serveSurveyPage, isTokenless: true}},
		// This server does not implement these parts of PostHog. An app that requests them must not get errors.
		{"/api/product_tours/", "GET", nothing(emptyList("product_tours"), false)},
		{"/api/web_experiments/", "GET", nothing(emptyList("experiments"), false)},
		{"/api/early_access_features/", "GET", nothing(emptyList("earlyAccessFeatures"), false)},
		{"/i/v1/logs", "POST", nothing(wire.EmptyObject, true)},
		{"/i/v1/metrics", "POST", nothing(wire.EmptyObject, true)},
		// Session recordings.
		{"/s/", "POST", nothing(statusOne, true)},
	} {
		for method := range strings.FieldsSeq(served.methods) {
			paths.Add(method, served.path, &served.Operation)
		}
	}
	return paths
}

// emptyList returns an object with an empty array.
func emptyList(name string) wire.Value {
	return wire.NewObject(wire.Member{Name: name, Value: wire.EmptyArray})
}

// nothing returns an operation with a constant response, which ignores the body. Set isTokenless if the
// SDK sends the token only in the body.
func nothing(response wire.Value, isTokenless bool) Operation {
	return Operation{ID: otherOperation, isTokenless: isTokenless, isBodyless: true, handle: func(*Call) (wire.Response, *wire.Failure) {
		return wire.JSONResponse(http.StatusOK, response), nil
	}}
}

// maxDelivered is the maximum size of a body on paths that are open to all pages, before and after
// unpacking. It is small because the journal stores these bodies. Events may be as large as an API
// request, but the journal stores no event bodies above this limit.
const maxDelivered = 64 << 10

// NotDelivered is the error for apps if the server does not serve surveys to them.
const NotDelivered = "to serve surveys to apps, start the server with -profile hosted or -delivery"

// Apps serves the SDK requests of a world.
type Apps struct{ *service.Contents }

// Call is an SDK request. The server reads it before it knows the world, because the token selects the world.
type Call struct {
	service.Service
	Request   *http.Request
	Path      *service.Path[*Operation]
	Operation *Operation
	values    service.Values
	apps      *Apps
	// SentToken is the token that the SDK sent. project is nil if no project has this token.
	SentToken string
	project   *store.Project
	// Body is compact JSON. It is absent if there is no body.
	Body wire.Value
	// Events describes the events in the body.
	Events string
	// Found contains the surveys that the app received, and the surveys that persons saw according to
	// its events.
	Found record.Found
	// batch is the header of a request to capture v1. maxBody is the maximum size of its body.
	// faultResults are the results that a fault requests.
	batch        batchHeader
	maxBody      int
	faultResults []string
	// refused is the response to an invalid request, and nil for a valid one. isHeaderRefused is true if the header
	// is the reason, regardless of the body.
	refused         *wire.Response
	isHeaderRefused bool
	// unlocked is work to do after the store is unlocked. It may be nil.
	unlocked func() wire.Response
}

// Read reads an SDK request: the token, and a body in any encoding.
func Read(r *http.Request, path *service.Path[*Operation], values service.Values, sentBody []byte, maxBody int, delivers bool) *Call {
	x := &Call{Request: r, Path: path, Operation: path.For(r.Method), values: values}
	if x.Operation.HasEventResults() {
		x.readBatch(sentBody, maxBody, delivers)
		return x
	}

	form, body, err := unpackBody(sentBody, x.Operation.MaxBody(maxBody))
	switch {
	case !delivers:
		x.refused = plainText(http.StatusNotFound, NotDelivered)
	case errors.Is(err, ErrTooLarge):
		x.refused = plainText(http.StatusRequestEntityTooLarge, err.Error())
	case err != nil:
		x.refused = plainText(http.StatusBadRequest, err.Error())
	}
	x.Body = body
	for _, token := range []string{values["token"], TokenInQuery(r.URL.Query()), TokenInQuery(form), TokenInBody(body)} {
		if x.SentToken == "" {
			x.SentToken = token
		}
	}
	if x.refused == nil && (x.SentToken != "" || x.Operation.needsToken()) {
		x.refused = refuseToken(x.SentToken, x.Operation.capturesEvents())
	}
	if x.Operation.capturesEvents() && !body.IsAbsent() {
		x.Events = eventsText(body)
	}
	return x
}

// Survey returns the ID of the survey whose page is requested, or "" for other requests.
func (x *Call) Survey() string { return x.values["survey"] }

// JournalBody returns the decoded body for the journal, and its size. It omits events above the size limit of other
// bodies. Any page may send events, and large ones would displace other requests from the journal.
func (x *Call) JournalBody(raw []byte) (body []byte, size int) {
	if !x.Body.IsAbsent() {
		raw = x.Body.JSON()
	}
	if x.Operation.capturesEvents() && len(raw) > maxDelivered {
		return nil, len(raw)
	}
	return raw, len(raw)
}

// refuseToken returns the response to a token that no project can have, or nil for a possible token.
func refuseToken(token string, captures bool) *wire.Response {
	switch {
	case token == "" && captures:
		return plainText(http.StatusUnauthorized, "event submitted without an api_key")
	case token == "":
		return plainText(http.StatusUnauthorized, "Token not provided")
	case store.IsToken(token):
		return nil
	case captures:
		return plainText(http.StatusUnauthorized, "API key is not valid")
	}
	return plainText(http.StatusBadRequest, "Invalid token")
}

// unpackBody reads a body of at most limit bytes as a form or as JSON.
func unpackBody(raw []byte, limit int) (form url.Values, body wire.Value, err error) {
	if len(raw) == 0 {
		return nil, body, nil
	}
	if values, err := url.ParseQuery(string(raw)); err == nil && TokenInQuery(values) != "" && values.Get("data") == "" {
		return values, body, nil
	}

	text, err := Unpack(raw, limit)
	if err != nil {
		return nil, body, err
	}
	if len(text) == 0 {
		return nil, body, nil
	}
	if err := wire.CheckLimits(text); err != nil {
		return nil, body, err
	}
	// Mobile SDKs sometimes send invalid UTF-8, which PostHog replaces.
	body, err = wire.Decode(bytes.ToValidUTF8(text, []byte("\ufffd")))
	return nil, body, err
}

// Serve processes a request in the world that apps serves, for the project with the token. Slow work happens without
// the store lock.
func (x *Call) Serve(apps *Apps, token string) (wire.Response, *wire.Failure) {
	x.apps = apps
	switch {
	case x.Request.Method == http.MethodOptions:
		return wire.Response{Status: http.StatusNoContent}, nil
	case x.Operation == nil:
		return wire.Response{}, wire.MethodNotAllowed(x.Request.Method, x.Path.Allow())
	case x.refused != nil:
		return *x.refused, nil
	case x.Operation.capturesEvents():
		// capture locks the store for writing after it has read all events.
		return x.capture(token)
	}
	reply, f := x.serveWithLock(token)
	if x.unlocked != nil {
		return x.unlocked(), nil
	}
	return reply, f
}

// serveWithLock runs the operation's handler with the store locked for reading.
func (x *Call) serveWithLock(token string) (wire.Response, *wire.Failure) {
	x.apps.Mu.RLock()
	defer x.apps.Mu.RUnlock()
	x.Service = x.apps.Service()
	x.project = x.Store.ProjectWithToken(token)
	return x.Operation.handle(x)
}

// AllowOrigin allows pages of any app to read the response.
func AllowOrigin(header http.Header, r *http.Request, path *service.Path[*Operation]) {
	header.Set("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" {
		return
	}
	header.Set("Access-Control-Allow-Origin", origin)
	header.Set("Access-Control-Allow-Credentials", "true")

	if r.Method == http.MethodOptions {
		methods := "GET, POST, OPTIONS, HEAD"
		if path.For(http.MethodPost).HasEventResults() {
			methods = "POST, OPTIONS"
		}
		header.Set("Access-Control-Allow-Methods", methods)
		if requested := r.Header.Values("Access-Control-Request-Headers"); len(requested) > 0 {
			header.Set("Access-Control-Allow-Headers", strings.Join(requested, ", "))
		}
	}
}

// plainText returns a text response to an SDK.
func plainText(status int, text string) *wire.Response {
	return &wire.Response{Status: status, ContentType: plainContent, Body: []byte(text)}
}
