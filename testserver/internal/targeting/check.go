package targeting

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// filterCheck is the state of the checks of a flag's filters.
type filterCheck struct {
	project Project
	filters rawjson.Pairs
	groups  []rawjson.Fields
	// variants are the keys of the flag's variants.
	variants []string
	// flag is the one that is edited, nil for a new one.
	flag *store.Flag
	// rules are the settings of the rules of September 2026, nil for the older ones.
	rules *ruleSettings
}

// Project is what filters can refer to, and what decides about their rules.
type Project interface {
	// Flag and Cohort are those of the project with an id, nil when it has none.
	Flag(id int64) *store.Flag
	Cohort(id int64) *store.Cohort
	// Feature finds a feature of the project's organization and its settings.
	Feature(name string) (settings rawjson.Fields, ok bool)
}

// The features that decide about filters.
const (
	// EarlyExit allows early_exit.
	EarlyExit = "feature_flag_early_exit"
	// Rules checks filters by the rules of September 2026; its enforce lists the optional
	// rules that refuse a request.
	Rules = "feature_flag_rules_2026_09"
)

// Check checks the filters of a flag, nil for a new one. Errors have the name of the flag's
// field. The first error counts, in the order of the rules.
func Check(raw json.RawMessage, flag *store.Flag, project Project) *field.Failure {
	if !rawjson.IsObject(raw) {
		return field.ServerError()
	}

	c := &filterCheck{project: project, filters: rawjson.PairsOf(raw), variants: Variants(raw), flag: flag, rules: settingsOf(project)}
	f := field.FirstOf(
		c.checkForm, c.checkGroupsGiven, c.readGroups, c.checkIndex, c.checkEarlyExit,
		func() *field.Failure { return c.eachGroup(c.checkGroup) },
		c.checkVariantShares,
		func() *field.Failure { return c.eachGroup(c.checkPersonGroup) },
		func() *field.Failure { return c.eachGroup(c.checkFlagProperties) },
		func() *field.Failure { return c.eachGroup(c.checkAggregatedGroup) },
		c.checkDependencies, c.checkVariantSum, c.checkVariantKeys,
		func() *field.Failure { return c.eachGroup(c.checkGroupValues) },
		c.checkPayloads, c.checkPayloadKeys,
		func() *field.Failure { return checkFilterSize(raw) },
	)
	if f != nil {
		return f
	}

	if _, half := python.HalfSurrogate(raw); half || python.HoldsNUL(raw) {
		// The database cannot store it.
		return field.ServerError()
	}
	return nil
}

// refuseFilters is an error in filters.
func refuseFilters(format string, args ...any) *field.Failure {
	return refuseFiltersAs("invalid_input", format, args...)
}

func refuseFiltersAs(code, format string, args ...any) *field.Failure {
	return field.Invalid(code, "filters", fmt.Sprintf(format, args...))
}

// checkGroupsGiven asks for a group where a flag is created. One that is edited keeps its
// groups, or loses all of them.
func (c *filterCheck) checkGroupsGiven() *field.Failure {
	if c.flag == nil && !python.IsTruthy(c.filters.Get("groups")) {
		return refuseFilters("Feature flags must have at least one condition set (group).")
	}
	return nil
}

// readGroups breaks on groups of another form, which the service counts on.
func (c *filterCheck) readGroups() *field.Failure {
	groups := c.filters.Get("groups")
	if !python.IsTruthy(groups) {
		return nil
	}
	if !rawjson.IsArray(groups) {
		return field.ServerError()
	}
	for _, group := range rawjson.Items(groups) {
		if !rawjson.IsObject(group) {
			return field.ServerError()
		}
		c.groups = append(c.groups, rawjson.Members(group))
	}
	return nil
}

func (c *filterCheck) eachGroup(check func(index int, group rawjson.Fields) *field.Failure) *field.Failure {
	for i, group := range c.groups {
		if f := check(i, group); f != nil {
			return f
		}
	}
	return nil
}

// eachProperty goes through the properties of a group, which the service takes for a
// list of objects.
func eachProperty(group rawjson.Fields, check func(index int, property rawjson.Fields) *field.Failure) *field.Failure {
	properties := group["properties"]
	if properties == nil {
		return nil
	}
	if !rawjson.IsArray(properties) {
		return field.ServerError()
	}
	for i, property := range rawjson.Items(properties) {
		if !rawjson.IsObject(property) {
			return field.ServerError()
		}
		if f := check(i, rawjson.Members(property)); f != nil {
			return f
		}
	}
	return nil
}

// propertyPath is where a property is, in the service's spelling.
func propertyPath(group, property int, key string) string {
	return fmt.Sprintf("groups[%d].properties[%d].%s", group, property, key)
}

func groupPath(group int, key string) string { return fmt.Sprintf("groups[%d].%s", group, key) }

const aggregation = "aggregation_group_type_index"

// aggregationOf is the group type by which a group aggregates: its own, or that of the
// whole; null for persons.
func (c *filterCheck) aggregationOf(group rawjson.Fields) json.RawMessage {
	if own, ok := group[aggregation]; ok {
		return own
	}
	return c.filters.Get(aggregation)
}

// checkIndex checks the group type by which all groups aggregate.
func (c *filterCheck) checkIndex() *field.Failure {
	return c.checkInteger(aggregation, c.filters.Get(aggregation))
}

// checkInteger refuses what is neither an integer nor null.
func (c *filterCheck) checkInteger(path string, raw json.RawMessage) *field.Failure {
	if rawjson.IsNull(raw) {
		return nil
	}
	if kind := python.TypeName(raw); kind != "int" {
		return refuseFilters("%s must be an integer or null, got %s", path, kind)
	}
	return c.checkBits(path, raw)
}

// checkEarlyExit allows early exit where the organization has it, and where the flag
// has it already.
func (c *filterCheck) checkEarlyExit() *field.Failure {
	sent := c.filters.Get("early_exit")
	switch {
	case rawjson.IsNull(sent), string(sent) == "false":
		return nil
	case string(sent) != "true":
		return refuseFilters("early_exit must be a boolean or null, got %s", python.TypeName(sent))
	case has(c.project, EarlyExit):
		return nil
	case c.flag != nil && string(rawjson.Members(c.flag.Filters())["early_exit"]) == "true":
		return nil
	}
	return refuseFilters("early_exit is not available for this organization.")
}

// Variants are the keys of a flag's variants.
func Variants(filters json.RawMessage) []string {
	var keys []string
	for _, variant := range variantObjects(filters) {
		keys = append(keys, rawjson.Unquote(variant["key"]))
	}
	return keys
}

// variantObjects are the variants of a flag that are objects.
func variantObjects(filters json.RawMessage) []rawjson.Fields {
	multivariate := rawjson.Members(filters)["multivariate"]
	if !rawjson.IsObject(multivariate) {
		return nil
	}
	variants := rawjson.Members(multivariate)["variants"]
	if !rawjson.IsArray(variants) {
		return nil
	}
	var found []rawjson.Fields
	for _, variant := range rawjson.Items(variants) {
		if rawjson.IsObject(variant) {
			found = append(found, rawjson.Members(variant))
		}
	}
	return found
}

// knowsVariant reports whether the flag has a variant with a key.
func (c *filterCheck) knowsVariant(key json.RawMessage) bool {
	return rawjson.IsString(key) && slices.Contains(c.variants, rawjson.Unquote(key))
}
