package protocol

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// Types contains the types of all blocks that users configure.
type Types struct {
	// Provider is the type of the provider block.
	Provider attr.Type
	// Resources, DataSources, and Actions contain the block types by resource type, data source type, and action
	// type.
	Resources, DataSources, Actions map[string]attr.Type
}

// requestConfig returns the configuration in a request, and the type of its block. It returns nil if the request does
// not contain a configuration.
func (s *readable) requestConfig(request any) (*tfprotov6.DynamicValue, attr.Type) {
	switch req := request.(type) {
	case *tfprotov6.ValidateResourceConfigRequest:
		return req.Config, s.types().Resources[req.TypeName]
	case *tfprotov6.ValidateDataResourceConfigRequest:
		return req.Config, s.types().DataSources[req.TypeName]
	case *tfprotov6.ReadDataSourceRequest:
		return req.Config, s.types().DataSources[req.TypeName]
	case *tfprotov6.ValidateActionConfigRequest:
		return req.Config, s.types().Actions[req.ActionType]
	case *tfprotov6.InvokeActionRequest:
		return req.Config, s.types().Actions[req.ActionType]
	case *tfprotov6.ValidateProviderConfigRequest:
		return req.Config, s.types().Provider
	case *tfprotov6.ConfigureProviderRequest:
		return req.Config, s.types().Provider
	}
	return nil, nil
}

// legible replaces the errors about values that do not fit their types, such as a fraction for an integer. It returns
// all other diagnostics unchanged.
//
// The plugin framework reports such a value as a bug in the provider, once for each object around the value, and prints
// these objects with values that may be sensitive. Instead, legible returns one error per value, which contains the
// attribute but no value. It also reports the position of invalid JSON.
func (s *readable) legible(ctx context.Context, request any, diags []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic {
	if !slices.ContainsFunc(diags, isError) {
		return diags
	}
	config, typ := s.requestConfig(request)
	if config == nil {
		return diags
	}
	locateInvalidJSON(diags)
	if typ == nil { // the provider does not support this block
		return diags
	}
	raw, err := config.Unmarshal(typ.TerraformType(ctx))
	if err != nil {
		return diags
	}

	var found []*tfprotov6.Diagnostic
	for _, misfit := range attribute.TypeMismatches(ctx, raw, typ) {
		d := misfit.Diagnostic()
		found = append(found, &tfprotov6.Diagnostic{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: d.Summary(), Detail: d.Detail(), Attribute: attribute.TerraformPath(misfit.Path),
		})
	}
	if found == nil {
		return diags
	}
	return found
}

func isError(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError }

// The framework's text for invalid JSON. It does not contain the position, and it prints the whole JSON, which may be
// sensitive.
const (
	invalidJSON = "Invalid JSON String Value"
	givenValue  = "Given Value: "
)

// locateInvalidJSON rewords errors about invalid JSON: it adds the attribute, the position, and the cause.
func locateInvalidJSON(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		_, text, isGiven := strings.Cut(d.Detail, givenValue)
		if d.Summary != invalidJSON || !isGiven {
			continue
		}
		d.Summary = "Invalid JSON"
		d.Detail = fmt.Sprintf("%s is not valid JSON: %s. To write valid JSON, use jsonencode({ ... }).", attributeName(d.Attribute), jsonFault(strings.TrimSuffix(text, "\n")))
	}
}

// attributeName returns a path in the form that a configuration uses.
func attributeName(p *tftypes.AttributePath) string {
	var name strings.Builder
	for _, step := range p.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			if name.Len() > 0 {
				name.WriteString(".")
			}
			name.WriteString(string(step))
		case tftypes.ElementKeyInt:
			fmt.Fprintf(&name, "[%d]", int64(step))
		case tftypes.ElementKeyString:
			fmt.Fprintf(&name, "[%q]", string(step))
		}
	}
	return name.String()
}

// jsonFault describes where and why a text is not valid JSON, without repeating the text.
func jsonFault(text string) string {
	var whole any
	var syntax *json.SyntaxError
	err := json.Unmarshal([]byte(text), &whole)
	if !errors.As(err, &syntax) {
		return fmt.Sprint(err)
	}

	// The offset includes the invalid byte.
	prefix := text[:max(int(syntax.Offset)-1, 0)]
	line := strings.Count(prefix, "\n") + 1
	column := len([]rune(prefix[strings.LastIndex(prefix, "\n")+1:])) + 1
	return fmt.Sprintf("line %d, column %d: %s", line, column, syntax)
}
