package service

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Paths maps paths to a T for each method. [http.ServeMux] is unsuitable because it would answer unknown
// methods and missing slashes itself, in plain text.
type Paths[T any] struct{ list []*Path[T] }

// Path is a path with parameters of the form {name}.
type Path[T any] struct {
	segments []string
	Methods  map[string]T
}

// Route is a path of the OpenAPI document.
type Route = Path[*Operation]

// Values maps the names of path parameters to their values.
type Values map[string]string

// Get returns a path parameter, or "" if the path does not contain it.
func (v Values) Get(name string) string { return v[name] }

// Add sets the handler of a path for a method.
func (ps *Paths[T]) Add(method, path string, handler T) {
	segments := splitPath(path)
	i := slices.IndexFunc(ps.list, func(p *Path[T]) bool { return slices.Equal(p.segments, segments) })
	if i < 0 {
		i = len(ps.list)
		ps.list = append(ps.list, &Path[T]{segments: segments, Methods: map[string]T{}})
	}
	ps.list[i].Methods[method] = handler
}

// splitPath splits a path at slashes. It ignores a trailing slash.
func splitPath(path string) []string {
	return strings.Split(strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/"), "/")
}

// Match finds the path of a request and the values of its parameters. It returns nil if there is none. A
// literal segment takes precedence over a parameter, so "activity" is not an ID.
func (ps *Paths[T]) Match(path string) (match *Path[T], values Values) {
	segments := splitPath(path)
	for _, p := range ps.list {
		if v, ok := p.match(segments); ok && (match == nil || len(v) < len(values)) {
			match, values = p, v
		}
	}
	return match, values
}

func (p *Path[T]) match(segments []string) (Values, bool) {
	if len(segments) != len(p.segments) {
		return nil, false
	}
	values := Values{}
	for i, want := range p.segments {
		switch {
		case want[0] == '{' && segments[i] != "":
			values[strings.Trim(want, "{}")] = segments[i]
		case segments[i] != want:
			return nil, false
		}
	}
	return values, true
}

// Has reports whether the path contains a segment.
func (p *Path[T]) Has(segment string) bool { return slices.Contains(p.segments, segment) }

// For returns the handler of the path for a method. HEAD is served as GET, without the body.
func (p *Path[T]) For(method string) T {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	return p.Methods[method]
}

// Allow returns the value of the Allow header for the path.
func (p *Path[T]) Allow() string {
	return strings.Join(slices.Sorted(maps.Keys(p.Methods)), ", ")
}

// Operation is an operation of the OpenAPI document and its handler.
type Operation struct {
	api.Operation
	// needs is the scope that the profile requires.
	needs string
	// shape describes the body in the OpenAPI document. It is nil if there is none.
	shape  *api.Shape
	handle handler
}

// lists reports whether the operation returns pages selected by limit and offset.
func (o *Operation) lists() bool { return strings.HasSuffix(o.ID, "_list") }

// Reads reports whether the operation only reads. A nil operation does not.
func (o *Operation) Reads() bool { return o != nil && o.Method == http.MethodGet }

// Routes returns the paths of the OpenAPI document that the profile serves.
func (p *Profile) Routes() *Paths[*Operation] {
	routes := &Paths[*Operation]{}
	for _, op := range api.AllOperations() {
		handle, isKnown := handlers[op.ID]
		if isKnown && (p.Neighbours || !op.Neighbour) {
			routes.Add(op.Method, op.Path, &Operation{Operation: op, needs: p.scope(op), shape: api.RequestShape(op.ID), handle: handle})
		}
	}
	return routes
}

// handler performs an operation. The store is locked and the caller is authorized.
type handler func(x *Call) (wire.Response, *wire.Failure)
