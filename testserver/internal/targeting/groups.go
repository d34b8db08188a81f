package targeting

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/pyregexp"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// checkGroup checks the form of a group and of its properties.
func (c *filterCheck) checkGroup(index int, group rawjson.Fields) *field.Failure {
	if variant := group["variant"]; !rawjson.IsNull(variant) && !rawjson.IsString(variant) {
		return refuseFilters("%s must be a string or null, got %s", groupPath(index, "variant"), python.TypeName(variant))
	}
	rollout := group["rollout_percentage"]
	if !rawjson.IsNull(rollout) {
		if f := checkShare(groupPath(index, "rollout_percentage"), "a number or null", rollout); f != nil {
			return f
		}
	}
	if f := c.checkInteger(groupPath(index, aggregation), group[aggregation]); f != nil {
		return f
	}
	return eachProperty(group, func(n int, property rawjson.Fields) *field.Failure {
		if f := c.checkInteger(propertyPath(index, n, "group_type_index"), property["group_type_index"]); f != nil {
			return f
		}
		return c.checkPattern(propertyPath(index, n, "value"), property)
	})
}

// checkShare refuses what is no finite number from 0 to 100.
func checkShare(path, wanted string, raw json.RawMessage) *field.Failure {
	if kind := python.TypeName(raw); kind != "int" && kind != "float" {
		return refuseFilters("%s must be %s, got %s", path, wanted, kind)
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	// The error of a number that is too great says the same as the number itself.
	if math.IsInf(n, 0) || err != nil {
		return refuseFilters("%s must be finite, got %s", path, python.Repr(raw))
	}
	if n < 0 || n > 100 {
		return refuseFilters("%s must be between 0 and 100, got %s", path, python.Repr(raw))
	}
	return nil
}

// checkPattern refuses a regular expression that is none, unless the flag has it
// already.
func (c *filterCheck) checkPattern(path string, property rawjson.Fields) *field.Failure {
	operator, pattern := rawjson.Unquote(property["operator"]), property["value"]
	if operator != "regex" && operator != "not_regex" || !rawjson.IsString(pattern) {
		return nil
	}
	if pyregexp.Valid(rawjson.Unquote(pattern)) || c.storesPattern(rawjson.Unquote(pattern)) {
		return nil
	}
	return refuseFilters("%s: invalid regex pattern", path)
}

// storesPattern reports whether a property of the stored flag has a pattern.
func (c *filterCheck) storesPattern(pattern string) bool {
	if c.flag == nil {
		return false
	}

	groups := rawjson.Members(c.flag.Filters())["groups"]
	if !rawjson.IsArray(groups) {
		return false
	}

	for _, group := range rawjson.Items(groups) {
		if !rawjson.IsObject(group) || !rawjson.IsArray(rawjson.Members(group)["properties"]) {
			continue
		}
		for _, property := range rawjson.Items(rawjson.Members(group)["properties"]) {
			if !rawjson.IsObject(property) {
				continue
			}

			stored := rawjson.Members(property)
			switch rawjson.Unquote(stored["operator"]) {
			case "regex", "not_regex":
				if rawjson.IsString(stored["value"]) && rawjson.Unquote(stored["value"]) == pattern {
					return true
				}
			}
		}
	}
	return false
}

// checkPersonGroup refuses properties of anything but persons in a group that does not
// aggregate by something else.
func (c *filterCheck) checkPersonGroup(index int, group rawjson.Fields) *field.Failure {
	if !rawjson.IsNull(c.aggregationOf(group)) {
		return nil
	}
	return eachProperty(group, func(n int, property rawjson.Fields) *field.Failure {
		switch rawjson.Unquote(property["type"]) {
		case "person", "cohort", "flag":
			return nil
		}
		return c.violates("person_aggregation_property_type", propertyPath(index, n, "type"),
			"A condition set of persons can only use person, cohort and flag properties.",
			refuseFilters("Filters are not valid (person-aggregated conditions can only use person, cohort, and flag properties)"))
	})
}

// checkFlagProperties asks for the one operator of properties that are flags.
func (c *filterCheck) checkFlagProperties(index int, group rawjson.Fields) *field.Failure {
	return eachProperty(group, func(n int, property rawjson.Fields) *field.Failure {
		if rawjson.Unquote(property["type"]) != "flag" || rawjson.Unquote(property["operator"]) == "flag_evaluates_to" {
			return nil
		}
		return c.violates("flag_property_requires_flag_evaluates_to", propertyPath(index, n, "operator"),
			"Flag properties must use the operator flag_evaluates_to.",
			refuseFilters("Flag properties must use the 'flag_evaluates_to' operator"))
	})
}

// checkAggregatedGroup refuses other properties than those of the group type by which a
// group aggregates.
func (c *filterCheck) checkAggregatedGroup(index int, group rawjson.Fields) *field.Failure {
	groupType := c.aggregationOf(group)
	if rawjson.IsNull(groupType) {
		return nil
	}
	return eachProperty(group, func(n int, property rawjson.Fields) *field.Failure {
		if rawjson.Unquote(property["type"]) != "group" {
			return c.violates("group_aggregation_property_type", propertyPath(index, n, "type"),
				"A condition set of groups can only use group properties.",
				refuseFilters("Filters are not valid (group-aggregated conditions can only use group properties)"))
		}
		if string(property["group_type_index"]) != string(groupType) {
			return c.violates("group_property_type_index_mismatch", propertyPath(index, n, "group_type_index"),
				"The group type must be that of the condition set.",
				refuseFilters("Filters are not valid (group properties must match the condition set's group type)"))
		}
		return nil
	})
}
