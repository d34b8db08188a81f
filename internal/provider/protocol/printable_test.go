package protocol

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostile is a text of the service that changes the title of a terminal, turns around what
// follows it and begins a command of a runner.
const hostile = "NPS \x1b]0;owned\x07 \u009b31m \u202eevil\n::error::x\n\tsecond line"

// meant is what people write: none of it is escaped.
const meant = "👩‍👩‍👧 naïve “Wie geht’s?” مرحبا بالعالم 日本語"

const (
	line  = `NPS \x1b]0;owned\x07 \u009b31m \u202eevil\n::error::x\n\tsecond line ` + meant
	lines = "NPS \\x1b]0;owned\\x07 \\u009b31m \\u202eevil\n\u2060::error::x\n\tsecond line " + meant
)

// service serves the hostile text in all ways in which a provider can print one.
type service struct{ Server }

func hostileDiagnostics() []*tfprotov6.Diagnostic {
	return []*tfprotov6.Diagnostic{
		{Severity: tfprotov6.DiagnosticSeverityError, Summary: hostile + " " + meant, Detail: hostile + " " + meant},
		{Severity: tfprotov6.DiagnosticSeverityWarning, Summary: hostile + " " + meant, Detail: hostile + " " + meant},
	}
}

func (service) ReadResource(context.Context, *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return &tfprotov6.ReadResourceResponse{Diagnostics: hostileDiagnostics()}, nil
}

func (service) CallFunction(context.Context, *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	return &tfprotov6.CallFunctionResponse{Error: &tfprotov6.FunctionError{Text: hostile + " " + meant}}, nil
}

func (service) ListResource(context.Context, *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	return &tfprotov6.ListResourceServerStream{Results: slices.Values([]tfprotov6.ListResourceResult{
		{DisplayName: hostile + " " + meant, Diagnostics: hostileDiagnostics()},
	})}, nil
}

func (service) InvokeAction(context.Context, *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	return &tfprotov6.InvokeActionServerStream{Events: slices.Values([]tfprotov6.InvokeActionEvent{
		{Type: tfprotov6.ProgressInvokeActionEventType{Message: hostile + " " + meant}},
		{Type: tfprotov6.CompletedInvokeActionEventType{Diagnostics: hostileDiagnostics()}},
	})}, nil
}

func TestTextsAreSafeToPrint(t *testing.T) {
	t.Parallel()
	s := WithPrintableTexts(service{})
	assertEscaped := func(diags []*tfprotov6.Diagnostic) {
		t.Helper()
		require.Len(t, diags, 2)
		for _, d := range diags {
			assert.Equal(t, line, d.Summary)
			assert.Equal(t, lines, d.Detail)
		}
	}

	read, err := s.ReadResource(t.Context(), nil)
	require.NoError(t, err)
	assertEscaped(read.Diagnostics)

	called, err := s.CallFunction(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, lines, called.Error.Text)

	listed, err := s.ListResource(t.Context(), nil)
	require.NoError(t, err)
	for result := range listed.Results {
		assert.Equal(t, line, result.DisplayName)
		assertEscaped(result.Diagnostics)
	}

	invoked, err := s.InvokeAction(t.Context(), nil)
	require.NoError(t, err)
	events := slices.Collect(invoked.Events)
	require.Len(t, events, 2)
	assert.Equal(t, tfprotov6.ProgressInvokeActionEventType{Message: lines}, events[0].Type)
	assertEscaped(events[1].Type.(tfprotov6.CompletedInvokeActionEventType).Diagnostics) //nolint:forcetypeassert // a failure is what it should be
}

// silent are the calls whose responses hold no text from outside: descriptions of the
// provider, and kinds of objects that it does not have.
var silent = []string{
	"GetMetadata", "GetProviderSchema", "GetResourceIdentitySchemas", "GetFunctions",
	"ValidateEphemeralResourceConfig", "OpenEphemeralResource", "RenewEphemeralResource", "CloseEphemeralResource",
	"ValidateStateStoreConfig", "ConfigureStateStore", "ReadStateBytes", "WriteStateBytes", "GetStates", "DeleteState", "LockState", "UnlockState",
	"StopProvider",
}

// A call that a newer protocol adds would pass by the server.
func TestEveryCallIsWrapped(t *testing.T) {
	t.Parallel()
	var wrapped []string
	for _, name := range []string{"printable.go", "diagnostics.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for _, declaration := range file.Decls {
			if method, ok := declaration.(*ast.FuncDecl); ok && method.Recv != nil {
				wrapped = append(wrapped, method.Name.Name)
			}
		}
	}

	for method := range reflect.TypeFor[Server]().Methods() {
		assert.NotEqual(t, slices.Contains(wrapped, method.Name), slices.Contains(silent, method.Name), method.Name)
	}
}
