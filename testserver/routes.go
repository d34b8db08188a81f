package testserver

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// routes finds the operation of a request. It is filled by the generated code, so
// the paths are the document's; a mux of the standard library would answer an
// unknown method or a missing slash by itself, and in text.
type routes struct {
	list []*route
}

// route is a path of the document.
type route struct {
	// segments are the parts between slashes; parameters have the form {name}.
	segments []string
	methods  map[string]*endpoint
}

// endpoint is an operation with the generated code that serves it.
type endpoint struct {
	api.Operation
	// needs is the scope that the profile asks for.
	needs string
	// shape is what the document says of the body; nil when there is none.
	shape *api.Shape
	serve http.HandlerFunc
}

// lists reports whether the operation answers pages of limit and offset.
func (e *endpoint) lists() bool { return strings.HasSuffix(e.ID, "_list") }

// pathValue is a parameter of the path.
type pathValue struct{ name, value string }

func newRoutes(p *profile) *routes {
	rs := &routes{}
	api.HandlerWithOptions(&operations{}, api.StdHTTPServerOptions{
		BaseRouter: &registrar{routes: rs, profile: p},
		// What cannot be bound is an id of the wrong form.
		ErrorHandlerFunc: func(w http.ResponseWriter, r *http.Request, _ error) {
			x := exchangeOf(w)
			x.refuse(p.refuseID(x, r.PathValue("id")))
		},
	})
	// A literal part wins over a parameter: activity is no id.
	slices.SortStableFunc(rs.list, func(a, b *route) int {
		return strings.Count(strings.Join(a.segments, ""), "{") - strings.Count(strings.Join(b.segments, ""), "{")
	})
	return rs
}

// registrar is the mux that the generated code registers its handlers with.
type registrar struct {
	http.Handler
	routes  *routes
	profile *profile
}

// HandleFunc takes a pattern as "GET /api/things/{id}/{$}".
func (g *registrar) HandleFunc(pattern string, serve func(http.ResponseWriter, *http.Request)) {
	method, path, _ := strings.Cut(pattern, " ")
	path = strings.TrimSuffix(path, "{$}")
	for _, op := range api.AllOperations() {
		if op.Method != method || op.Path != path {
			continue
		}
		if g.profile.neighbours || !op.Neighbour {
			g.routes.add(&endpoint{Operation: op, needs: g.profile.scope(op), shape: api.RequestShape(op.ID), serve: serve})
		}
		return
	}
	panic(fmt.Sprintf("testserver: the document has no operation %s", pattern))
}

func (rs *routes) add(e *endpoint) {
	segments := split(e.Path)
	for _, r := range rs.list {
		if slices.Equal(r.segments, segments) {
			r.methods[e.Method] = e
			return
		}
	}
	rs.list = append(rs.list, &route{segments: segments, methods: map[string]*endpoint{e.Method: e}})
}

// split takes a path apart; a slash at the end makes no difference.
func split(path string) []string {
	return strings.Split(strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/"), "/")
}

// match finds the route of a path and the values of its parameters.
func (rs *routes) match(path string) (*route, []pathValue) {
	segments := split(path)
	for _, r := range rs.list {
		if values, ok := r.match(segments); ok {
			return r, values
		}
	}
	return nil, nil
}

func (r *route) match(segments []string) ([]pathValue, bool) {
	if len(segments) != len(r.segments) {
		return nil, false
	}
	for i, want := range r.segments {
		if segments[i] != want && (want[0] != '{' || segments[i] == "") {
			return nil, false
		}
	}
	values := make([]pathValue, 0, 2)
	for i, want := range r.segments {
		if want[0] == '{' {
			values = append(values, pathValue{strings.Trim(want, "{}"), segments[i]})
		}
	}
	return values, true
}

// endpoint finds the operation for a method; HEAD is GET without the body.
func (r *route) endpoint(method string) *endpoint {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	return r.methods[method]
}

// allow lists the methods of a route as the Allow header does.
func (r *route) allow() string {
	var methods []string
	for method := range r.methods {
		methods = append(methods, method)
	}
	slices.Sort(methods)
	return strings.Join(methods, ", ")
}
