package check

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// valueRule describes the values that an operator accepts.
type valueRule struct {
	// fits reports whether a text is valid. If fits is nil, the value must be a list.
	fits func(operator, text string) bool
	// kind is the kind of finding for an invalid value. want describes a valid value.
	kind kind
	want string
}

var (
	oneText    = valueRule{func(string, string) bool { return true }, notAString, "a string in quotes, even for a number"}
	oneList    = valueRule{nil, notList, "a list"}
	oneDate    = valueRule{isDate, invalidDate, "a date in quotes. Use a date such as 2026-01-31, or a relative date such as 14d: a number and h, d, w, m, or y"}
	oneVersion = valueRule{isVersion, notVersion, "a version in quotes, such as 1.2.3. The operator semver_wildcard also accepts 1.2.*"}
)

// check checks an operator's value.
func (r valueRule) check(p location, operator string, value any, findings *Findings) {
	text, isText := value.(string)
	_, isList := value.([]any)
	if r.fits == nil && !isList || r.fits != nil && (!isText || !r.fits(operator, text)) {
		findings.errorf(p, r.kind, "is %s. The operator %s requires %s.", excerptJSON(value), operator, r.want)
	}
}

// operators maps feature flag operators to the rules for their values. An empty rule accepts any value. PostHog stores
// min and max as gte and lte.
var operators = func() map[string]valueRule {
	rules := map[string]valueRule{}
	for words, rule := range map[string]valueRule{
		"exact is_not is_set is_not_set in not_in flag_evaluates_to":                                               {},
		"icontains not_icontains regex not_regex gt gte lt lte min max":                                            oneText,
		"icontains_multi not_icontains_multi":                                                                      oneList,
		"is_date_exact is_date_after is_date_before":                                                               oneDate,
		"semver_gt semver_gte semver_lt semver_lte semver_eq semver_neq semver_tilde semver_caret semver_wildcard": oneVersion,
	} {
		for operator := range strings.FieldsSeq(words) {
			rules[operator] = rule
		}
	}
	return rules
}()

// otherOperators are supported in PostHog, but not in flags.
var otherOperators = []string{"between", "not_between", "is_cleaned_path_exact"}

// checkProperty checks a property in a group. index is the group's group type, or nil for persons.
func checkProperty(p location, property map[string]any, index any, findings *Findings) {
	kind, _ := property["type"].(string)
	checkPropertyType(p, property, kind, index, findings)

	if key := property["key"]; key == nil || key == "" {
		findings.errorf(p.key("key"), missingPropertyKey, "must be set to the property to compare.")
	} else if kind == survey.FlagProperty && !isID(key) {
		findings.errorf(p.key("key"), notFlagID, "is %s. Use the ID of the flag, a number in quotes, instead of its key.", excerptJSON(key))
	}

	if value, isSet := property["value"]; kind == survey.CohortProperty && isSet && !areIDs(value) {
		findings.errorf(p.key("value"), notCohortID, "is %s. Use the ID of the cohort, a number, instead of its name. The ID is at the end of the cohort's URL in PostHog.", excerptJSON(value))
	}

	checkOperator(p, property, kind, findings)
}

func checkPropertyType(p location, property map[string]any, kind string, index any, findings *Findings) {
	spot := p.key("type")
	switch {
	case property["type"] == nil && index == nil:
		findings.errorf(spot, missingPropertyType, "must be set to person, cohort, or flag.")
	case property["type"] == nil:
		findings.errorf(spot, missingPropertyType, "must be set to group.")
	case index == nil && !slices.Contains([]string{survey.PersonProperty, survey.CohortProperty, survey.FlagProperty}, kind):
		findings.errorf(spot, unknownValue.of("type"), "is %s. Known values: person, cohort, flag.", excerptJSON(property["type"]))
	case index != nil && kind != survey.GroupProperty:
		findings.errorf(spot, otherGroupType,
			"is %s. If %s is set, only properties of type group can be compared.", excerptJSON(property["type"]), groupIndex)
	case index != nil && isOtherNumber(property["group_type_index"], index):
		findings.errorf(p.key("group_type_index"), otherGroupType, "is %s. It must be %s, the value of %s.",
			excerptJSON(property["group_type_index"]), excerptJSON(index), groupIndex)
	}
}

// isOtherNumber reports whether two values are different numbers.
func isOtherNumber(a, b any) bool {
	x, okX := jsonNumber(a)
	y, okY := jsonNumber(b)
	return okX && okY && x != y
}

func checkOperator(p location, property map[string]any, kind string, findings *Findings) {
	operator, _ := property["operator"].(string)
	rule, isKnown := operators[operator]
	spot := p.key("operator")
	switch {
	case slices.Contains(otherOperators, operator):
		findings.errorf(spot, unsupportedOperator, "is %q, which feature flags do not support.", operator)
		return
	case operator != "" && !isKnown:
		findings.errorf(spot, unknownOperator, "is %q, which is not an operator of feature flags.", operator)
		return
	case kind == survey.FlagProperty && operator != "flag_evaluates_to":
		findings.errorf(spot, unsupportedOperator, `is %q. A property of type flag requires the operator "flag_evaluates_to".`, operator)
	case (operator == "in" || operator == "not_in") && kind != survey.CohortProperty:
		findings.errorf(spot, unsupportedOperator, `is %q, which only properties of type cohort support.`, operator)
	}

	value, isSet := property["value"]
	switch {
	case operator == "is_set" || operator == "is_not_set":
	case !isSet:
		findings.errorf(p.key("value"), missingPropertyValue, "must be set to the value to compare the property with.")
	case rule.want != "":
		rule.check(p.key("value"), operator, value, findings)
		text, _ := value.(string)
		if reason, isWrong := regexpError(text); isWrong && (operator == "regex" || operator == "not_regex") {
			findings.errorf(p.key("value"), invalidRegularExpression, "is %q: %s.", text, reason)
		}
	}
}

// areIDs reports whether a value is an ID, or a list of IDs.
func areIDs(value any) bool {
	list, isList := value.([]any)
	return isID(value) || isList && !slices.ContainsFunc(list, func(element any) bool { return !isID(element) })
}

// isID reports whether a value is the ID of a flag or a cohort: an integer, or a string that contains one.
func isID(key any) bool {
	text, ok := key.(string)
	if n, isNumber := key.(json.Number); isNumber {
		text, ok = n.String(), true
	}
	_, err := strconv.ParseInt(text, 10, 64)
	return ok && err == nil
}

// relativeDate matches a date relative to today. PostHog's parser for absolute dates is lenient, so only a value
// without digits is rejected.
var relativeDate = regexp.MustCompile(`^-?\d{1,4}[hdwmy]$`)

func isDate(_, text string) bool {
	return relativeDate.MatchString(text) || strings.ContainsAny(text, "0123456789")
}

// versionStart matches the part that all version grammars share.
var versionStart = regexp.MustCompile(`^v?\d+(\.(\d+|\*))*`)

func isVersion(operator, text string) bool {
	return versionStart.MatchString(strings.TrimSpace(text)) && (!strings.Contains(text, "*") || operator == "semver_wildcard")
}
