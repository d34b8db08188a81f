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

// readable makes what the CLI prints readable: diagnostics, errors of functions, the progress of
// actions and the names in the results of a query. They quote names and texts of the service, and
// a terminal or the runner of a pipeline must not obey what these are made of; their paths lead
// to lines in every version of the CLI; and those of values that no type can hold print no value.
type readable struct {
	// types is called only if there is an error.
	types func() Types
	// exact reports whether the CLI follows a path to its end. The CLI names its
	// version when it configures the provider: terraform validate never does, so its
	// diagnostics point at elements in every version.
	exact atomic.Bool
}

// WithReadableTexts makes all texts readable. It stands before all other servers, so that no text
// leaves the provider beside it. types are those of the provider's blocks.
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
		// Each other response has them in a field of the same name, which no interface gives access to.
		field := reflect.ValueOf(response).Elem().FieldByName("Diagnostics")
		if diags, ok := reflect.TypeAssert[[]*tfprotov6.Diagnostic](field); ok {
			field.Set(reflect.ValueOf(s.escapeControls(ctx, request, diags)))
		}
	}
}

// escapeControls makes the control characters of diagnostics visible. It keeps the line
// breaks of details.
func (s *readable) escapeControls(ctx context.Context, request any, diags []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic {
	diags = s.legible(ctx, request, diags)
	for _, d := range diags {
		d.Summary, d.Detail = escape.Terminal(d.Summary), escape.TerminalLines(d.Detail)
		d.Attribute = cut(d.Attribute, s.exact.Load())
	}
	return diags
}

// exactSince is the first Terraform that follows a path to its end. OpenTofu 1.12
// reports a version below it, and so does a CLI that reports none.
var exactSince = version.Must(version.NewVersion("1.16.0"))

// followsPaths reports whether a version of the CLI follows a path to its end.
func followsPaths(cli string) bool {
	parsed, err := version.NewVersion(cli)

	// A pre-release of 1.16 resolves paths as 1.16 does.
	return err == nil && parsed.Core().GreaterThanOrEqual(exactSince)
}

// cut ends a path at the last step that the CLI can turn into a line of the configuration.
//
// Terraform before 1.16 and OpenTofu look up the last attribute of a path in the resource
// itself: of questions[1].type they show the type of the survey. All of them find an element
// of a list. The texts of diagnostics carry the full path, so nothing is lost where the path
// is cut.
func cut(path *tftypes.AttributePath, exact bool) *tftypes.AttributePath {
	steps := path.Steps()
	for i, step := range steps {
		// Terraform 1.16 itself panics ("not a string") on a path into a map whose
		// keys are written as numbers, as in { 0 = "7" }.
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
