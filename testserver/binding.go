package testserver

import (
	"net/http"
	"net/url"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

// serveBound lets the generated code bind the parameters of a request and call its handler.
func (e *endpoint) serveBound(x *exchange, values []pathValue) (response, *field.Failure) {
	bound, ok := e.bound.Get().(*http.Request)
	if !ok {
		bound = &http.Request{}
	}
	defer e.bound.Put(bound)

	bound.Method, bound.Header, bound.URL = x.request.Method, x.request.Header, bindable(x.request.URL)
	// All requests of an endpoint have the same path parameters, so those of an earlier request
	// are overwritten.
	for _, v := range values {
		bound.SetPathValue(v.name, v.value)
	}
	e.serve(x, bound)
	return x.handled, x.failure
}

// bindable is the URL of a request as the generated code reads it.
func bindable(target *url.URL) *url.URL {
	if target.RawQuery == "" {
		return target
	}
	clean := *target
	clean.RawQuery = cleanQuery(target.Query())
	return &clean
}
