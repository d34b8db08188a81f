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

// Types are the types of all blocks that can be configured.
type Types struct {
	// Provider is the type of the provider block.
	Provider attr.Type
	// Resources, DataSources and Actions are those of the blocks of a resource, data source
	// or action type, by its name.
	Resources, DataSources, Actions map[string]attr.Type
}

// requestConfig is the configuration of a request, and the type of its block; nil for a request
// without one.
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

// legible returns the diagnostics of a configuration unchanged, unless it has values that the type
// cannot hold, such as a fraction in a whole number. Without an error it checks nothing.
//
// The plugin framework refuses them too, but as a fault of the provider, once for each
// attribute around the value, and with the objects around it printed in full: values that
// Terraform holds as sensitive would be in the log. One error a value stands in place of
// those, which names the attribute and no value. Of a text that is no JSON it says where.
func (s *readable) legible(ctx context.Context, request any, diags []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic {
	if !slices.ContainsFunc(diags, isError) {
		return diags
	}
	config, typ := s.requestConfig(request)
	if config == nil {
		return diags
	}
	placeInvalidJSON(diags)
	if typ == nil { // a block that the provider does not serve
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

// How the framework's JSON type words the error of a text that is no JSON: it names no
// place, and prints the whole text, which may be sensitive.
const (
	invalidJSON = "Invalid JSON String Value"
	givenValue  = "Given Value: "
)

// placeInvalidJSON rewords the errors of texts that are no JSON: where, and what is wrong there.
func placeInvalidJSON(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		_, text, isGiven := strings.Cut(d.Detail, givenValue)
		if d.Summary != invalidJSON || !isGiven {
			continue
		}
		d.Summary = "Invalid JSON"
		d.Detail = fmt.Sprintf("%s is not valid JSON: %s. To write valid JSON, use jsonencode({ ... }).", attributeName(d.Attribute), jsonFault(strings.TrimSuffix(text, "\n")))
	}
}

// attributeName is a path as a configuration writes it.
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

// jsonFault says where a text stops to be JSON, and why, without repeating the text.
func jsonFault(text string) string {
	var whole any
	var syntax *json.SyntaxError
	err := json.Unmarshal([]byte(text), &whole)
	if !errors.As(err, &syntax) {
		return fmt.Sprint(err)
	}

	// The offset counts the bytes that were read, the wrong one included.
	prefix := text[:max(int(syntax.Offset)-1, 0)]
	line := strings.Count(prefix, "\n") + 1
	column := len([]rune(prefix[strings.LastIndex(prefix, "\n")+1:])) + 1
	return fmt.Sprintf("line %d, column %d: %s", line, column, syntax)
}
