package survey

import (
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// configurationFields maps the attributes that a response contains under the same names.
var configurationFields = attribute.MustMap[api.Survey, Fields](slices.Concat(computedNames, iterationNames, []string{"start_date", "end_date", "questions"})...)

// FromConfiguration returns a configured survey in the form of a response. Omitted attributes are null. Dates, and
// attributes that only PostHog computes, are missing.
func FromConfiguration(config Fields) (api.Survey, diag.Diagnostics) {
	var wire api.Survey
	var diags diag.Diagnostics
	configurationFields.Send(&wire, attribute.FromStruct(&config), nil)

	wire.Questions.SetNull()
	if !config.Questions.IsNull() {
		questions := []json.RawMessage{}
		for i, q := range config.Questions.List() {
			questions = append(questions, QuestionToAPI(q, nil, path.Root("questions").AtListIndex(i), &diags))
		}
		wire.Questions.Set(questions)
	}

	wire.TargetingFlag.SetNull()
	switch key, id := OwnFlagPrefix, int64(0); { // an ID that no other flag has
	case !config.TargetingFlagFilters.IsNull():
		wire.TargetingFlag = nullable.NewNullableWithValue(api.FeatureFlag{ID: &id, Key: &key, Filters: attribute.ObjectKeys(config.TargetingFlagFilters)})
	case !config.TargetingFlagID.IsNull():
		wire.TargetingFlag = nullable.NewNullableWithValue(api.FeatureFlag{ID: config.TargetingFlagID.ValueInt64Pointer()})
	}
	return wire, diags
}
