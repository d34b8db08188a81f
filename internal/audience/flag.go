package audience

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Definition is a feature flag as it is stored.
type Definition struct {
	ID      int64
	Key     string
	Active  bool
	Deleted bool
	// KeepsExperience is ensure_experience_continuity: who was seen before signing in stays
	// where the earlier id was.
	KeepsExperience bool
	// ByDevice is set when devices are spread over a rollout in place of persons.
	ByDevice bool
	// Filters are decoded JSON with numbers as json.Number; nil where they are not known.
	Filters any
}

// Flag is a feature flag that was read once to be evaluated many times. It is not changed.
type Flag struct {
	Definition
	conditions []condition
	variants   []variant
	// enrolls is set for an early access feature, about which people decide themselves.
	enrolls    bool
	exitsEarly bool
	// dependencies are the ids of the flags that the conditions ask for.
	dependencies []int64
}

// condition is a group of a flag's filters: all of its properties have to match, and the
// person has to be within its share.
type condition struct {
	properties []property
	// share is in percent.
	share float64
	// variant is the one that the condition gives in place of the one by hash; empty for none.
	variant string
	// aggregation is the group type that is spread over the share; nil for persons.
	aggregation *int64
}

// variant is one of the values of a flag, and its share in percent.
type variant struct {
	key   string
	share float64
}

// NewFlag reads a flag. What its filters have in another form than flags do is as if it
// was absent.
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

// parseCondition reads a condition; one without an aggregation of its own has that of the flag.
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

// Nobody says why the filters of a flag let nobody in, whoever it is: words that follow the name
// of the flag. It is empty where somebody may be let in.
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

// members are the members of a decoded object, list the items of a list; none of anything else.
func members(value any) map[string]any {
	object, _ := value.(map[string]any)
	return object
}

func list(value any) []any {
	items, _ := value.([]any)
	return items
}

// integer is a decoded integer; nil for anything else.
func integer(value any) *int64 {
	number, _ := value.(json.Number)
	if n, err := number.Int64(); err == nil {
		return &n
	}
	return nil
}

// decimal is a decoded number.
func decimal(value any) (float64, bool) {
	number, _ := value.(json.Number)
	n, err := number.Float64()
	return n, err == nil
}

// Chooses says in words whom the conditions of a flag choose.
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
