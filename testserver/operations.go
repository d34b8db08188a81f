package testserver

import "github.com/surveys-as-code/terraform-provider-posthog/internal/api"

// operations implements the generated server interface: a method for each
// operation of the document, called with the store locked and the caller authorized.
// It has no state: the server of a request is that of its [exchange].
type operations struct{}

var _ api.ServerInterface = (*operations)(nil)
