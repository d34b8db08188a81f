package targeting

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// flagOperators are the operators of properties that flags know; foreignOperators are
// those that only other parts of the product know.
var (
	flagOperators = strings.Fields("exact is_not icontains not_icontains icontains_multi not_icontains_multi regex not_regex " +
		"gt gte lt lte min max semver_gt semver_gte semver_lt semver_lte semver_eq semver_neq semver_tilde semver_caret " +
		"semver_wildcard is_set is_not_set is_date_exact is_date_after is_date_before in not_in flag_evaluates_to")
	foreignOperators = strings.Fields("between not_between is_cleaned_path_exact")
)

// checkGroupValues checks the variant of a group and the values of its properties.
func (c *filterCheck) checkGroupValues(index int, group rawjson.Fields) *field.Failure {
	if variant := group["variant"]; python.IsTruthy(variant) && !c.knowsVariant(variant) {
		f := c.violates("group_variant_not_a_variant", groupPath(index, "variant"),
			fmt.Sprintf("%s is not a variant of the flag.", python.Repr(variant)),
			refuseFilters("Filters are not valid (variant override does not exist)"))
		if f != nil {
			return f
		}
	}
	return eachProperty(group, func(n int, property rawjson.Fields) *field.Failure {
		for _, check := range []func(index, n int, property rawjson.Fields) *field.Failure{
			c.checkOperator, c.checkPropertyKeys, c.checkCohort, c.checkValue,
		} {
			if f := check(index, n, property); f != nil {
				return f
			}
		}
		return nil
	})
}

// operatorOf is the operator of a property; without one it is exact. The two old names
// are those under which they are stored.
func operatorOf(property rawjson.Fields) string {
	switch operator := rawjson.Unquote(property["operator"]); operator {
	case "":
		return "exact"
	case "min":
		return "gte"
	case "max":
		return "lte"
	default:
		return operator
	}
}

func (c *filterCheck) checkOperator(index, n int, property rawjson.Fields) *field.Failure {
	raw := property["operator"]
	if rawjson.IsNull(raw) {
		return nil
	}
	operator := python.Str(raw)
	known, foreign := slices.Contains(flagOperators, operator), slices.Contains(foreignOperators, operator)
	switch {
	case rawjson.IsString(raw) && known:
		return nil
	case c.rules != nil:
		return refuseFilters("%s: unsupported operator for feature flags", propertyPath(index, n, "operator"))
	case rawjson.IsString(raw) && foreign:
		return refuseFiltersAs("unsupported_operator", "Unsupported operator for feature flags: %s", operator)
	}
	return refuseFiltersAs("invalid_operator", "Invalid operator: %s", operator)
}

// checkPropertyKeys breaks on a property without a key, or without the value that its
// operator compares with.
func (c *filterCheck) checkPropertyKeys(index, n int, property rawjson.Fields) *field.Failure {
	hasKey := !rawjson.IsNull(property["key"])
	if c.rules != nil {
		return c.checkPropertyForm(index, n, property)
	}
	_, hasValue := property["value"]
	switch operatorOf(property) {
	case "is_set", "is_not_set":
		hasValue = true
	}
	if !hasKey || !hasValue {
		return field.ServerError()
	}
	return nil
}

// checkCohort refuses cohorts that the project does not have, and those that a survey
// cannot use.
func (c *filterCheck) checkCohort(_, _ int, property rawjson.Fields) *field.Failure {
	if rawjson.Unquote(property["type"]) != "cohort" || property["value"] == nil {
		return nil
	}
	id, ok := python.Int(property["value"])
	if !ok {
		return field.ServerError()
	}
	found := c.project.Cohort(id)
	if found == nil {
		return refuseFiltersAs("cohort_does_not_exist", "Cohort with id %d does not exist", id)
	}
	if detail := found.Unusable(); detail != "" {
		return field.Invalid("behavioral_cohort_found", "", detail)
	}
	return nil
}

// checkValue refuses a value that does not fit its operator.
func (c *filterCheck) checkValue(index, n int, property rawjson.Fields) *field.Failure {
	operator, value := operatorOf(property), property["value"]
	path := propertyPath(index, n, "value")

	switch {
	case strings.HasPrefix(operator, "is_date_"):
		if rawjson.IsString(value) && isFlagDate(rawjson.Unquote(value)) {
			return nil
		}
		return c.violates("date_value_not_parseable", path, fmt.Sprintf("Invalid date value: %s.", python.Str(value)),
			refuseFiltersAs("invalid_date", "Invalid date value: %s", python.Str(value)))
	case slices.Contains(textOperators, operator):
		if rawjson.IsString(value) {
			return nil
		}
		return c.violates("operator_requires_string_value", path, fmt.Sprintf("Operator %s requires a string value.", operator),
			refuseFiltersAs("invalid_value", "Invalid value for operator %s: %s", operator, python.Str(value)))
	case operator == "in", operator == "not_in":
		if rawjson.Unquote(property["type"]) == "cohort" {
			return nil
		}
		return c.violates("in_not_in_requires_cohort", propertyPath(index, n, "operator"),
			fmt.Sprintf("Operator %s is only supported on cohort properties.", operator),
			refuseFiltersAs("invalid_operator", "The '%s' operator is only valid for cohort properties, not '%s' properties.",
				operator, python.Str(property["type"])))
	case strings.HasPrefix(operator, "semver_"):
		return c.checkVersion(path, operator, value)
	case strings.HasSuffix(operator, "_multi"):
		if rawjson.IsArray(value) {
			return nil
		}
		return c.violates("operator_requires_list_value", path, fmt.Sprintf("Operator %s requires a list of values.", operator),
			refuseFiltersAs("invalid_value", "%s operator requires a list of values", operator))
	}
	return nil
}

// textOperators compare with a text, numbers too.
var textOperators = []string{"regex", "not_regex", "icontains", "not_icontains", "gt", "gte", "lt", "lte"}

// versionForm is a version: up to three numbers, and what semantic versioning allows
// behind them.
var versionForm = regexp.MustCompile(`^v?\d+(\.\d+){0,2}(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

func (c *filterCheck) checkVersion(path, operator string, value json.RawMessage) *field.Failure {
	const rule = "semver_value_invalid"
	if !rawjson.IsString(value) {
		return c.violates(rule, path, fmt.Sprintf("Operator %s requires a semver value.", operator),
			refuseFiltersAs("invalid_value", "Invalid value for operator %s: expected a semver string", operator))
	}
	version := rawjson.Unquote(value)
	if operator == "semver_wildcard" {
		version = strings.TrimSuffix(version, ".*")
	}
	if versionForm.MatchString(version) {
		return nil
	}
	return c.violates(rule, path, fmt.Sprintf("Invalid semver value: %s.", rawjson.Unquote(value)),
		refuseFiltersAs("invalid_value", "Invalid semver value for operator %s: %s", operator, rawjson.Unquote(value)))
}
