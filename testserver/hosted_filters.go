package testserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strconv"
)

// checkFilters refuses release conditions that no flag can have. The faults are the
// flag's, so they have its field's name.
func (w *surveyWrite) checkFilters(raw json.RawMessage) *failure {
	if !isObject(raw) {
		return broken()
	}
	filters := pairsOf(raw)
	if !isList(filters.get("groups")) {
		return broken()
	}
	var groups []fields
	for _, group := range elements(filters.get("groups")) {
		if !isObject(group) {
			return broken()
		}
		groups = append(groups, members(group))
	}
	variants := variantsOf(raw)
	common := filters.get("aggregation_group_type_index")
	checks := []func(int, fields) *failure{
		checkPatterns,
		func(_ int, g fields) *failure { return checkPropertyTypes(g, common) },
		func(_ int, g fields) *failure {
			if variant := g["variant"]; isTruthy(variant) && !slices.Contains(variants, unquote(variant)) {
				return invalid("invalid_input", "filters", "Filters are not valid (variant override does not exist)")
			}
			return eachProperty(g, w.checkProperty)
		},
	}
	for _, check := range checks {
		for i, group := range groups {
			if f := check(i, group); f != nil {
				return f
			}
		}
	}
	return nil
}

// variantsOf are the keys of a flag's variants.
func variantsOf(filters json.RawMessage) []string {
	multivariate := members(filters)["multivariate"]
	if !isObject(multivariate) {
		return nil
	}
	variants := members(multivariate)["variants"]
	if !isList(variants) {
		return nil
	}
	var keys []string
	for _, variant := range elements(variants) {
		if isObject(variant) {
			keys = append(keys, unquote(members(variant)["key"]))
		}
	}
	return keys
}

func eachProperty(group fields, check func(fields) *failure) *failure {
	properties := group["properties"]
	if properties == nil {
		return nil
	}
	if !isList(properties) {
		return broken()
	}
	for _, property := range elements(properties) {
		if !isObject(property) {
			return broken()
		}
		if f := check(members(property)); f != nil {
			return f
		}
	}
	return nil
}

// checkPropertyTypes refuses properties of anything but persons in a group that does
// not aggregate by something else.
func checkPropertyTypes(group fields, common json.RawMessage) *failure {
	own, ok := group["aggregation_group_type_index"]
	if !ok {
		own = common
	}
	if !isNothing(own) {
		return nil
	}
	return eachProperty(group, func(property fields) *failure {
		switch unquote(property["type"]) {
		case "person", "cohort", "flag":
			return nil
		}
		return invalid("invalid_input", "filters", "Filters are not valid (can only use person, cohort, and flag properties)")
	})
}

// checkPatterns refuses a regular expression that is none in any dialect; what only
// this language's dialect does not have passes.
func checkPatterns(place int, group fields) *failure {
	n := -1
	return eachProperty(group, func(property fields) *failure {
		n++
		operator, pattern := unquote(property["operator"]), property["value"]
		if operator != "regex" && operator != "not_regex" || !isText(pattern) {
			return nil
		}
		_, err := syntax.Parse(unquote(pattern), syntax.Perl)
		var fault *syntax.Error
		if errors.As(err, &fault) && slices.Contains(brokenPatterns, fault.Code) {
			return invalid("invalid_input", "filters", fmt.Sprintf("groups[%d].properties[%d].value: invalid regex pattern", place, n))
		}
		return nil
	})
}

var brokenPatterns = []syntax.ErrorCode{
	syntax.ErrMissingBracket, syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrInvalidCharRange,
	syntax.ErrMissingRepeatArgument, syntax.ErrTrailingBackslash,
}

// checkProperty refuses cohorts that a survey can't use, and values that do not fit
// their operator.
func (w *surveyWrite) checkProperty(property fields) *failure {
	value, operator := property["value"], unquote(property["operator"])
	if unquote(property["type"]) == "cohort" {
		id, err := strconv.ParseInt(said(value), 10, 64)
		found := w.server.store.cohorts[id]
		if err != nil || found == nil || found.project != w.project.id {
			return invalid("cohort_does_not_exist", "filters", fmt.Sprintf("Cohort with id %s does not exist", said(value)))
		}
		if found.behavioral {
			return invalid("behavioral_cohort_found", "", fmt.Sprintf("Cohort '%s' with filters on events cannot be used in surveys.", found.name))
		}
	}
	switch operator {
	case "regex", "icontains", "not_regex", "not_icontains", "gte", "lte", "gt", "lt":
		if !isText(value) {
			return invalid("invalid_value", "filters", fmt.Sprintf("Invalid value for operator %s: %s", operator, said(value)))
		}
	}
	return nil
}
