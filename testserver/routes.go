package testserver

import (
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// routes finds the operation of a request. http.ServeMux would respond to an unknown method or a missing slash itself,
// and with plain text.
type routes struct {
	list []*route
}

// route is a path of the document.
type route struct {
	// segments are the parts between slashes; parameters have the form {name}.
	segments []string
	// parameters are the names of the parameters by segment, empty for literal ones.
	parameters []string
	methods    map[string]*endpoint
}

func newRoute(segments []string) *route {
	r := &route{segments: segments, parameters: make([]string, len(segments)), methods: map[string]*endpoint{}}
	for i, segment := range segments {
		if segment[0] == '{' {
			r.parameters[i] = strings.Trim(segment, "{}")
		}
	}
	return r
}

// endpoint is an operation with its handler.
type endpoint struct {
	api.Operation
	// needs is the scope that the profile requires.
	needs string
	// shape is the shape of the body in the document; nil when there is none.
	shape  *api.Shape
	handle handler
	// isTokenless is set where an app has no token to send, and isBodyless where nothing reads
	// what it sends.
	isTokenless, isBodyless bool
}

// capturesEvents reports whether the operation takes events of apps.
func (e *endpoint) capturesEvents() bool { return e != nil && e.ID == sdkCapture }

// needsNoToken reports whether an app is served without the token of a project.
func (e *endpoint) needsNoToken() bool { return e != nil && e.isTokenless }

// dropsBody reports whether nothing reads what an app sends.
func (e *endpoint) dropsBody() bool { return e != nil && e.isBodyless }

// lists reports whether the operation returns pages by limit and offset.
func (e *endpoint) lists() bool { return strings.HasSuffix(e.ID, "_list") }

// pathValue is a parameter of the path.
type pathValue struct{ name, value string }

func newRoutes(p *profile) *routes {
	rs := &routes{}
	for _, op := range api.AllOperations() {
		handle, known := handlers[op.ID]
		if !known {
			panic("testserver: no handler for the operation " + op.ID)
		}
		if p.neighbours || !op.Neighbour {
			rs.add(&endpoint{Operation: op, needs: p.scope(op), shape: api.RequestShape(op.ID), handle: handle})
		}
	}
	// A literal segment wins over a parameter: "activity" is not an id.
	slices.SortStableFunc(rs.list, func(a, b *route) int {
		return strings.Count(strings.Join(a.segments, ""), "{") - strings.Count(strings.Join(b.segments, ""), "{")
	})
	return rs
}

func (rs *routes) add(e *endpoint) {
	segments := appendSegments(nil, e.Path)
	i := slices.IndexFunc(rs.list, func(r *route) bool { return slices.Equal(r.segments, segments) })
	if i < 0 {
		i = len(rs.list)
		rs.list = append(rs.list, newRoute(segments))
	}
	rs.list[i].methods[e.Method] = e
}

// appendSegments splits a path into segments; a trailing slash makes no difference.
func appendSegments(segments []string, path string) []string {
	rest := strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/")
	for more := true; more; {
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		segments = append(segments, segment)
	}
	return segments
}

// match finds the route of a path and the values of its parameters; nil for none.
func (rs *routes) match(path string) (*route, []pathValue) {
	if rs == nil {
		return nil, nil
	}
	// No path of the document has more segments, so usually nothing is allocated.
	var buffer [8]string
	segments := appendSegments(buffer[:0], path)
	for _, r := range rs.list {
		if r.matches(segments) {
			return r, r.values(segments)
		}
	}
	return nil, nil
}

func (r *route) matches(segments []string) bool {
	if len(segments) != len(r.segments) {
		return false
	}
	for i, want := range r.segments {
		if segments[i] != want && (r.parameters[i] == "" || segments[i] == "") {
			return false
		}
	}
	return true
}

// values are the values of the parameters in a path that matches.
func (r *route) values(segments []string) []pathValue {
	values := make([]pathValue, 0, 2)
	for i, name := range r.parameters {
		if name != "" {
			values = append(values, pathValue{name, segments[i]})
		}
	}
	return values
}

// endpoint finds the operation for a method; HEAD is GET without the body.
func (r *route) endpoint(method string) *endpoint {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	return r.methods[method]
}

// allow is the value of the Allow header for a route.
func (r *route) allow() string {
	var methods []string
	for method := range r.methods {
		methods = append(methods, method)
	}
	slices.Sort(methods)
	return strings.Join(methods, ", ")
}
