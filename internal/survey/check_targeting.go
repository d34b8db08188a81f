package survey

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
)

var propertyType = oneOf("person", "cohort", "flag")

var filterKeys = keys{
	"groups": listOf(keys{
		"properties": listOf(keys{
			"key": aText, "type": aText, "operator": aText, "value": anything, "group_type_index": anything,
		}.shape),
		"rollout_percentage": aPercentage, "variant": aText, "description": aText, "aggregation_group_type_index": anything,
	}.shape),
	"multivariate": anything, "payloads": anything, "aggregation_group_type_index": anything, "super_groups": anything,
}

func aPercentage(p place, v any, found *findings) {
	aNumber(p, v, found)
	n, ok := v.(json.Number)
	if percentage, err := n.Float64(); ok && err == nil && percentage > 100 {
		found.wrong(p, "Rollout percentage above 100", "is %s. It can be 0 to 100.", n)
	}
}

// checkTargeting checks the filters from which the service makes the survey's flag.
func checkTargeting(s subject, found *findings) {
	p := at("targeting_flag_filters")
	filters, ok := decodedObject(p, s.TargetingFlagFilters, found)
	if !ok || len(filters) == 0 {
		return
	}
	filterKeys.shape(p, filters, found)
	if filters["groups"] == nil {
		found.wrong(p, "Missing groups", "has no groups. It must say who sees the survey: {\"groups\": [{\"properties\": [...], \"rollout_percentage\": ...}]}.")
		return
	}
	defined := append(variants(s.TargetingFlagFilters.ValueString()), variants(s.stored)...)
	groups, _ := filters["groups"].([]any)
	for i, v := range groups {
		group, ok := v.(map[string]any)
		if !ok {
			continue
		}
		spot := p.key("groups").item(i)
		checkGroup(spot, group, found)
		if variant, _ := group["variant"].(string); variant != "" && !slices.Contains(defined, variant) {
			found.wrong(spot.key("variant"), "Unknown variant", "is %q, which multivariate does not define.", variant).needsState = true
		}
		if filters["aggregation_group_type_index"] == nil && group["aggregation_group_type_index"] == nil {
			checkPropertyTypes(spot, group, found)
		}
	}
}

// checkGroup checks one group of filters on its own.
func checkGroup(p place, group map[string]any, found *findings) {
	properties, _ := group["properties"].([]any)
	rollout, _ := group["rollout_percentage"].(json.Number)
	percentage, err := rollout.Float64()
	if everyone := group["rollout_percentage"] == nil || err == nil && percentage == 100; everyone && len(properties) == 0 {
		found.wrong(p, "Targeting matches everyone",
			"has no properties and no rollout_percentage below 100, so everyone sees the survey. Take targeting_flag_filters out if that is meant.")
	}
	for i, v := range properties {
		property, _ := v.(map[string]any)
		operator, _ := property["operator"].(string)
		value, isText := property["value"].(string)
		spot := p.key("properties").item(i).key("value")
		if _, ok := property["value"]; !ok {
			continue
		}
		switch operator {
		case "regex", "not_regex", "icontains", "not_icontains", "gt", "gte", "lt", "lte":
			if !isText {
				found.wrong(spot, "Not a string", "is %s. The operator %s wants one text, in quotes.", brief(property["value"]), operator)
			}
		}
		if reason, ok := broken(value); ok && strings.HasSuffix(operator, "regex") {
			found.wrong(spot, "Invalid regular expression", "is %q: %s.", value, reason)
		}
	}
}

// checkPropertyTypes holds for groups of people; those of companies and the like
// are chosen by properties of the group.
func checkPropertyTypes(p place, group map[string]any, found *findings) {
	properties, _ := group["properties"].([]any)
	for i, v := range properties {
		property, _ := v.(map[string]any)
		spot := p.key("properties").item(i).key("type")
		if property != nil && property["type"] == nil {
			found.wrong(spot, "Missing property type", "is missing: person, cohort or flag.")
		}
		propertyType.check(spot, property["type"], found)
	}
}

// storedFilters are the filters of the targeting flag that a survey has. The
// service adds what it is sent to them, key by key.
func storedFilters(f Fields) string {
	filters, ok := f.TargetingFlag.Attributes()["filters"].(jsontypes.Normalized)
	if !ok || !isKnown(filters) {
		return ""
	}
	return filters.ValueString()
}
