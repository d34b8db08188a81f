package testserver

import (
	"encoding/json"
	"math"
	"strconv"
)

// checkGroup checks the form of a group and of its properties.
func (c *filterCheck) checkGroup(place int, group fields) *failure {
	if variant := group["variant"]; !isNothing(variant) && !isText(variant) {
		return refuseFilters("%s must be a string or null, got %s", groupPath(place, "variant"), pythonType(variant))
	}
	rollout := group["rollout_percentage"]
	if !isNothing(rollout) {
		if f := checkShare(groupPath(place, "rollout_percentage"), "a number or null", rollout); f != nil {
			return f
		}
	}
	if f := c.checkInteger(groupPath(place, aggregation), group[aggregation]); f != nil {
		return f
	}
	return eachProperty(group, func(n int, property fields) *failure {
		if f := c.checkInteger(propertyPath(place, n, "group_type_index"), property["group_type_index"]); f != nil {
			return f
		}
		return c.checkPattern(propertyPath(place, n, "value"), property)
	})
}

// checkShare refuses what is no finite number from 0 to 100.
func checkShare(path, wanted string, raw json.RawMessage) *failure {
	if kind := pythonType(raw); kind != "int" && kind != "float" {
		return refuseFilters("%s must be %s, got %s", path, wanted, kind)
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	// The error of a number that is too great says the same as the number itself.
	if math.IsInf(n, 0) || err != nil {
		return refuseFilters("%s must be finite, got %s", path, pythonRepr(raw))
	}
	if n < 0 || n > 100 {
		return refuseFilters("%s must be between 0 and 100, got %s", path, pythonRepr(raw))
	}
	return nil
}

// checkPattern refuses a regular expression that is none, unless the flag has it
// already.
func (c *filterCheck) checkPattern(path string, property fields) *failure {
	operator, pattern := unquote(property["operator"]), property["value"]
	if operator != "regex" && operator != "not_regex" || !isText(pattern) {
		return nil
	}
	if isPythonPattern(unquote(pattern)) || c.storesPattern(unquote(pattern)) {
		return nil
	}
	return refuseFilters("%s: invalid regex pattern", path)
}

// storesPattern reports whether a property of the stored flag has a pattern.
func (c *filterCheck) storesPattern(pattern string) bool {
	if c.flag == nil {
		return false
	}
	groups := members(c.flag.filters())["groups"]
	if !isList(groups) {
		return false
	}
	for _, group := range elements(groups) {
		if !isObject(group) || !isList(members(group)["properties"]) {
			continue
		}
		for _, property := range elements(members(group)["properties"]) {
			if !isObject(property) {
				continue
			}
			stored := members(property)
			switch unquote(stored["operator"]) {
			case "regex", "not_regex":
				if isText(stored["value"]) && unquote(stored["value"]) == pattern {
					return true
				}
			}
		}
	}
	return false
}

// checkPersonGroup refuses properties of anything but persons in a group that does not
// aggregate by something else.
func (c *filterCheck) checkPersonGroup(place int, group fields) *failure {
	if !isNothing(c.aggregationOf(group)) {
		return nil
	}
	return eachProperty(group, func(n int, property fields) *failure {
		switch unquote(property["type"]) {
		case "person", "cohort", "flag":
			return nil
		}
		return c.violates("person_aggregation_property_type", propertyPath(place, n, "type"),
			"A condition set of persons can only use person, cohort and flag properties.",
			refuseFilters("Filters are not valid (person-aggregated conditions can only use person, cohort, and flag properties)"))
	})
}

// checkFlagProperties asks for the one operator of properties that are flags.
func (c *filterCheck) checkFlagProperties(place int, group fields) *failure {
	return eachProperty(group, func(n int, property fields) *failure {
		if unquote(property["type"]) != "flag" || unquote(property["operator"]) == "flag_evaluates_to" {
			return nil
		}
		return c.violates("flag_property_requires_flag_evaluates_to", propertyPath(place, n, "operator"),
			"Flag properties must use the operator flag_evaluates_to.",
			refuseFilters("Flag properties must use the 'flag_evaluates_to' operator"))
	})
}

// checkAggregatedGroup refuses other properties than those of the group type by which a
// group aggregates.
func (c *filterCheck) checkAggregatedGroup(place int, group fields) *failure {
	index := c.aggregationOf(group)
	if isNothing(index) {
		return nil
	}
	return eachProperty(group, func(n int, property fields) *failure {
		if unquote(property["type"]) != "group" {
			return c.violates("group_aggregation_property_type", propertyPath(place, n, "type"),
				"A condition set of groups can only use group properties.",
				refuseFilters("Filters are not valid (group-aggregated conditions can only use group properties)"))
		}
		if string(property["group_type_index"]) != string(index) {
			return c.violates("group_property_type_index_mismatch", propertyPath(place, n, "group_type_index"),
				"The group type must be that of the condition set.",
				refuseFilters("Filters are not valid (group properties must match the condition set's group type)"))
		}
		return nil
	})
}
