// Package printed escapes what the CLI prints as it comes from the provider: diagnostics,
// errors of functions, the progress of actions and the names in the results of a query. They
// quote names and texts of the service, and a terminal or the runner of a pipeline must not
// obey what these are made of.
//
// [Server] stands before all others, so that no text leaves the provider beside it.
package printed

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// framework is the interface of the plugin framework's provider server.
type framework interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

// Server is a provider server whose texts are safe to print.
type Server struct{ framework }

// New wraps a provider server of the plugin framework.
func New(next tfprotov6.ProviderServer) (*Server, error) {
	whole, ok := next.(framework)
	if !ok {
		return nil, fmt.Errorf("%T does not serve all that the framework serves", next)
	}
	return &Server{whole}, nil
}

// escaped makes the control characters of diagnostics visible. The line breaks of details
// are meant.
func escaped(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		d.Summary, d.Detail = escape.Terminal(d.Summary), escape.TerminalLines(d.Detail)
	}
}

// CallFunction implements tfprotov6.FunctionServer.
func (s *Server) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	resp, err := s.framework.CallFunction(ctx, req)
	if resp != nil && resp.Error != nil {
		resp.Error.Text = escape.TerminalLines(resp.Error.Text)
	}
	return resp, err
}

// ListResource implements tfprotov6.ListResourceServer.
func (s *Server) ListResource(ctx context.Context, req *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	stream, err := s.framework.ListResource(ctx, req)
	if stream == nil || stream.Results == nil {
		return stream, err
	}

	results := stream.Results
	stream.Results = func(yield func(tfprotov6.ListResourceResult) bool) {
		for result := range results {
			result.DisplayName = escape.Terminal(result.DisplayName)
			escaped(result.Diagnostics)
			if !yield(result) {
				return
			}
		}
	}
	return stream, err
}

// InvokeAction implements tfprotov6.ActionServer.
func (s *Server) InvokeAction(ctx context.Context, req *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := s.framework.InvokeAction(ctx, req)
	if stream == nil || stream.Events == nil {
		return stream, err
	}

	events := stream.Events
	stream.Events = func(yield func(tfprotov6.InvokeActionEvent) bool) {
		for event := range events {
			switch typed := event.Type.(type) {
			case tfprotov6.ProgressInvokeActionEventType:
				event.Type = tfprotov6.ProgressInvokeActionEventType{Message: escape.TerminalLines(typed.Message)}
			case tfprotov6.CompletedInvokeActionEventType:
				escaped(typed.Diagnostics)
			}
			if !yield(event) {
				return
			}
		}
	}
	return stream, err
}
