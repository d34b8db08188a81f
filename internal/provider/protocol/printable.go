package protocol

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// printable escapes what the CLI prints as it comes from the provider: diagnostics, errors
// of functions, the progress of actions and the names in the results of a query. They quote
// names and texts of the service, and a terminal or the runner of a pipeline must not obey
// what these are made of.
type printable struct{ diagnostics }

// WithPrintableTexts makes all texts safe to print. It stands before all other servers, so
// that no text leaves the provider beside it.
func WithPrintableTexts(next Server) Server { return printable{diagnostics{next, escapeAll}} }

// escapeAll makes the control characters of diagnostics visible. The line breaks of details
// are meant.
func escapeAll(_ context.Context, _ any, diags []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic {
	for _, d := range diags {
		d.Summary, d.Detail = escape.Terminal(d.Summary), escape.TerminalLines(d.Detail)
	}
	return diags
}

// CallFunction implements tfprotov6.FunctionServer.
func (s printable) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	resp, err := s.diagnostics.CallFunction(ctx, req)
	if resp != nil && resp.Error != nil {
		resp.Error.Text = escape.TerminalLines(resp.Error.Text)
	}
	return resp, err
}

// ListResource implements tfprotov6.ListResourceServer.
func (s printable) ListResource(ctx context.Context, req *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	stream, err := s.diagnostics.ListResource(ctx, req)
	if stream == nil || stream.Results == nil {
		return stream, err
	}

	stream.Results = each(stream.Results, func(result *tfprotov6.ListResourceResult) {
		result.DisplayName = escape.Terminal(result.DisplayName)
	})
	return stream, err
}

// InvokeAction implements tfprotov6.ActionServer.
func (s printable) InvokeAction(ctx context.Context, req *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := s.diagnostics.InvokeAction(ctx, req)
	if stream == nil || stream.Events == nil {
		return stream, err
	}

	stream.Events = each(stream.Events, func(event *tfprotov6.InvokeActionEvent) {
		if progress, ok := event.Type.(tfprotov6.ProgressInvokeActionEventType); ok {
			event.Type = tfprotov6.ProgressInvokeActionEventType{Message: escape.TerminalLines(progress.Message)}
		}
	})
	return stream, err
}
