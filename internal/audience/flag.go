package audience

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Definition is a feature flag as PostHog stores it.
type Definition struct {
	ID      int64
	Key     string
	Active  bool
	Deleted bool
	// KeepsExperience is ensure_experience_continuity: after signing in, a person keeps the flag's value for the
	// earlier ID.
	KeepsExperience bool
	// ByDevice is set if the rollout is by device instead of by person.
	ByDevice bool
	// Filters is decoded JSON with numbers as json.Number. It is nil if the filters are unknown.
	Filters any
}

// Flag is a feature flag, parsed for repeated evaluation. It is immutable.
type Flag struct {
	Definition
	conditions []condition
	variants   []variant
	// enrolls is set for an early access feature, which people opt in to or out of.
	enrolls    bool
	exitsEarly bool
	// dependencies contains the IDs of the flags that this flag's conditions refer to.
	dependencies []int64
}

// condition is a group in a flag's filters. It matches if all properties match and the person is within the rollout
// percentage.
type condition struct {
	properties []property
	// share is the rollout percentage.
	share float64
	// variant is the key of the variant that the condition assigns. If it is empty, the hash decides.
	variant string
	// aggregation is the group type for the rollout. It is nil for persons.
	aggregation *int64
}

// variant is a possible value of a flag with its rollout percentage.
type variant struct {
	key   string
	share float64
}

// NewFlag parses a flag. It ignores parts of the filters that do not have the expected form.
func NewFlag(d Definition) *Flag {
	filters := members(d.Filters)
	flag := &Flag{Definition: d, exitsEarly: filters["early_exit"] == true}
	flag.enrolls = filters["feature_enrollment"] == true || len(list(filters["super_groups"])) > 0
	for _, item := range list(members(filters["multivariate"])["variants"]) {
		fields := members(item)
		key, isKey := fields["key"].(string)
		if share, ok := decimal(fields["rollout_percentage"]); ok && isKey {
			flag.variants = append(flag.variants, variant{key, share})
		}
	}
	for _, group := range list(filters["groups"]) {
		flag.conditions = append(flag.conditions, parseCondition(members(group), integer(filters["aggregation_group_type_index"])))
	}

	for _, c := range flag.conditions {
		for i := range c.properties {
			if id, ok := c.properties[i].flagID(); ok && !slices.Contains(flag.dependencies, id) {
				flag.dependencies = append(flag.dependencies, id)
			}
		}
	}
	return flag
}

// parseCondition parses a condition. A condition without an aggregation inherits the flag's.
func parseCondition(fields map[string]any, common *int64) condition {
	c := condition{share: 100, aggregation: common}
	c.variant, _ = fields["variant"].(string)
	if share, ok := decimal(fields["rollout_percentage"]); ok {
		c.share = share
	}
	if groupType, ok := fields["aggregation_group_type_index"]; ok {
		c.aggregation = integer(groupType)
	}
	for _, item := range list(fields["properties"]) {
		c.properties = append(c.properties, parseProperty(item))
	}
	return c
}

// hasVariant reports whether a flag has a variant with a key.
func (flag *Flag) hasVariant(key string) bool {
	return slices.ContainsFunc(flag.variants, func(v variant) bool { return v.key == key })
}

// Nobody explains why a flag's filters match no one. The text continues a sentence that starts with the flag's name. It
// is empty if the flag may match someone.
func (flag *Flag) Nobody() string {
	groups, isList := members(flag.Filters)["groups"].([]any)
	switch {
	case !isList || flag.enrolls:
		return ""
	case len(groups) == 0:
		return "has no condition set, so no one matches it: add a group to its filters"
	case !slices.ContainsFunc(flag.conditions, func(c condition) bool { return c.share > 0 }):
		return "is rolled out to 0 %: raise rollout_percentage"
	}
	return ""
}

// members returns the members of a decoded object, and list the items of a decoded list. Both return nil for other
// values.
func members(value any) map[string]any {
	object, _ := value.(map[string]any)
	return object
}

func list(value any) []any {
	items, _ := value.([]any)
	return items
}

// integer returns a decoded integer, or nil for any other value.
func integer(value any) *int64 {
	number, _ := value.(json.Number)
	if n, err := number.Int64(); err == nil {
		return &n
	}
	return nil
}

// decimal returns a decoded number.
func decimal(value any) (float64, bool) {
	number, _ := value.(json.Number)
	n, err := number.Float64()
	return n, err == nil
}

// Chooses describes the people whom a flag's conditions match.
func (flag *Flag) Chooses() string {
	var groups []string
	for _, c := range flag.conditions {
		var asked []string
		for _, p := range c.properties {
			switch p.of {
			case "cohort":
				asked = append(asked, "cohort "+p.asks())
			case "flag":
				asked = append(asked, "feature flag "+p.key+" being "+toJSON(p.want))
			case "group":
				asked = append(asked, fmt.Sprintf("%q of their group %s", p.key, p.asks()))
			default:
				asked = append(asked, fmt.Sprintf("%q %s", p.key, p.asks()))
			}
		}

		words := "everybody"
		if len(asked) > 0 {
			words = "people with " + strings.Join(asked, " and ")
		}
		if c.share < 100 {
			words = percent(c.share/100) + " % of " + strings.Replace(words, "everybody", "people", 1)
		}
		groups = append(groups, words)
	}
	if len(groups) == 0 {
		return "nobody"
	}
	return strings.Join(groups, ", or ")
}
