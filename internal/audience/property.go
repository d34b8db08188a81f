package audience

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
)

// property is a filter on a property of a person or a group, on a cohort, or on another flag.
type property struct {
	key string
	// of is the filter type: person, group, cohort, or flag.
	of string
	// operator is the operator in the filter, or exact if the filter has none.
	operator  string
	want      any
	groupType *int64
	// pattern is the compiled pattern of regex and not_regex. It is nil if the pattern is invalid.
	pattern *regexp2.Regexp
}

func parseProperty(value any) property {
	fields, isObject := value.(map[string]any)
	if !isObject {
		return property{operator: "exact", of: toText(value)}
	}

	p := property{key: toText(fields["key"]), of: "person", operator: "exact", want: fields["value"]}
	if fields["type"] != nil {
		p.of = toText(fields["type"])
	}
	if p.of == "cohort" {
		p.operator = "in"
	}
	if fields["operator"] != nil {
		p.operator = toText(fields["operator"])
	}
	p.groupType = integer(fields["group_type_index"])
	if p.operator == "regex" || p.operator == "not_regex" {
		if pattern, err := CompilePattern(toText(p.want)); err == nil {
			p.pattern = pattern
		}
	}
	return p
}

// flagID returns the ID of the flag that a filter refers to.
func (p *property) flagID() (int64, bool) {
	id, err := strconv.ParseInt(p.key, 10, 64)
	return id, err == nil && p.of == "flag"
}

// compare evaluates a filter for an existing property.
type compare func(p *property, have any, now time.Time) outcome

// operators are the operators that PostHog supports in flag filters.
var operators = map[string]compare{
	"exact": equals, "is_not": not(equals),
	"is_set":     func(*property, any, time.Time) outcome { return matches(true) },
	"is_not_set": func(*property, any, time.Time) outcome { return miss },

	"icontains": contains, "not_icontains": not(contains),
	"icontains_multi": contains, "not_icontains_multi": not(contains),
	"regex": matchesPattern, "not_regex": not(matchesPattern),

	"gt":  numbers(func(have, want float64) bool { return have > want }),
	"gte": numbers(func(have, want float64) bool { return have >= want }),
	"lt":  numbers(func(have, want float64) bool { return have < want }),
	"lte": numbers(func(have, want float64) bool { return have <= want }),

	"semver_eq":    versions(func(order int) bool { return order == 0 }),
	"semver_neq":   versions(func(order int) bool { return order != 0 }),
	"semver_gt":    versions(func(order int) bool { return order > 0 }),
	"semver_gte":   versions(func(order int) bool { return order >= 0 }),
	"semver_lt":    versions(func(order int) bool { return order < 0 }),
	"semver_lte":   versions(func(order int) bool { return order <= 0 }),
	"semver_tilde": ranges(tilde), "semver_caret": ranges(caret), "semver_wildcard": ranges(wildcard),

	"is_date_exact":  dates(func(order int) bool { return order == 0 }),
	"is_date_before": dates(func(order int) bool { return order < 0 }),
	"is_date_after":  dates(func(order int) bool { return order > 0 }),
}

// tolerant lists the operators that match a person without the property.
var tolerant = strings.Fields("is_not is_not_set not_icontains not_icontains_multi not_regex")

// match evaluates a filter on a property of a person or a group.
func (p *property) match(lookup func(key string) (any, bool), now time.Time) outcome {
	compare := operators[p.operator]
	if compare == nil {
		return unknown("the operator " + p.operator + " is not for a property of a " + p.of)
	}
	have, isFound := lookup(p.key)
	switch {
	case p.want == nil && p.operator != "is_set" && p.operator != "is_not_set":
		return miss
	case !isFound:
		return matches(slices.Contains(tolerant, p.operator))
	}
	return compare(p, have, now)
}

func not(c compare) compare {
	return func(p *property, have any, now time.Time) outcome { return c(p, have, now).opposite() }
}

// equals compares a value with one value, or with each value in a list, and ignores case. If the wanted value is a
// boolean or its text, only truth counts: anything that is not true equals false.
func equals(p *property, have any, _ time.Time) outcome {
	if isSwitch(p.want) {
		return matches(isOn(p.want) == isOn(have))
	}
	wantList, isList := p.want.([]any)
	if !isList {
		wantList = []any{p.want}
	}
	text := strings.ToLower(toText(have))
	return matches(slices.ContainsFunc(wantList, func(want any) bool { return strings.ToLower(toText(want)) == text }))
}

// isSwitch reports whether a value is a boolean, its text, or a list of only such values. An empty list counts too.
func isSwitch(value any) bool {
	if items, isList := value.([]any); isList {
		return !slices.ContainsFunc(items, func(item any) bool { return !isSwitch(item) })
	}
	word := strings.ToLower(toText(value))
	return word == "true" || word == "false"
}

// isOn reports whether a value is true, the text "true", or a list of only such values.
func isOn(value any) bool {
	if items, isList := value.([]any); isList {
		return !slices.ContainsFunc(items, func(item any) bool { return !isOn(item) })
	}
	return strings.ToLower(toText(value)) == "true"
}

// contains searches for one text, or for any text in a list if the operator ends in _multi. It ignores the case of the
// letters A to Z.
func contains(p *property, have any, _ time.Time) outcome {
	wantList, isList := p.want.([]any)
	if !isList || !strings.HasSuffix(p.operator, "_multi") {
		wantList = []any{p.want}
	}
	text := lowerASCII(toText(have))
	return matches(slices.ContainsFunc(wantList, func(want any) bool { return strings.Contains(text, lowerASCII(toText(want))) }))
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

func matchesPattern(p *property, have any, _ time.Time) outcome {
	if p.pattern == nil {
		return unknown("the filter on " + p.key + " is not a regular expression")
	}
	isMatch, err := p.pattern.MatchString(toText(have))
	if err != nil {
		return unknown("the regular expression of the filter on " + p.key + " takes too long")
	}
	return matches(isMatch)
}

// toNumber converts a number, or text that contains one. Like Rust, it accepts no spaces, underscores, or hexadecimal
// numbers.
func toNumber(value any) (float64, bool) {
	switch value.(type) {
	case string, json.Number:
	default:
		return 0, false
	}
	text := toText(value)
	n, err := strconv.ParseFloat(text, 64)
	return n, !strings.ContainsAny(text, "xX_") && (err == nil || errors.Is(err, strconv.ErrRange))
}

func numbers(holds func(have, want float64) bool) compare {
	return func(p *property, have any, _ time.Time) outcome {
		number, ok := toNumber(have)
		if !ok {
			return unknown("the value of " + p.key + " is not a number")
		}
		want, ok := toNumber(p.want)
		if !ok {
			return unknown("the filter on " + p.key + " does not name a number")
		}
		return matches(holds(number, want))
	}
}

// toText returns a string unchanged, and any other value as JSON.
func toText(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	}
	return toJSON(value)
}

// toJSON returns the JSON of a decoded value.
func toJSON(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "null"
	}
	return strings.TrimSuffix(b.String(), "\n")
}
