package check

import (
	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// appearanceKeys are the keys that PostHog or an SDK supports.
var appearanceKeys = newObjectShape(appearanceTable)

func checkAppearance(s candidate, findings *Findings) {
	p := atAttribute("appearance")
	if appearance, ok := decodedObject(p, s.Appearance, findings); ok {
		appearanceKeys.shape(p, appearance, findings)
		if appearance["widgetType"] == "selector" && (appearance["widgetSelector"] == nil || appearance["widgetSelector"] == "") {
			findings.warnf(p.key("widgetSelector"), missingWidgetSelector,
				`is missing, but widgetType is "selector". Set it to the CSS selector of the element that opens the survey. Otherwise, respondents cannot open it.`)
		}
	}
}

// checkShuffle warns of branching in a survey with shuffled questions, because targets are positions in the
// configured order.
func checkShuffle(s candidate, findings *Findings) {
	if objectKeys(s.Appearance)["shuffleQuestions"] != true {
		return
	}

	for _, question := range s.Questions.List() {
		if attribute.IsKnown(question.Branching) {
			findings.errorf(atAttribute("appearance").key("shuffleQuestions"), shuffledBranching,
				"is true, but a question has branching, which requires a fixed order. Remove shuffleQuestions, or remove the branching.")
			return
		}
	}
}

// notExternal lists the conditions that have no effect on an external survey.
var notExternal = []string{
	"url", "urlMatchType", "selector", "seenSurveyWaitPeriodInDays", "linkedFlagVariant", "deviceTypes", "deviceTypesMatchType", "actions", "events",
}

// checkExternal rejects settings that have no effect on an external survey.
func checkExternal(s candidate, findings *Findings) {
	if s.Type.ValueString() != string(api.ExternalSurvey) {
		return
	}
	refuse := func(p location) {
		findings.errorf(p, notForExternal, "does not apply to a survey of type external_survey, which is a separate page. Remove it, or change the type.")
	}

	if attribute.IsKnown(s.LinkedFlagID) {
		refuse(atAttribute("linked_flag_id"))
	}
	if _, ok := decodeAttribute(s.TargetingFlagFilters); ok {
		refuse(atAttribute("targeting_flag_filters"))
	}
	conditions := objectKeys(s.Conditions)
	for _, key := range notExternal {
		isTrigger := key == "actions" || key == "events"
		if conditions[key] != nil && (!isTrigger || len(valueList(conditions[key])) > 0) {
			refuse(atAttribute("conditions").key(key))
		}
	}
	if objectKeys(s.Appearance)["surveyPopupDelaySeconds"] != nil {
		refuse(atAttribute("appearance").key("surveyPopupDelaySeconds"))
	}
}
