package targeting

import (
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// checkDependencies checks that the flags on which a group depends exist and are active, and that none of
// them depends on the edited flag.
func (c *filterCheck) checkDependencies(_ int, group wire.Value) *wire.Failure {
	for _, key := range dependencies(group) {
		if f := c.checkDependency(key); f != nil {
			return f
		}
	}
	return nil
}

// dependencies returns the keys of the flags on which a group's properties depend.
func dependencies(group wire.Value) []wire.Value {
	var keys []wire.Value
	for _, property := range group.Get("properties").Items() {
		if property.Get("type").Text() == "flag" {
			keys = append(keys, property.Get("key"))
		}
	}
	return keys
}

func (c *filterCheck) checkDependency(key wire.Value) *wire.Failure {
	id, err := strconv.ParseInt(key.String(), 10, 64)
	if err != nil {
		return refuse("Flag dependencies must reference flag IDs (integers), not flag keys. Invalid reference: '%s'", key)
	}

	flag := c.project.Flag(id)
	switch {
	case flag == nil, flag.IsTrue(store.FlagTable, "deleted"):
		return refuse("Flag dependency references non-existent flag with ID %d", id)
	case !flag.IsTrue(store.FlagTable, "active"):
		return refuse("Cannot create dependency on disabled flag '%s' (ID: %d). Flag dependencies must reference active flags only.",
			flag.Text(store.FlagTable, "key"), id)
	case c.flag != nil && id == c.flag.ID:
		return refuse("Feature flag '%s' cannot depend on itself", c.flag.Text(store.FlagTable, "key"))
	case c.flag == nil:
		return nil
	}

	if circle := circle(c.project, id, c.flag.ID, map[int64]bool{}); circle != nil {
		names := []string{c.flag.Text(store.FlagTable, "key")}
		for _, id := range circle {
			names = append(names, c.project.Flag(id).Text(store.FlagTable, "key"))
		}
		return refuse("Circular dependency detected: %s", strings.Join(names, " → "))
	}
	return nil
}

// circle returns the path of dependencies from start to end, or nil if there is none.
func circle(project Project, start, end int64, visited map[int64]bool) []int64 {
	if start == end {
		return []int64{start}
	}
	flag := project.Flag(start)
	if visited[start] || flag == nil {
		return nil
	}
	visited[start] = true
	for _, group := range flag.Filters().Get("groups").Items() {
		for _, key := range dependencies(group) {
			next, err := strconv.ParseInt(key.String(), 10, 64)
			if err != nil {
				continue
			}
			if way := circle(project, next, end, visited); way != nil {
				return slices.Insert(way, 0, start)
			}
		}
	}
	return nil
}
