package evaluation

import (
	"encoding/json"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// property is a filter on one property of a person or of a group, on a cohort or on
// another flag.
type property struct {
	key string
	// of is what the property belongs to: person, group, cohort or flag.
	of string
	// operatorName is the operator as it is written, exact where none is.
	operatorName string
	operator     operator
	isKnown      bool
	want         value
	hasWant      bool
	// isNegated turns the result round, in cohorts alone.
	isNegated bool
	groupType *int64
	// pattern is that of regex and not_regex; nil for one that cannot be compiled.
	pattern *pattern
}

func propertyOf(raw json.RawMessage) property {
	if !rawjson.IsObject(raw) {
		return property{operatorName: "exact", of: jsonText(raw)}
	}
	fields := rawjson.Members(raw)

	p := property{key: wordOf(fields["key"]), of: wordOf(fields["type"]), operatorName: wordOf(fields["operator"])}
	if rawjson.IsNull(fields["type"]) {
		p.of = "person"
	}
	if rawjson.IsNull(fields["operator"]) {
		p.operatorName = "exact"
		if p.of == "cohort" {
			p.operatorName = "in"
		}
	}

	p.operator, p.isKnown = operators[p.operatorName]
	p.hasWant = !rawjson.IsNull(fields["value"])
	p.want = valueOf(fields["value"])
	p.isNegated = kindOf(fields["negation"]) == trueKind
	p.groupType = integer(fields["group_type_index"])
	if p.operatorName == "regex" || p.operatorName == "not_regex" {
		p.pattern = compile(p.want.text)
	}
	return p
}

// wordOf is what a string says; the JSON of anything else, which is then no known word.
func wordOf(raw json.RawMessage) string {
	if rawjson.IsString(raw) {
		return rawjson.Unquote(raw)
	}
	return jsonText(raw)
}

// flagID is the id of the flag that a property asks for.
func (p *property) flagID() (int64, bool) {
	if p.of != "flag" {
		return 0, false
	}
	id, err := strconv.ParseInt(p.key, 10, 64)
	return id, err == nil
}

// cohortID is the id of the cohort that a property asks for: a number or its digits.
func (p *property) cohortID() (int64, bool) {
	if p.want.kind != numberKind && p.want.kind != textKind {
		return 0, false
	}
	id, err := strconv.ParseInt(p.want.text, 10, 64)
	return id, err == nil
}

// match decides about a property that belongs to a person or to a group.
func (p *property) match(has bag, isPartial bool, now clock) outcome {
	if !p.isKnown {
		return unknown("the operator " + p.operatorName + " is not known")
	}

	raw, found := has.get(p.key)
	switch {
	case isPartial && !found:
		return unknown("the property " + p.key + " is not known")
	case p.operator.asksPresence:
		return matches(found != p.operator.whenAbsent)
	case !p.hasWant:
		return miss
	case !found:
		return matches(p.operator.whenAbsent)
	}
	return p.operator.compare(p, valueOf(raw), now)
}
