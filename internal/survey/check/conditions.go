package check

import (
	"encoding/json"
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
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
	// The service returns much more of an action than its id and name.
	"actions": objectShape{"values": listOf(mapOf(anyShape))}.shape,
}

func checkConditions(s candidate, found *Findings) {
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

var propertyKeys = objectShape{
	"key": anyShape, "type": anyShape, "operator": strictStringShape, "value": anyShape, "label": anyShape,
	"group_type_index": integerShape, "negation": boolShape, "cohort_name": anyShape,
}

// valueRule checks the value that an operator compares with.
type valueRule func(p location, operator string, value any, found *Findings)

// operators are the operators of feature flags, with the rule for the value; nil accepts
// any value. min and max are stored as gte and lte.
var operators = map[string]valueRule{
	"exact": nil, "is_not": nil, "is_set": nil, "is_not_set": nil, "in": nil, "not_in": nil, "flag_evaluates_to": nil,
	"icontains": wantsText, "not_icontains": wantsText, "regex": wantsRegex, "not_regex": wantsRegex,
	"gt": wantsText, "gte": wantsText, "lt": wantsText, "lte": wantsText, "min": wantsText, "max": wantsText,
	"icontains_multi": wantsList, "not_icontains_multi": wantsList,
	"is_date_exact": wantsDate, "is_date_after": wantsDate, "is_date_before": wantsDate,
	"semver_gt": wantsVersion, "semver_gte": wantsVersion, "semver_lt": wantsVersion, "semver_lte": wantsVersion,
	"semver_eq": wantsVersion, "semver_neq": wantsVersion, "semver_tilde": wantsVersion, "semver_caret": wantsVersion,
	"semver_wildcard": wantsVersion,
}

// otherOperators are known to the service, but not to its flags.
var otherOperators = []string{"between", "not_between", "is_cleaned_path_exact"}

// checkProperty checks a property of a group. index is the group type of the group, nil for
// people.
func checkProperty(p location, property map[string]any, index any, found *Findings) {
	kind, _ := property["type"].(string)
	checkPropertyType(p, property, kind, index, found)

	if key := property["key"]; key == nil || key == "" {
		found.errorf(p.key("key"), "Missing property key", "must be set: the property that is compared.")
	} else if kind == survey.FlagProperty && !isID(key) {
		found.errorf(p.key("key"), "Not a flag id", "is %s. A flag is named by its id, a number in quotes, not by its key.", excerptJSON(key))
	}

	checkOperator(p, property, kind, found)
}

func checkPropertyType(p location, property map[string]any, kind string, index any, found *Findings) {
	spot := p.key("type")
	switch {
	case property["type"] == nil && index == nil:
		found.errorf(spot, "Missing property type", "must be set: person, cohort or flag.")
	case property["type"] == nil:
		found.errorf(spot, "Missing property type", "must be set: group.")
	case index == nil && !slices.Contains([]string{survey.PersonProperty, survey.CohortProperty, survey.FlagProperty}, kind):
		found.errorf(spot, "Unknown type", "is %s. Known values: person, cohort, flag.", excerptJSON(property["type"]))
	case index != nil && kind != survey.GroupProperty:
		found.errorf(spot, "Property of another group type",
			"is %s. Where %s is set, only properties of type group can be compared.", excerptJSON(property["type"]), groupIndex)
	case index != nil && isOtherNumber(property["group_type_index"], index):
		found.errorf(p.key("group_type_index"), "Property of another group type", "is %s. It must be %s, as %s says.",
			excerptJSON(property["group_type_index"]), excerptJSON(index), groupIndex)
	}
}

// isOtherNumber reports whether two values are numbers that differ.
func isOtherNumber(a, b any) bool {
	x, okX := jsonNumber(a)
	y, okY := jsonNumber(b)
	return okX && okY && x != y
}

func checkOperator(p location, property map[string]any, kind string, found *Findings) {
	operator, _ := property["operator"].(string)
	rule, isKnown := operators[operator]
	spot := p.key("operator")
	switch {
	case slices.Contains(otherOperators, operator):
		found.errorf(spot, "Unsupported operator", "is %q, which feature flags cannot compare with.", operator)
		return
	case operator != "" && !isKnown:
		found.errorf(spot, "Unknown operator", "is %q, which is not an operator of feature flags.", operator)
		return
	case kind == survey.FlagProperty && operator != "flag_evaluates_to":
		found.errorf(spot, "Unsupported operator", `is %q. A property of type flag has the operator "flag_evaluates_to".`, operator)
	case (operator == "in" || operator == "not_in") && kind != survey.CohortProperty:
		found.errorf(spot, "Unsupported operator", `is %q, which only properties of type cohort have.`, operator)
	}

	value, isSet := property["value"]
	switch {
	case operator == "is_set" || operator == "is_not_set":
	case !isSet:
		found.errorf(p.key("value"), "Missing property value", "must be set: what the property is compared with.")
	case rule != nil:
		rule(p.key("value"), operator, value, found)
	}
}

// isID reports whether a key is the id of a flag: an integer, or a string that holds one.
func isID(key any) bool {
	text, ok := key.(string)
	if n, isNumber := key.(json.Number); isNumber {
		text, ok = n.String(), true
	}
	_, err := strconv.ParseInt(text, 10, 64)
	return ok && err == nil
}

func wantsText(p location, operator string, value any, found *Findings) {
	if _, ok := value.(string); !ok {
		found.errorf(p, "Not a string", "is %s. The operator %s wants one string, in quotes, numbers too.", excerptJSON(value), operator)
	}
}

func wantsRegex(p location, operator string, value any, found *Findings) {
	wantsText(p, operator, value, found)
	text, _ := value.(string)
	if reason, ok := regexpError(text); ok {
		found.errorf(p, "Invalid regular expression", "is %q: %s.", text, reason)
	}
}

func wantsList(p location, operator string, value any, found *Findings) {
	if _, ok := value.([]any); !ok {
		found.errorf(p, "Not a list", "is %s. The operator %s wants a list.", excerptJSON(value), operator)
	}
}

// relativeDate is a date relative to today. For absolute dates the service has a lenient
// parser, so only a value without any digit is refused.
var relativeDate = regexp.MustCompile(`^-?\d{1,4}[hdwmy]$`)

func wantsDate(p location, _ string, value any, found *Findings) {
	text, ok := value.(string)
	switch {
	case !ok:
		found.errorf(p, "Not a string", "is %s. It must be a date in quotes, such as 2026-01-31 or 14d.", excerptJSON(value))
	case !relativeDate.MatchString(text) && !strings.ContainsAny(text, "0123456789"):
		found.errorf(p, "Invalid date", "is %q. It must be a date such as 2026-01-31, or a relative one: a number and h, d, w, m or y, such as 14d.", text)
	}
}

// versionStart is the part of a version that all version grammars have in common.
var versionStart = regexp.MustCompile(`^v?\d+(\.(\d+|\*))*`)

func wantsVersion(p location, operator string, value any, found *Findings) {
	text, ok := value.(string)
	switch {
	case !ok:
		found.errorf(p, "Not a version", "is %s. The operator %s wants a version in quotes, such as 1.2.3.", excerptJSON(value), operator)
	case !versionStart.MatchString(strings.TrimSpace(text)) || strings.Contains(text, "*") && operator != "semver_wildcard":
		found.errorf(p, "Not a version", "is %q. It must be a version such as 1.2.3; semver_wildcard takes 1.2.* too.", text)
	}
}

// regexpError reports a regular expression that no engine accepts. Syntax that only Go
// lacks, such as lookahead, is accepted.
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
