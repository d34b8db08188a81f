package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// mayOverlap reports whether two surveys may be shown to one person on one page. What cannot
// be compared, such as two patterns, is taken for apart: a person who knows both surveys sees
// at once whether they are, and false alarms cost more than misses.
func mayOverlap(a, b surveyFacts) bool {
	return a.Service == b.Service && a.ParentID == b.ParentID && mayBeDueAtOnce(a, b) && mayMeetOnAPage(a, b) &&
		mayShareDevice(a, b) && mayShareAVariant(a, b) && mayShareAPerson(a, b)
}

// eventsOfEveryPage are events that pages and apps send by themselves: no moment of its own.
var eventsOfEveryPage = []string{"$pageview", "$pageleave", "$autocapture", "$web_vitals", "$screen", "Application Opened", "Application Became Active"}

// moments are the events and actions that set a survey off, each a moment of its own; none for
// a survey that is due wherever its page is.
func moments(s surveyFacts) []string {
	var names []string
	for _, key := range []string{"events", "actions"} {
		triggers, _ := condition(s, key).(map[string]any)
		values, _ := triggers["values"].([]any)
		for _, value := range values {
			trigger, _ := value.(map[string]any)
			name, _ := trigger["name"].(string)
			if slices.Contains(eventsOfEveryPage, name) {
				return nil
			}
			names = append(names, key+" "+name)
		}
	}
	return names
}

// mayBeDueAtOnce reports whether two surveys may become due together: at the same moment, or
// both without one. A survey with a moment and one without do so only on a page that both name.
func mayBeDueAtOnce(a, b surveyFacts) bool {
	momentsA, momentsB := moments(a), moments(b)
	if len(momentsA) > 0 && len(momentsB) > 0 {
		return slices.ContainsFunc(momentsA, func(one string) bool { return slices.Contains(momentsB, one) })
	}
	if len(momentsA) == 0 && len(momentsB) == 0 {
		return true
	}
	urlA, _ := urlCondition(a)
	urlB, _ := urlCondition(b)
	return urlA != "" && urlB != ""
}

// mayShareAVariant reports whether the linked flags of two surveys may let one person in: they
// cannot when they are for two variants of one flag.
func mayShareAVariant(a, b surveyFacts) bool {
	flagA, flagB := a.Attributes["linked_flag_id"], b.Attributes["linked_flag_id"]
	if flagA == nil || flagB == nil || jsonvalue.String(flagA) != jsonvalue.String(flagB) {
		return true
	}
	variantA, _ := condition(a, "linkedFlagVariant").(string)
	variantB, _ := condition(b, "linkedFlagVariant").(string)
	isOne := func(variant string) bool { return variant != "" && variant != "any" }
	return !isOne(variantA) || !isOne(variantB) || variantA == variantB
}

// mayShareDevice reports whether the two surveys may be shown on one type of device. A type
// is matched as a part of the name, unless the survey says otherwise.
func mayShareDevice(a, b surveyFacts) bool {
	devicesA, knownA := devices(a)
	devicesB, knownB := devices(b)
	if !knownA || !knownB {
		return true
	}
	return slices.ContainsFunc(devicesA, func(one string) bool {
		return slices.ContainsFunc(devicesB, func(other string) bool {
			return strings.Contains(one, other) || strings.Contains(other, one)
		})
	})
}

// devices are the types of devices that a survey is limited to; false when it is not, or not
// in a way that can be compared.
func devices(s surveyFacts) ([]string, bool) {
	list, _ := condition(s, "deviceTypes").([]any)
	match, _ := condition(s, "deviceTypesMatchType").(string)
	if len(list) == 0 || !slices.Contains([]string{"", "exact", "icontains"}, match) {
		return nil, false
	}
	names := make([]string, len(list))
	for i, device := range list {
		names[i] = strings.ToLower(fmt.Sprint(device))
	}
	return names, true
}

// mayShareAPerson reports whether the targeting of two surveys may choose one person. It is
// certain only when every group of one excludes every group of the other.
func mayShareAPerson(a, b surveyFacts) bool {
	groupsA, knownA := targetingGroups(a)
	groupsB, knownB := targetingGroups(b)
	if !knownA || !knownB {
		return true
	}
	for _, one := range groupsA {
		for _, other := range groupsB {
			if !exclude(one, other) {
				return true
			}
		}
	}
	return false
}

// targetingGroups are the properties that each group of a survey's targeting asks for; false
// when the survey has no filters, or has some that choose people besides the groups.
func targetingGroups(s surveyFacts) (groups [][]property, ok bool) {
	filters, _ := s.Attributes["targeting_flag_filters"].(map[string]any)
	list, _ := filters["groups"].([]any)
	if len(list) == 0 || !restrictsNobody(filters["super_groups"]) {
		return nil, false
	}
	for _, element := range list {
		group, _ := element.(map[string]any)
		properties, _ := group["properties"].([]any)
		var asked []property
		for _, element := range properties {
			if p, ok := propertyOf(element); ok {
				asked = append(asked, p)
			}
		}
		groups = append(groups, asked)
	}
	return groups, true
}

// property is what targeting asks of one property.
type property struct {
	// of tells properties of persons and of groups apart.
	of, key, operator string
	values            []string
}

func propertyOf(element any) (property, bool) {
	fields, _ := element.(map[string]any)
	key, _ := fields["key"].(string)
	operator, _ := fields["operator"].(string)
	if operator == "" {
		operator = "exact"
	}
	p := property{of: fmt.Sprint(fields["type"], fields["group_type_index"]), key: key, operator: operator}

	switch value := fields["value"].(type) {
	case []any:
		for _, one := range value {
			p.values = append(p.values, strings.ToLower(fmt.Sprint(one)))
		}
	default:
		p.values = []string{strings.ToLower(fmt.Sprint(value))}
	}
	return p, key != "" && (fields["type"] == "person" || fields["type"] == "group")
}

// exclude reports whether no person fits two groups.
func exclude(a, b []property) bool {
	return slices.ContainsFunc(a, func(one property) bool {
		return slices.ContainsFunc(b, func(other property) bool { return one.excludes(other) || other.excludes(one) })
	})
}

// excludes reports whether no value fits both.
func (p property) excludes(other property) bool {
	if p.of != other.of || p.key != other.key {
		return false
	}
	switch p.operator + " " + other.operator {
	case "exact exact":
		return !slices.ContainsFunc(p.values, func(value string) bool { return slices.Contains(other.values, value) })
	case "exact is_not":
		return !slices.ContainsFunc(p.values, func(value string) bool { return !slices.Contains(other.values, value) })
	case "exact is_not_set", "is_set is_not_set":
		return true
	}
	return false
}
