package surveyfile

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// findings returns the findings of all checks for a survey.
func findings(fields survey.Fields) []check.Finding {
	var found check.Findings
	if check.MissingValues(fields.Questions, &found) {
		found = append(found, check.HandWritten(fields)...)
	}
	return found.InYAML()
}

// checkSchema returns the errors that the resource schema reports for a new survey.
func checkSchema(ctx context.Context, fields survey.Fields, values map[string]attr.Value) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, name := range []string{"name", "type"} {
		if values[name].IsNull() {
			diags.AddAttributeError(path.Root(name), "Missing value", name+" is missing. Every survey has one.")
		}
	}
	if !fields.TargetingFlagID.IsNull() && !fields.TargetingFlagFilters.IsNull() {
		diags.AddError("Conflict", "targeting_flag_id conflicts with targeting_flag_filters. Remove one of them")
	}
	allowed := surveyschema.HandWrittenAttributes()
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		if name != "targeting_flag_filters" {
			validate(ctx, name, allowed[name], values[name], &diags)
		}
	}
	return diags
}

// validate runs the validators of an attribute.
func validate(ctx context.Context, name string, a schema.Attribute, value attr.Value, diags *diag.Diagnostics) {
	switch a := a.(type) {
	case schema.StringAttribute:
		text, _ := value.(types.String)
		for _, one := range a.Validators {
			var resp validator.StringResponse
			one.ValidateString(ctx, validator.StringRequest{Path: path.Root(name), ConfigValue: text}, &resp)
			diags.Append(resp.Diagnostics...)
		}
	case schema.Int64Attribute:
		number, _ := value.(types.Int64)
		for _, one := range a.Validators {
			var resp validator.Int64Response
			one.ValidateInt64(ctx, validator.Int64Request{Path: path.Root(name), ConfigValue: number}, &resp)
			diags.Append(resp.Diagnostics...)
		}
	}
}
