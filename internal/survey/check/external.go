package check

import (
	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// checkExternal refuses settings that have no meaning for an external survey.
func checkExternal(s candidate, found *Findings) {
	if s.Type.ValueString() != string(api.ExternalSurvey) {
		return
	}

	const title = "Not supported by external surveys"
	const text = "has no meaning in a survey of type external_survey, which is a page of its own. Remove it, or change the type."

	if attribute.IsKnown(s.LinkedFlagID) {
		found.errorf(atAttribute("linked_flag_id"), title, text)
	}
	if _, ok := decoded(s.TargetingFlagFilters); ok {
		found.errorf(atAttribute("targeting_flag_filters"), title, text)
	}

	if v, ok := decoded(s.Conditions); ok {
		conditions, _ := v.(map[string]any)
		for _, key := range []string{"url", "urlMatchType", "selector", "seenSurveyWaitPeriodInDays", "linkedFlagVariant", "deviceTypes", "deviceTypesMatchType"} {
			if conditions[key] != nil {
				found.errorf(atAttribute("conditions").key(key), title, text)
			}
		}
		for _, key := range []string{"actions", "events"} {
			if len(valuesOf(conditions[key])) > 0 {
				found.errorf(atAttribute("conditions").key(key), title, text)
			}
		}
	}

	if v, ok := decoded(s.Appearance); ok {
		if appearance, _ := v.(map[string]any); appearance["surveyPopupDelaySeconds"] != nil {
			found.errorf(atAttribute("appearance").key("surveyPopupDelaySeconds"), title, text)
		}
	}
}
