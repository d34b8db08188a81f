package reach

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// The types of properties that are judged.
const (
	person = "person"
	group  = "group"
	cohort = "cohort"
	flag   = "flag"
)

// property is what a group asks of one property, cohort or flag.
type property struct {
	of, key, operator string
	// groupType tells the properties of two group types apart.
	groupType string
	value     any
}

// propertyOf reads a property; false for one of another form, of which nothing is claimed.
func propertyOf(element, groupType any) (property, bool) {
	fields, _ := element.(map[string]any)
	p := property{of: person, operator: "exact", value: fields["value"], key: jsonvalue.String(fields["key"])}
	isText := true
	word := func(key string, into *string) {
		switch value := fields[key].(type) {
		case nil:
		case string:
			*into = value
		default:
			isText = false
		}
	}

	word("type", &p.of)
	if p.of == cohort {
		p.operator = "in"
	}
	word("operator", &p.operator)
	p.operator = cmp.Or(map[string]string{"min": "gte", "max": "lte"}[p.operator], p.operator) // as the service stores them

	if p.of == group {
		if own := fields["group_type_index"]; own != nil {
			groupType = own
		}
		p.groupType = fmt.Sprint(groupType)
	}
	return p, isText && p.key != "" && slices.Contains([]string{person, group, cohort, flag}, p.of)
}

// comparing are the operators that match only somebody who has the property, presence those
// that ask for nothing else, and tolerant those that somebody without the property fits.
var (
	comparing = strings.Fields("exact icontains icontains_multi regex gt gte lt lte is_date_exact is_date_before is_date_after " +
		"semver_eq semver_neq semver_gt semver_gte semver_lt semver_lte semver_tilde semver_caret semver_wildcard")
	tolerant = strings.Fields("is_not not_icontains not_icontains_multi not_regex")
	numeric  = strings.Fields("gt gte lt lte")
)

// hasValues reports whether a property belongs to a person or a group, which have values.
func (p property) hasValues() bool { return p.of == person || p.of == group }

// needsValue reports whether only those match who have the property.
func (p property) needsValue() bool {
	return p.hasValues() && (p.operator == "is_set" || slices.Contains(comparing, p.operator))
}

// impossible says why nobody fits a property by itself; empty when somebody may.
func (p property) impossible() string {
	if !p.hasValues() || !slices.Contains(comparing, p.operator) && !slices.Contains(tolerant, p.operator) {
		return ""
	}
	if p.value == nil {
		return fmt.Sprintf("%q is compared with no value", p.key)
	}
	if list, ok := p.value.([]any); ok && len(list) == 0 && p.operator == "icontains_multi" {
		return fmt.Sprintf("%q is compared with an empty list", p.key)
	}
	if text, ok := p.value.(string); ok && slices.Contains(numeric, p.operator) {
		if _, isNumber := numberOf(text); !isNumber {
			return fmt.Sprintf("%q is compared as a number with %q", p.key, text)
		}
	}
	return ""
}

// String words a property as what its value has to be.
func (p property) String() string {
	value := valueText(p.value)
	switch p.operator {
	case "is_set":
		return "set"
	case "is_not_set":
		return "not set"
	case "exact":
		if list, ok := p.value.([]any); ok && len(list) != 1 {
			return "one of " + value
		}
		return value
	}
	if words, ok := inWords[p.operator]; ok {
		return words + " " + value
	}
	return p.operator + " " + value
}

var inWords = map[string]string{
	"is_not": "other than", "icontains": "a text with", "gt": "above", "gte": "at least", "lt": "below", "lte": "at most",
	"is_date_before": "before", "is_date_after": "after", "is_date_exact": "at",
}

// valueText is a value as it is read: a list without its brackets.
func valueText(value any) string {
	if list, ok := value.([]any); ok {
		texts := make([]string, len(list))
		for i, element := range list {
			texts[i] = valueText(element)
		}
		return strings.Join(texts, ", ")
	}
	if text, ok := value.(string); ok {
		return strconv.Quote(text)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return "a value"
	}
	return string(text)
}
