package targeting

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// checkDependencies checks the flags that the filters depend on: they exist and are
// active, and none of them depends on this one.
func (c *filterCheck) checkDependencies() *field.Failure {
	return c.eachGroup(func(_ int, group rawjson.Fields) *field.Failure {
		return eachProperty(group, func(_ int, property rawjson.Fields) *field.Failure {
			if rawjson.Unquote(property["type"]) != "flag" {
				return nil
			}
			return c.checkDependency(property["key"])
		})
	})
}

func (c *filterCheck) checkDependency(key json.RawMessage) *field.Failure {
	id, err := strconv.ParseInt(python.Str(key), 10, 64)
	if err != nil {
		return refuseFilters("Flag dependencies must reference flag IDs (integers), not flag keys. Invalid reference: '%s'", python.Str(key))
	}

	found := c.project.Flag(id)
	switch {
	case found == nil, found.IsTrue(store.FlagTable, "deleted"):
		return refuseFilters("Flag dependency references non-existent flag with ID %d", id)
	case !found.IsTrue(store.FlagTable, "active"):
		return refuseFilters("Cannot create dependency on disabled flag '%s' (ID: %d). Flag dependencies must reference active flags only.",
			found.Text(store.FlagTable, "key"), id)
	case c.flag != nil && id == c.flag.ID:
		return refuseFilters("Feature flag '%s' cannot depend on itself", c.flag.Text(store.FlagTable, "key"))
	case c.flag == nil:
		return nil
	}

	if circle := circle(c.project, id, c.flag.ID, nil); circle != nil {
		names := []string{c.flag.Text(store.FlagTable, "key")}
		for _, id := range circle {
			names = append(names, c.project.Flag(id).Text(store.FlagTable, "key"))
		}
		return refuseFilters("Circular dependency detected: %s", strings.Join(names, " → "))
	}
	return nil
}

// circle is the way from a flag along its dependencies to another; nil for none.
func circle(project Project, from, to int64, seen map[int64]bool) []int64 {
	if from == to {
		return []int64{from}
	}
	if seen == nil {
		seen = map[int64]bool{}
	}
	if seen[from] || project.Flag(from) == nil {
		return nil
	}
	seen[from] = true
	for _, next := range dependenciesOf(project.Flag(from)) {
		if way := circle(project, next, to, seen); way != nil {
			return slices.Insert(way, 0, from)
		}
	}
	return nil
}

// dependenciesOf are the ids of the flags that a flag depends on.
func dependenciesOf(f *store.Flag) []int64 {
	var ids []int64
	groups := rawjson.Members(f.Filters())["groups"]
	if !rawjson.IsArray(groups) {
		return nil
	}
	for _, group := range rawjson.Items(groups) {
		if !rawjson.IsObject(group) || !rawjson.IsArray(rawjson.Members(group)["properties"]) {
			continue
		}
		for _, property := range rawjson.Items(rawjson.Members(group)["properties"]) {
			if !rawjson.IsObject(property) || rawjson.Unquote(rawjson.Members(property)["type"]) != "flag" {
				continue
			}
			if id, err := strconv.ParseInt(python.Str(rawjson.Members(property)["key"]), 10, 64); err == nil {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
