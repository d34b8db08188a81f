package survey

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var propertyKeys = keys{
	"key": anything, "type": anything, "operator": onlyText, "value": anything, "label": anything,
	"group_type_index": aCount, "negation": aFlag, "cohort_name": anything,
}

// The types of property that filters can compare.
const (
	personProperty = "person"
	cohortProperty = "cohort"
	flagProperty   = "flag"
	groupProperty  = "group"
)

// valueRule checks the value that an operator compares with.
type valueRule func(p place, operator string, value any, found *findings)

// operators are those that feature flags support, with the rule for the value of each.
// Without one, an operator takes any value; min and max are stored as gte and lte.
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

// checkProperty checks one property of a group. index is the group type that the group
// is about, nil for people.
func checkProperty(p place, property map[string]any, index any, found *findings) {
	kind, _ := property["type"].(string)
	checkPropertyType(p, property, kind, index, found)

	if key := property["key"]; key == nil || key == "" {
		found.wrong(p.key("key"), "Missing property key", "must be set: the property that is compared.")
	} else if kind == flagProperty && !isID(key) {
		found.wrong(p.key("key"), "Not a flag id", "is %s. A flag is named by its id, a number in quotes, not by its key.", brief(key))
	}

	checkOperator(p, property, kind, found)
}

func checkPropertyType(p place, property map[string]any, kind string, index any, found *findings) {
	spot := p.key("type")
	switch {
	case property["type"] == nil && index == nil:
		found.wrong(spot, "Missing property type", "must be set: person, cohort or flag.")
	case property["type"] == nil:
		found.wrong(spot, "Missing property type", "must be set: group.")
	case index == nil && !slices.Contains([]string{personProperty, cohortProperty, flagProperty}, kind):
		found.wrong(spot, "Unknown type", "is %s. Known values: person, cohort, flag.", brief(property["type"])).needsState = true
	case index != nil && kind != groupProperty:
		found.wrong(spot, "Property of another group type",
			"is %s. Where %s is set, only properties of type group can be compared.", brief(property["type"]), groupIndex)
	case index != nil && isOtherNumber(property["group_type_index"], index):
		found.wrong(p.key("group_type_index"), "Property of another group type", "is %s. It must be %s, as %s says.",
			brief(property["group_type_index"]), brief(index), groupIndex)
	}
}

// isOtherNumber reports whether two values are numbers that differ.
func isOtherNumber(a, b any) bool {
	x, okX := jsonNumber(a)
	y, okY := jsonNumber(b)
	return okX && okY && x != y
}

func checkOperator(p place, property map[string]any, kind string, found *findings) {
	operator, _ := property["operator"].(string)
	rule, isKnown := operators[operator]
	spot := p.key("operator")
	switch {
	case slices.Contains(otherOperators, operator):
		found.wrong(spot, "Unsupported operator", "is %q, which feature flags cannot compare with.", operator)
		return
	case operator != "" && !isKnown:
		found.wrong(spot, "Unknown operator", "is %q, which is no operator of feature flags.", operator).needsState = true
		return
	case kind == flagProperty && operator != "flag_evaluates_to":
		found.wrong(spot, "Unsupported operator", `is %q. A property of type flag has the operator "flag_evaluates_to".`, operator)
	case (operator == "in" || operator == "not_in") && kind != cohortProperty:
		found.wrong(spot, "Unsupported operator", `is %q, which only properties of type cohort have.`, operator)
	}

	value, isSet := property["value"]
	switch {
	case operator == "is_set" || operator == "is_not_set":
	case !isSet:
		found.wrong(p.key("value"), "Missing property value", "must be set: what the property is compared with.")
	case rule != nil:
		rule(p.key("value"), operator, value, found)
	}
}

// isID reports whether a key is the id of a flag: a whole number, as such or in quotes.
func isID(key any) bool {
	text, ok := key.(string)
	if n, isNumber := key.(json.Number); isNumber {
		text, ok = n.String(), true
	}
	_, err := strconv.ParseInt(text, 10, 64)
	return ok && err == nil
}

func wantsText(p place, operator string, value any, found *findings) {
	if _, ok := value.(string); !ok {
		found.wrong(p, "Not a string", "is %s. The operator %s wants one string, in quotes, numbers too.", brief(value), operator)
	}
}

func wantsRegex(p place, operator string, value any, found *findings) {
	wantsText(p, operator, value, found)
	text, _ := value.(string)
	if reason, ok := broken(text); ok {
		found.wrong(p, "Invalid regular expression", "is %q: %s.", text, reason)
	}
}

func wantsList(p place, operator string, value any, found *findings) {
	if _, ok := value.([]any); !ok {
		found.wrong(p, "Not a list", "is %s. The operator %s wants a list.", brief(value), operator)
	}
}

// relativeDate is a date counted back from today. Of absolute ones the service takes
// whatever its parser makes a date of, so only what has no digit at all is refused.
var relativeDate = regexp.MustCompile(`^-?\d{1,4}[hdwmy]$`)

func wantsDate(p place, _ string, value any, found *findings) {
	text, ok := value.(string)
	switch {
	case !ok:
		found.wrong(p, "Not a string", "is %s. It must be a date in quotes, such as 2026-01-31 or 14d.", brief(value))
	case !relativeDate.MatchString(text) && !strings.ContainsAny(text, "0123456789"):
		found.wrong(p, "Invalid date", "is %q. It must be a date such as 2026-01-31, or a relative one: a number and h, d, w, m or y, such as 14d.", text)
	}
}

// versionStart is as much of a version as every grammar of them agrees on.
var versionStart = regexp.MustCompile(`^v?\d+(\.(\d+|\*))*`)

func wantsVersion(p place, operator string, value any, found *findings) {
	text, ok := value.(string)
	switch {
	case !ok:
		found.wrong(p, "Not a version", "is %s. The operator %s wants a version in quotes, such as 1.2.3.", brief(value), operator)
	case !versionStart.MatchString(strings.TrimSpace(text)) || strings.Contains(text, "*") && operator != "semver_wildcard":
		found.wrong(p, "Not a version", "is %q. It must be a version such as 1.2.3; semver_wildcard takes 1.2.* too.", text)
	}
}
