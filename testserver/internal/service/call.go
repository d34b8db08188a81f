package service

import (
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Call is a request to the API. The caller must hold the store lock.
type Call struct {
	Service
	Request *http.Request
	// Route is the path in the OpenAPI document. Operation is the operation for the request's method. It is
	// nil if the document has none.
	Route     *Route
	Operation *Operation
	// Values are the path parameters.
	Values Values
	// Body is the request body as the client sent it.
	Body []byte
	// Undocumented are the request fields that the OpenAPI document does not contain. Cut describes the
	// answers that the request detached. It is nil if there are none.
	Undocumented []record.SentField
	Cut          *record.DetachedAnswers

	caller
}

// Answer processes an authorized request. It returns the response, or the failure if it refuses the request.
func (x *Call) Answer() (wire.Response, *wire.Failure) {
	switch {
	case x.Operation == nil:
		return wire.Response{}, wire.MethodNotAllowed(x.Request.Method, x.Route.Allow())
	case x.Breaks && x.Operation.lists() && hasHugeLimit(x.Request):
		return wire.Response{}, wire.ServerError()
	}
	return x.Operation.handle(x)
}

// respond returns a response with a JSON object.
func (x *Call) respond(status int, object []wire.Member) (wire.Response, *wire.Failure) {
	return wire.JSONResponse(status, wire.NewObject(object...)), nil
}

// respondValue returns a response with the JSON of v.
func (x *Call) respondValue(v any) (wire.Response, *wire.Failure) {
	return wire.JSONResponse(http.StatusOK, wire.Of(v)), nil
}

// read reads the body as a JSON object. An empty body counts as an empty object.
func (x *Call) read() (wire.Value, *wire.Failure) {
	empty := wire.Value{}
	if len(x.Body) == 0 {
		return empty, nil
	}

	contentType := x.Request.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil || media != wire.JSONContent {
		return empty, &wire.Failure{
			Status: http.StatusUnsupportedMediaType, Kind: "invalid_request", Code: "unsupported_media_type",
			Detail: `Unsupported media type "` + contentType + `" in request.`,
		}
	}

	if !utf8.Valid(x.Body) {
		return empty, wire.BadRequest("parse_error", "JSON parse error - the body is not UTF-8")
	}
	if err := wire.CheckLimits(x.Body); err != nil {
		return empty, wire.TooDeep(err)
	}
	body, err := wire.Decode(x.Body)
	if err != nil {
		return empty, wire.BadRequest("parse_error", "JSON parse error - "+err.Error())
	}

	switch {
	case body.IsNull():
		return empty, wire.Invalid("null", "", "No data provided")
	case !body.IsObject():
		return empty, wire.Refusal("", "Invalid data. Expected a dictionary, but got %s.", body.Type())
	}
	return body, x.checkUndocumentedFields(body)
}

// aboutSurvey returns the handler of a request for a survey.
func aboutSurvey(handle func(*Call, *store.Survey) (wire.Response, *wire.Failure)) handler {
	return func(x *Call) (wire.Response, *wire.Failure) {
		s, f := x.survey()
		if f != nil {
			return wire.Response{}, f
		}
		return handle(x, s)
	}
}

// survey finds the survey of a request. It fails for an invalid ID, and for a survey that the request's
// query excludes, because the list filters apply here, too.
func (x *Call) survey() (*store.Survey, *wire.Failure) {
	parsed, err := uuid.Parse(x.Values.Get("id"))
	s := x.Store.Survey(parsed)
	if err != nil || s == nil || s.Project != x.project.ID {
		return nil, wire.ObjectNotFound()
	}
	filter, f := x.readFilter()
	if f == nil && !filter.keeps(s) {
		f = wire.ObjectNotFound()
	}
	return s, f
}

// aboutApp returns the handler of a request for an app that the organization can see.
func aboutApp(handle func(*Call, *store.App) (wire.Response, *wire.Failure)) handler {
	return func(x *Call) (wire.Response, *wire.Failure) {
		app, f := x.app()
		if f != nil {
			return wire.Response{}, f
		}
		return handle(x, app)
	}
}

func (x *Call) app() (*store.App, *wire.Failure) {
	id, err := x.number()
	if err != nil && x.Breaks && strings.Trim(x.Values.Get("id"), "0123456789") != "" {
		// PostHog fails if the ID is not a number.
		return nil, wire.ServerError()
	}
	app := x.Store.Apps.Get(id)
	if err != nil || app == nil || !x.sees(app) {
		return nil, wire.ObjectNotFound()
	}
	return app, nil
}

// aboutFlag returns the handler of a request for a flag of the project.
func aboutFlag(handle func(*Call, *store.Flag) (wire.Response, *wire.Failure)) handler {
	return func(x *Call) (wire.Response, *wire.Failure) {
		id, err := x.number()
		flag := x.Store.Flags.Get(id)
		if err != nil || flag == nil || flag.Project != x.project.ID {
			return wire.Response{}, wire.ObjectNotFound()
		}
		return handle(x, flag)
	}
}

// number returns the numeric ID in the path.
func (x *Call) number() (int64, error) { return strconv.ParseInt(x.Values.Get("id"), 10, 64) }

// SurveyToEdit returns the survey that a request names, or the first survey that it lists. It returns nil
// if there is none.
func (x *Call) SurveyToEdit() *store.Survey {
	switch {
	case x.Operation == nil || x.project == nil:
		return nil
	case x.Operation.ID == "surveys_list":
		return newest(x.Store.Surveys(x.project.ID))
	}
	survey, _ := x.survey()
	return survey
}

// AppToEdit returns the app that a request names, or the first app that it lists. It returns nil if there
// is none.
func (x *Call) AppToEdit() *store.App {
	switch {
	case x.Operation == nil || x.project != nil:
		return nil
	case x.Operation.ID == "pipeline_import_apps_list":
		return newest(x.apps())
	}
	app, _ := x.app()
	return app
}

// newest returns the newest object in a timeline, or the zero value if the timeline is empty.
func newest[T store.Sortable](t *store.Timeline[T]) T {
	var zero T
	if t == nil || len(t.Items) == 0 {
		return zero
	}
	return t.Items[len(t.Items)-1]
}

// PlainTexts returns the names of the text fields in the operation's object.
func (o *Operation) PlainTexts() []string {
	switch {
	case o == nil:
		return nil
	case strings.Contains(o.Path, "/surveys/"):
		return api.PlainTexts("Survey")
	}
	return api.PlainTexts("PipelineImportApp")
}

// undocumentedPaths returns the paths of request members that the OpenAPI document does not contain, such
// as questions[0].color.
func undocumentedPaths(v wire.Value, shape *api.Shape) []string {
	var paths []string
	if shape == nil {
		return nil
	}
	for _, m := range v.Members() {
		inner, isKnown := shape.Members[m.Name]
		if !isKnown && shape.Members != nil {
			paths = append(paths, memberPath(m.Name))
		}
		for _, path := range undocumentedPaths(m.Value, inner) {
			paths = append(paths, memberPath(m.Name)+withSeparator(path))
		}
	}
	for i, item := range v.Items() {
		for _, path := range undocumentedPaths(item, shape.Items) {
			paths = append(paths, "["+strconv.Itoa(i)+"]"+withSeparator(path))
		}
	}
	return paths
}

// memberPath returns a member name in path syntax.
func memberPath(name string) string {
	if name == "" || strings.ContainsAny(name, `.[]"`) {
		return strconv.Quote(name)
	}
	return name
}

// withSeparator returns a path with a leading separator.
func withSeparator(path string) string {
	if path[0] == '[' {
		return path
	}
	return "." + path
}

// withoutIndexes removes array indexes from a path, so that it is the same for all items.
func withoutIndexes(path string) string {
	parts := strings.Split(path, "[")
	for i, part := range parts[1:] {
		if index, rest, ok := strings.Cut(part, "]"); ok && strings.Trim(index, "0123456789") == "" {
			parts[i+1] = "]" + rest
		}
	}
	return strings.Join(parts, "[")
}

// checkUndocumentedFields records the undocumented fields of a request. In strict mode, it refuses the
// request.
func (x *Call) checkUndocumentedFields(input wire.Value) *wire.Failure {
	if x.Operation == nil {
		return nil
	}
	paths := undocumentedPaths(input, x.Operation.shape)
	response := api.ResponseShape(x.Operation.ID)
	for _, path := range paths {
		x.Undocumented = append(x.Undocumented, record.SentField{Path: withoutIndexes(path), ReadOnly: isReadOnly(response, path)})
	}
	if !x.Strict || len(paths) == 0 {
		return nil
	}
	first := slices.Min(paths)
	// Most of these fields are misspelled, or copied from a response.
	reason := "The document does not contain this field"
	if isReadOnly(response, first) {
		reason = "This field is read-only: the document contains it only in responses"
	}
	return wire.Invalid("unknown_field", first, reason+", and the server was started with -strict.")
}

// isReadOnly reports whether responses contain a field. path is its path in the request.
func isReadOnly(response *api.Shape, path string) bool {
	for _, name := range strings.FieldsFunc(withoutIndexes(path), func(r rune) bool { return r == '.' }) {
		if response == nil {
			return false
		}
		inner, isMember := response.Members[strings.TrimSuffix(name, "[]")]
		if !isMember {
			return false
		}
		if strings.HasSuffix(name, "[]") && inner != nil {
			inner = inner.Items
		}
		response = inner
	}
	return true
}
