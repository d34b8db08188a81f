package review

import (
	"fmt"
	"slices"
	"strings"
)

// mayOverlap reports whether two surveys may be shown to one person on one page. What cannot
// be compared, such as two patterns, is assumed to overlap.
func mayOverlap(a, b surveyFacts) bool {
	return a.Service == b.Service && a.ParentID == b.ParentID && mayMeetOnAPage(a, b) && mayShareDevice(a, b) && mayShareAPerson(a, b)
}

// mayMeetOnAPage reports whether the URL conditions of two surveys may match the same page.
// It is certain only of two exact URLs, and of an exact URL and a substring.
func mayMeetOnAPage(a, b surveyFacts) bool {
	urlA, matchA := urlCondition(a)
	urlB, matchB := urlCondition(b)
	switch {
	case urlA == "" || urlB == "":
		return true
	case matchA == "exact" && matchB == "exact":
		return urlA == urlB
	case matchA == "exact" && matchB == "icontains":
		return strings.Contains(strings.ToLower(urlA), strings.ToLower(urlB))
	case matchA == "icontains" && matchB == "exact":
		return strings.Contains(strings.ToLower(urlB), strings.ToLower(urlA))
	}
	return true
}

// urlCondition is the URL condition of a survey and how it is matched: by icontains unless
// the survey says otherwise, as in the SDKs.
func urlCondition(s surveyFacts) (url, match string) {
	url, _ = condition(s, "url").(string)
	match, _ = condition(s, "urlMatchType").(string)
	if match == "" {
		match = "icontains"
	}
	return url, match
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
