package testserver

import (
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
)

// Exchange is a request to the API with the response that it gets, for [Options.Observe].
type Exchange struct {
	// Method and Path are those of the request.
	Method, Path string
	// Operation is the operationId, for example surveys_list; empty when the document
	// has none for the request.
	Operation string
	// Status, Header and Body are the response. They belong to the server and are valid
	// until Observe returns.
	Status int
	Header http.Header
	Body   []byte
	// World is the name of the world that responded; empty for the server's own.
	World string
	// Fault reports whether a fault made or changed the response.
	Fault bool
}

// observe passes the complete response to the observer of the server.
func (x *exchange) observe(hit faults.Effect) {
	if x.settings.observe == nil {
		return
	}
	seen := Exchange{
		Method: x.request.Method, Path: x.request.URL.Path, Status: x.response.status, Header: x.header, Body: x.response.body,
		Fault: hit.ChangesResponse(), World: x.world,
		Operation: x.operation(),
	}
	x.settings.observe(seen)
}
