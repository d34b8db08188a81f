package testserver

import "github.com/surveys-as-code/terraform-provider-posthog/internal/api"

// operations implements the generated server interface: a method for each
// operation of the document, called with the store locked and the caller authorized.
type operations struct{ server *Server }

var _ api.ServerInterface = (*operations)(nil)
