// Package protocol stands between the CLI and the plugin framework's provider server: each
// type of it is a server before a server, which improves the calls that it names and passes
// on the others. What one of them is for, its file says.
package protocol

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Server is all that the plugin framework serves. One that wraps another embeds it.
type Server interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

// Wrap returns the plugin framework's provider server as the innermost Server. The error is
// that of a framework that serves less.
func Wrap(framework tfprotov6.ProviderServer) (Server, error) {
	server, ok := framework.(Server)
	if !ok {
		return nil, fmt.Errorf("%T does not serve all that the framework serves", framework)
	}
	return server, nil
}
