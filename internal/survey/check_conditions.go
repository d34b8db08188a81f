package survey

import (
	"encoding/json"
	"errors"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

var matchTypes = []string{"regex", "not_regex", "exact", "is_not", "icontains", "not_icontains"}

var matchType = oneOf(matchTypes...)

// eventList is a list of events with filters. The web SDK alone knows gt and lt.
var eventList = listOf(objectShape{
	"name":            stringShape,
	"propertyFilters": mapOf(objectShape{"values": listOf(stringShape), "operator": usuallyOneOf(append([]string{"gt", "lt"}, matchTypes...)...)}.shape),
}.shape)

var conditionKeys = objectShape{
	"url": stringShape, "urlMatchType": matchType, "selector": stringShape,
	"deviceTypes": listOf(oneOf("Desktop", "Mobile", "Tablet")), "deviceTypesMatchType": matchType,
	"seenSurveyWaitPeriodInDays": integerShape, "linkedFlagVariant": stringShape,
	"events": objectShape{"repeatedActivation": boolShape, "values": eventList}.shape,
	// One of these calls off a survey that waits to be shown.
	"cancelEvents": objectShape{"values": eventList}.shape,
	// What the service tells of an action is much more than its id and name.
	"actions": objectShape{"values": listOf(mapOf(anyShape))}.shape,
}

func checkConditions(s candidate, found *findings) {
	p := atAttribute("conditions")
	conditions, ok := decodedObject(p, s.Conditions, found)
	if !ok {
		return
	}
	conditionKeys.shape(p, conditions, found)
	for i, action := range valuesOf(conditions["actions"]) {
		id := p.key("actions").key("values").item(i).key("id")
		if object, ok := action.(map[string]any); ok && object["id"] == nil {
			found.errorf(id, "Missing action id", "is missing: an action is linked by its id.")
		} else if ok {
			integerShape(id, object["id"], found)
		}
	}
	for _, key := range []string{"events", "cancelEvents"} {
		for i, event := range valuesOf(conditions[key]) {
			if object, ok := event.(map[string]any); ok && (object["name"] == nil || object["name"] == "") {
				found.errorf(p.key(key).key("values").item(i).key("name"), "Missing event name", "is missing: an event is known by its name.")
			}
		}
	}
	url, _ := conditions["url"].(string)
	if how, _ := conditions["urlMatchType"].(string); how == "regex" || how == "not_regex" {
		if reason, ok := regexpError(url); ok {
			found.warnf(p.key("url"), "Invalid regular expression", "is %q: %s. No address would match it.", url, reason)
		}
	}
}

// valuesOf is the values key of an object of conditions.
func valuesOf(v any) []any {
	object, _ := v.(map[string]any)
	list, _ := object["values"].([]any)
	return list
}

// regexpError reports a regular expression that no engine takes. What only Go does not
// know, such as looking ahead, is none of it.
func regexpError(pattern string) (string, bool) {
	_, err := syntax.Parse(pattern, syntax.Perl)
	parsed, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return "", false
	}
	switch parsed.Code {
	case syntax.ErrMissingBracket, syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrTrailingBackslash, syntax.ErrMissingRepeatArgument:
		return parsed.Code.String(), true
	default:
		return "", false
	}
}

// checkLinkedFlag checks the variant of the linked flag. Which variants a flag has
// is known of one that was linked before, as it was when it was read.
func checkLinkedFlag(s candidate, found *findings) {
	v, _ := decoded(s.Conditions)
	conditions, _ := v.(map[string]any)
	variant, _ := conditions["linkedFlagVariant"].(string)
	p := atAttribute("conditions").key("linkedFlagVariant")
	if variant == "" || s.LinkedFlagID.IsUnknown() {
		return
	}
	if s.LinkedFlagID.IsNull() {
		found.errorf(p, "linkedFlagVariant without a linked flag", "is %q, but no flag is linked. Set linked_flag_id to the flag that has the variant.", variant)
		return
	}
	filters, ok := s.LinkedFlag.Attributes()["filters"].(jsontypes.Normalized)
	if !ok || !attribute.IsKnown(filters) || variant == "any" {
		return
	}
	if there := variantsOf(filters.ValueString()); !slices.Contains(there, variant) {
		list := "none"
		if len(there) > 0 {
			list = strings.Join(there, ", ")
		}
		found.warnf(p, "Unknown variant of the linked flag",
			"is %q. The variants of flag %d, when it was last read, are: %s.", variant, s.LinkedFlagID.ValueInt64(), list).dedupKey = variant
	}
}

// variantsOf are the keys of the variants in the filters of a flag.
func variantsOf(filters string) []string {
	var read struct {
		Multivariate *struct {
			Variants []struct {
				Key string `json:"key"`
			} `json:"variants"`
		} `json:"multivariate"`
	}
	if json.Unmarshal([]byte(filters), &read) != nil || read.Multivariate == nil {
		return nil
	}
	var keys []string
	for _, variant := range read.Multivariate.Variants {
		keys = append(keys, variant.Key)
	}
	return keys
}

// checkExternal refuses what has no meaning in a survey that is a page of its own.
func checkExternal(s candidate, found *findings) {
	if s.Type.ValueString() != string(api.ExternalSurvey) {
		return
	}
	const title = "Not supported by external surveys"
	const text = "has no meaning in a survey of type external_survey, which is a page of its own. Take it out, or change the type."
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
