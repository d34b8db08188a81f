package protocol

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// readable makes the texts that the CLI prints safe and useful: diagnostics, function errors, actions' progress
// messages, and names in query results. These texts may contain names from PostHog, so readable escapes control
// characters, which could otherwise control a terminal or a CI runner. It adjusts paths so that they lead to a line in
// every CLI version. It removes the value from errors about values that do not fit their types.
type readable struct {
	// types is called only if there is an error.
	types func() Types
	// exact is set if the CLI resolves a diagnostic's complete path. The CLI reports its version when it configures the
	// provider. terraform validate never configures it, so its diagnostics always use shortened paths.
	exact atomic.Bool
}

// WithReadableTexts makes all texts readable. It must be the outermost server, so that every text passes through it.
// types returns the types of the provider's blocks.
func WithReadableTexts(next Server, types func() Types) Server {
	s := &readable{types: sync.OnceValue(types)}
	return Around{next, s.call}
}

func (s *readable) call(ctx context.Context, request any, next func(context.Context) (any, error)) {
	if configure, ok := request.(*tfprotov6.ConfigureProviderRequest); ok {
		s.exact.Store(followsPaths(configure.TerraformVersion))
	}
	response, _ := next(ctx)
	if reflect.ValueOf(response).IsNil() {
		return
	}

	switch response := response.(type) {
	case *tfprotov6.CallFunctionResponse:
		if response.Error != nil {
			response.Error.Text = escape.TerminalLines(response.Error.Text)
		}
	case *tfprotov6.ListResourceServerStream:
		response.Results = Each(response.Results, func(result *tfprotov6.ListResourceResult) {
			result.DisplayName = escape.Terminal(result.DisplayName)
			result.Diagnostics = s.escapeControls(ctx, request, result.Diagnostics)
		})
	case *tfprotov6.InvokeActionServerStream:
		response.Events = Each(response.Events, func(event *tfprotov6.InvokeActionEvent) {
			switch happened := event.Type.(type) {
			case tfprotov6.ProgressInvokeActionEventType:
				event.Type = tfprotov6.ProgressInvokeActionEventType{Message: escape.TerminalLines(happened.Message)}
			case tfprotov6.CompletedInvokeActionEventType:
				happened.Diagnostics = s.escapeControls(ctx, request, happened.Diagnostics)
				event.Type = happened
			}
		})
	default:
		// All other responses have a field Diagnostics, but no interface provides access to it.
		field := reflect.ValueOf(response).Elem().FieldByName("Diagnostics")
		if diags, ok := reflect.TypeAssert[[]*tfprotov6.Diagnostic](field); ok {
			field.Set(reflect.ValueOf(s.escapeControls(ctx, request, diags)))
		}
	}
}

// escapeControls escapes the control characters in diagnostics, except for line breaks in details.
func (s *readable) escapeControls(ctx context.Context, request any, diags []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic {
	diags = s.legible(ctx, request, diags)
	for _, d := range diags {
		d.Summary, d.Detail = escape.Terminal(d.Summary), escape.TerminalLines(d.Detail)
		d.Attribute = cut(d.Attribute, s.exact.Load())
	}
	return diags
}

// exactSince is the first Terraform version that resolves complete paths. OpenTofu 1.12 reports a lower version, and
// a CLI that reports no version is treated as older.
var exactSince = version.Must(version.NewVersion("1.16.0"))

// followsPaths reports whether a version of the CLI resolves complete paths.
func followsPaths(cli string) bool {
	parsed, err := version.NewVersion(cli)

	// A pre-release of 1.16 resolves paths like 1.16.
	return err == nil && parsed.Core().GreaterThanOrEqual(exactSince)
}

// cut shortens a path to the last step that the CLI can resolve to a configuration line.
//
// Terraform before 1.16 and OpenTofu look up a path's last attribute in the resource itself: for questions[1].type,
// they show the survey's type. All versions resolve a list element. Diagnostic texts contain the complete path, so no
// information is lost.
func cut(path *tftypes.AttributePath, exact bool) *tftypes.AttributePath {
	steps := path.Steps()
	for i, step := range steps {
		// Terraform 1.16 panics ("not a string") for a path into a map whose keys are written as numbers, such as { 0
		// = "7" }.
		if _, isMapKey := step.(tftypes.ElementKeyString); isMapKey {
			steps = steps[:i]
			break
		}
	}

	if !exact && len(steps) > 1 {
		if _, isElement := steps[1].(tftypes.ElementKeyInt); isElement {
			steps = steps[:2]
		} else {
			steps = steps[:1]
		}
	}

	if len(steps) == 0 {
		return nil
	}
	return tftypes.NewAttributePathWithSteps(steps)
}
