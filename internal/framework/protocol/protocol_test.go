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
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The error for invalid JSON contains the position and the reason, and doesn't repeat the text.
func TestInvalidJSONHasAPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{\"secret\": 1,}":                "line 1, column 14: invalid character '}'",
		"{\n  \"secret\": [1, 2,\n  ]\n}": "line 3, column 3: invalid character ']'",
		"{\"secret\" 1}":                  "line 1, column 11: invalid character '1' after object key",
		"{\"é\": \"secret\" x}":           "line 1, column 16: invalid character 'x'",
		"{secret: 1}":                     "line 1, column 2: invalid character 's'",
		"{\"secret\":":                    "line 1, column 10: unexpected end of JSON input",
		"{\"secret\": 1} x":               "line 1, column 15: invalid character 'x' after top-level value",
		" ":                               "line 1, column 1: unexpected end of JSON input",
	} {
		d := &tfprotov6.Diagnostic{
			Summary: invalidJSON, Detail: "A string value was provided that is not valid JSON string format (RFC 7159).\n\nGiven Value: " + text + "\n",
			Attribute: tftypes.NewAttributePath().WithAttributeName("questions").WithElementKeyInt(1).WithAttributeName("extra"),
		}
		locateInvalidJSON([]*tfprotov6.Diagnostic{d})
		assert.Equal(t, "Invalid JSON", d.Summary)
		assert.Contains(t, d.Detail, "questions[1].extra is not valid JSON: "+want, text)
		assert.NotContains(t, d.Detail, "secret", text)
		assert.NotContains(t, d.Detail, "RFC")
	}

	other := &tfprotov6.Diagnostic{Summary: "Another", Detail: "Given Value: {"}
	locateInvalidJSON([]*tfprotov6.Diagnostic{other})
	assert.Equal(t, "Given Value: {", other.Detail)
}

func TestCut(t *testing.T) {
	t.Parallel()
	root := tftypes.NewAttributePath().WithAttributeName
	question := root("questions").WithElementKeyInt(1)
	responses := question.WithAttributeName("branching").WithAttributeName("response_values")
	for name, c := range map[string]struct{ path, older, exact *tftypes.AttributePath }{
		"none":               {nil, nil, nil},
		"attribute":          {root("name"), root("name"), root("name")},
		"element":            {question, question, question},
		"attribute of one":   {question.WithAttributeName("type"), question, question.WithAttributeName("type")},
		"element of one":     {question.WithAttributeName("choices").WithElementKeyInt(2), question, question.WithAttributeName("choices").WithElementKeyInt(2)},
		"map key":            {responses.WithElementKeyString("0"), question, responses},
		"map key at the top": {root("counts").WithElementKeyString("a"), root("counts"), root("counts")},
		"nested attribute":   {root("timeouts").WithAttributeName("create"), root("timeouts"), root("timeouts").WithAttributeName("create")},
	} {
		assert.True(t, c.older.Equal(cut(c.path, false)), "%s, older: %s", name, cut(c.path, false))
		assert.True(t, c.exact.Equal(cut(c.path, true)), "%s, exact: %s", name, cut(c.path, true))
	}
}

func TestVersionsThatFollowPaths(t *testing.T) {
	t.Parallel()
	for cli, want := range map[string]bool{
		"": false, "unknown": false, "1.0.0": false, "1.11.4": false, "1.12.6": false, "1.15.9": false,
		"1.16.0": true, "1.16.0-dev": true, "1.16.4": true, "1.20.0": true, "2.0.0": true,
	} {
		assert.Equal(t, want, followsPaths(cli), "version %q", cli)
	}
}

// hostile is text from PostHog that changes a terminal's title, reverses the text after it, and starts a CI runner's
// command.
const hostile = "NPS \x1b]0;owned\x07 \u009b31m \u202eevil\n::error::x\n\tsecond line"

// meant is text that people write. None of it is escaped.
const meant = "👩‍👩‍👧 naïve “Wie geht’s?” مرحبا بالعالم 日本語"

const (
	line  = `NPS \x1b]0;owned\x07 \u009b31m \u202eevil\n::error::x\n\tsecond line ` + meant
	lines = "NPS \\x1b]0;owned\\x07 \\u009b31m \\u202eevil\n\u2060::error::x\n\tsecond line " + meant
)

// service returns the hostile text in every response that a provider can print.
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
	s := WithReadableTexts(service{}, func() Types { return Types{} })
	assertEscaped := func(diags []*tfprotov6.Diagnostic) {
		t.Helper()
		require.Len(t, diags, 2)
		for _, d := range diags {
			assert.Equal(t, line, d.Summary)
			assert.Equal(t, lines, d.Detail)
		}
	}

	read, err := s.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{})
	require.NoError(t, err)
	assertEscaped(read.Diagnostics)

	called, err := s.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{})
	require.NoError(t, err)
	assert.Equal(t, lines, called.Error.Text)

	listed, err := s.ListResource(t.Context(), &tfprotov6.ListResourceRequest{})
	require.NoError(t, err)
	for result := range listed.Results {
		assert.Equal(t, line, result.DisplayName)
		assertEscaped(result.Diagnostics)
	}

	invoked, err := s.InvokeAction(t.Context(), &tfprotov6.InvokeActionRequest{})
	require.NoError(t, err)
	events := slices.Collect(invoked.Events)
	require.Len(t, events, 2)
	assert.Equal(t, tfprotov6.ProgressInvokeActionEventType{Message: lines}, events[0].Type)
	assertEscaped(events[1].Type.(tfprotov6.CompletedInvokeActionEventType).Diagnostics) //nolint:forcetypeassert // a failure is what it should be
}

// silent are the calls whose responses contain no external text: descriptions of the provider, and kinds of objects
// that it doesn't have.
var silent = []string{
	"GetMetadata", "GetProviderSchema", "GetResourceIdentitySchemas", "GetFunctions",
	"ValidateEphemeralResourceConfig", "OpenEphemeralResource", "RenewEphemeralResource", "CloseEphemeralResource",
	"ValidateStateStoreConfig", "ConfigureStateStore", "ReadStateBytes", "WriteStateBytes", "GetStates", "DeleteState", "LockState", "UnlockState",
	"StopProvider",
}

// If a newer protocol adds a call, that call would bypass the server.
func TestEveryCallIsWrapped(t *testing.T) {
	t.Parallel()
	var wrapped []string
	for _, name := range []string{"printable.go", "protocol.go"} {
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
