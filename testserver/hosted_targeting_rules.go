package testserver

import (
	"encoding/json"
	"fmt"
	"slices"
)

// filterCheck is the filters of a flag while they are checked.
type filterCheck struct {
	*surveyWrite
	filters pairs
	groups  []fields
	// variants are the keys of the flag's variants.
	variants []string
	// flag is the one that is edited, nil for a new one.
	flag *featureFlag
	// rules are the settings of the rules of September 2026, nil for the older ones.
	rules *ruleSettings
}

// checkFilters refuses filters that a flag can't have. The faults are the flag's, so
// they have its field's name. The first fault counts, in the order of the rules.
func (w *surveyWrite) checkFilters(raw json.RawMessage, flag *featureFlag) *failure {
	if !isObject(raw) {
		return broken()
	}
	c := &filterCheck{surveyWrite: w, filters: pairsOf(raw), variants: variantsOf(raw), flag: flag, rules: w.ruleSettings()}
	for _, rule := range []func() *failure{
		c.checkForm, c.checkGroupsGiven, c.readGroups, c.checkIndex, c.checkEarlyExit,
		func() *failure { return c.eachGroup(c.checkGroup) },
		c.checkVariantShares,
		func() *failure { return c.eachGroup(c.checkPersonGroup) },
		func() *failure { return c.eachGroup(c.checkFlagProperties) },
		func() *failure { return c.eachGroup(c.checkAggregatedGroup) },
		c.checkDependencies, c.checkVariantSum, c.checkVariantKeys,
		func() *failure { return c.eachGroup(c.checkGroupValues) },
		c.checkPayloads, c.checkPayloadKeys,
		func() *failure { return checkFilterSize(raw) },
	} {
		if f := rule(); f != nil {
			return f
		}
	}
	if _, half := halfSurrogate(raw); half || holdsNUL(raw) {
		// The database does not take it.
		return broken()
	}
	return nil
}

// refuseFilters is a fault in filters.
func refuseFilters(format string, args ...any) *failure {
	return refuseFiltersAs("invalid_input", format, args...)
}

func refuseFiltersAs(code, format string, args ...any) *failure {
	return invalid(code, "filters", fmt.Sprintf(format, args...))
}

// checkGroupsGiven asks for a group where a flag is made. One that is edited keeps its
// groups, or loses all of them.
func (c *filterCheck) checkGroupsGiven() *failure {
	if c.flag == nil && !isTruthy(c.filters.get("groups")) {
		return refuseFilters("Feature flags must have at least one condition set (group).")
	}
	return nil
}

// readGroups breaks on groups of another form, which the service counts on.
func (c *filterCheck) readGroups() *failure {
	groups := c.filters.get("groups")
	if !isTruthy(groups) {
		return nil
	}
	if !isList(groups) {
		return broken()
	}
	for _, group := range elements(groups) {
		if !isObject(group) {
			return broken()
		}
		c.groups = append(c.groups, members(group))
	}
	return nil
}

func (c *filterCheck) eachGroup(check func(place int, group fields) *failure) *failure {
	for i, group := range c.groups {
		if f := check(i, group); f != nil {
			return f
		}
	}
	return nil
}

// eachProperty goes through the properties of a group, which the service takes for a
// list of objects.
func eachProperty(group fields, check func(place int, property fields) *failure) *failure {
	properties := group["properties"]
	if properties == nil {
		return nil
	}
	if !isList(properties) {
		return broken()
	}
	for i, property := range elements(properties) {
		if !isObject(property) {
			return broken()
		}
		if f := check(i, members(property)); f != nil {
			return f
		}
	}
	return nil
}

// propertyPath is where a property stands, in the service's spelling.
func propertyPath(group, property int, key string) string {
	return fmt.Sprintf("groups[%d].properties[%d].%s", group, property, key)
}

func groupPath(group int, key string) string { return fmt.Sprintf("groups[%d].%s", group, key) }

const aggregation = "aggregation_group_type_index"

// aggregationOf is the group type by which a group aggregates: its own, or that of the
// whole; null for persons.
func (c *filterCheck) aggregationOf(group fields) json.RawMessage {
	if own, ok := group[aggregation]; ok {
		return own
	}
	return c.filters.get(aggregation)
}

// checkIndex checks the group type by which all groups aggregate.
func (c *filterCheck) checkIndex() *failure {
	return c.checkInteger(aggregation, c.filters.get(aggregation))
}

// checkInteger refuses what is neither an integer nor null.
func (c *filterCheck) checkInteger(path string, raw json.RawMessage) *failure {
	if isNothing(raw) {
		return nil
	}
	if kind := pythonType(raw); kind != "int" {
		return refuseFilters("%s must be an integer or null, got %s", path, kind)
	}
	return c.checkBits(path, raw)
}

// checkEarlyExit allows early exit where the organization has it, and where the flag
// has it already.
func (c *filterCheck) checkEarlyExit() *failure {
	sent := c.filters.get("early_exit")
	switch {
	case isNothing(sent), string(sent) == "false":
		return nil
	case string(sent) != "true":
		return refuseFilters("early_exit must be a boolean or null, got %s", pythonType(sent))
	case c.organization.has(FeatureFlagEarlyExit):
		return nil
	case c.flag != nil && string(members(c.flag.filters())["early_exit"]) == "true":
		return nil
	}
	return refuseFilters("early_exit is not available for this organization.")
}

// variantsOf are the keys of a flag's variants.
func variantsOf(filters json.RawMessage) []string {
	var keys []string
	for _, variant := range variantObjects(filters) {
		keys = append(keys, unquote(variant["key"]))
	}
	return keys
}

// variantObjects are the variants of a flag that are objects.
func variantObjects(filters json.RawMessage) []fields {
	multivariate := members(filters)["multivariate"]
	if !isObject(multivariate) {
		return nil
	}
	variants := members(multivariate)["variants"]
	if !isList(variants) {
		return nil
	}
	var found []fields
	for _, variant := range elements(variants) {
		if isObject(variant) {
			found = append(found, members(variant))
		}
	}
	return found
}

// knowsVariant reports whether the flag has a variant with a key.
func (c *filterCheck) knowsVariant(key json.RawMessage) bool {
	return isText(key) && slices.Contains(c.variants, unquote(key))
}
