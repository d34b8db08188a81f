package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// property returns a group of filters that compares one property.
func property(keys string) object { return filters(`{"properties":[{` + keys + `}]}`) }

// compared returns a person property that is compared by an operator.
func compared(operator, value string) object {
	return property(fmt.Sprintf(`"key":"a","type":"person","operator":%q,"value":%s`, operator, value))
}

// raw returns a survey with the given text as its filters.
func raw(text string) object { return with(object{"targeting_flag_filters": text}) }

const (
	// some is a group that does not match everyone.
	some  = `"groups":[{"rollout_percentage":5}]`
	atTop = "targeting_flag_filters"
	atOne = atTop + ".groups[0].properties[0]"
)

// filterRules are PostHog's rules for a flag's filters, by number. T6 is about regular expressions, and only
// PostHog can check T11 and T16.
var filterRules = map[string]finding{
	"T1 none":                 fault("missing-groups", atTop, "has no groups").of(raw(`{"payloads":{}}`)),
	"T1 empty":                fault("missing-groups", atTop+".groups", "is empty").of(raw(`{"groups":[]}`)),
	"T2 top":                  fault("not-a-number", atTop+".aggregation_group_type_index", "must be a number").of(raw(`{"aggregation_group_type_index":"0",` + some + `}`)),
	"T2 group":                fault("not-a-whole-number", atTop+".groups[0].aggregation_group_type_index", "whole number").of(filters(`{"rollout_percentage":5,"aggregation_group_type_index":0.5}`)),
	"T2 property":             fault("not-a-number", atOne+".group_type_index", "must be a number").of(property(`"key":"a","type":"person","value":"b","group_type_index":true`)),
	"T3 early exit":           fault("not-a-boolean", atTop+".early_exit", "true or false").of(raw(`{"early_exit":1,` + some + `}`)),
	"T4 variant":              fault("not-a-string", atTop+".groups[0].variant", "must be a string").of(filters(`{"rollout_percentage":5,"variant":1}`)),
	"T5 text":                 fault("not-a-number", atTop+".groups[0].rollout_percentage", "must be a number").of(filters(`{"rollout_percentage":"5"}`)),
	"T5 negative":             fault("negative-number", atTop+".groups[0].rollout_percentage", "0 or more").of(filters(`{"rollout_percentage":-1}`)),
	"T5 much":                 fault("rollout-above-100", atTop+".groups[0].rollout_percentage", "0 to 100").of(filters(`{"rollout_percentage":100.5}`)),
	"T6 regex":                fault("invalid-regular-expression", atOne+".value", "missing closing").of(compared("not_regex", `"(a"`)),
	"T7 no percentage":        fault("missing-rollout-percentage", atTop+".multivariate.variants[0].rollout_percentage", "must be set").of(raw(`{"multivariate":{"variants":[{"key":"a"}]},` + some + `}`)),
	"T7 text":                 fault("not-a-number", atTop+".multivariate.variants[0].rollout_percentage", "must be a number").of(raw(`{"multivariate":{"variants":[{"key":"a","rollout_percentage":"100"}]},` + some + `}`)),
	"T8 event":                fault("unknown-value", atOne+".type", "person, cohort, flag").of(property(`"key":"a","type":"event","value":"b"`)),
	"T8 none":                 fault("missing-property-type", atOne+".type", "must be set").of(property(`"key":"a","value":"b"`)),
	"T9 flag":                 fault("unsupported-operator", atOne+".operator", "flag_evaluates_to").of(property(`"key":"3","type":"flag","value":true,"operator":"exact"`)),
	"T10 person":              fault("other-group-type", atOne+".type", "only properties of type group").of(raw(`{"aggregation_group_type_index":0,"groups":[{"properties":[{"key":"a","type":"person","value":"b"}]}]}`)),
	"T10 other":               fault("other-group-type", atOne+".group_type_index", "must be 0").of(raw(`{"aggregation_group_type_index":0,"groups":[{"properties":[{"key":"a","type":"group","group_type_index":1,"value":"b"}]}]}`)),
	"T11 key":                 fault("not-a-flag-id", atOne+".key", "ID of the flag").of(property(`"key":"beta","type":"flag","value":true,"operator":"flag_evaluates_to"`)),
	"cohort by name":          fault("not-a-cohort-id", atOne+".value", "Use the ID of the cohort").of(property(`"key":"id","type":"cohort","value":"vip"`)),
	"cohorts by name":         fault("not-a-cohort-id", atOne+".value", "Use the ID of the cohort").of(property(`"key":"id","type":"cohort","value":["vip"],"operator":"in"`)),
	"T12 sum":                 fault("variant-sum", atTop+".multivariate.variants", "add up to 90").of(raw(`{"multivariate":{"variants":[{"key":"a","rollout_percentage":50},{"key":"b","rollout_percentage":40}]},` + some + `}`)),
	"T13 variant":             fault("unknown-variant", atTop+".groups[0].variant", "does not define").of(filters(`{"rollout_percentage":5,"variant":"a"}`)),
	"T14 operator":            fault("unknown-operator", atOne+".operator", "not an operator of feature flags").of(compared("contains", `"b"`)),
	"T15 operator":            fault("unsupported-operator", atOne+".operator", "do not support").of(compared("between", `["1","2"]`)),
	"T17 date":                fault("invalid-date", atOne+".value", "Use a date").of(compared("is_date_after", `"yesterday"`)),
	"T17 number":              fault("invalid-date", atOne+".value", "Use a date").of(compared("is_date_before", `14`)),
	"T18 number":              fault("not-a-string", atOne+".value", "even for a number").of(compared("gte", `21`)),
	"T18 list":                fault("not-a-string", atOne+".value", "a string").of(compared("icontains", `["a"]`)),
	"T19 in":                  fault("unsupported-operator", atOne+".operator", "type cohort").of(compared("in", `["a"]`)),
	"T20 number":              fault("not-a-version", atOne+".value", "version in quotes").of(compared("semver_gt", `1`)),
	"T20 word":                fault("not-a-version", atOne+".value", "such as 1.2.3").of(compared("semver_eq", `"latest"`)),
	"T20 wildcard":            fault("not-a-version", atOne+".value", "such as 1.2.3").of(compared("semver_lt", `"1.*"`)),
	"T21 text":                fault("not-a-list", atOne+".value", "requires a list").of(compared("icontains_multi", `"a"`)),
	"T22 list":                fault("not-an-object", atTop+".payloads", "must be an object").of(raw(`{"payloads":[],` + some + `}`)),
	"T22 null":                fault("not-an-object", atTop+".payloads", "is null").of(raw(`{"payloads":null,` + some + `}`)),
	"T22 text":                fault("payload-not-json", atTop+".payloads.true", "has its own quotes").of(raw(`{"payloads":{"true":"hello"},` + some + `}`)),
	"T23 boolean":             fault("unknown-payload-key", atTop+".payloads.a", "Payloads are allowed for: true").of(raw(`{"payloads":{"a":"1"},` + some + `}`)),
	"T23 variants":            fault("unknown-payload-key", atTop+".payloads.true", "Payloads are allowed for: a").of(raw(`{"multivariate":{"variants":[{"key":"a","rollout_percentage":100}]},"payloads":{"true":"1"},` + some + `}`)),
	"T24 size":                fault("filters-too-large", atTop, "The maximum is 524288").of(raw(`{"x":"` + strings.Repeat("x", 512*1024) + `",` + some + `}`)),
	"no key":                  fault("missing-property-key", atOne+".key", "must be set").of(property(`"type":"person","value":"b"`)),
	"no value":                fault("missing-property-value", atOne+".value", "must be set").of(property(`"key":"a","type":"person","operator":"exact"`)),
	"reserved":                fault("reserved-key", atTop+".version", "reserved").of(raw(`{"version":2,` + some + `}`)),
	"same variant twice":      fault("duplicate-variant-key", atTop+".multivariate.variants[1].key", "variants[0]").of(raw(`{"multivariate":{"variants":[{"key":"a","rollout_percentage":50},{"key":"a","rollout_percentage":50}]},` + some + `}`)),
	"variant without a key":   fault("missing-variant-key", atTop+".multivariate.variants[0].key", "must be set").of(raw(`{"multivariate":{"variants":[{"rollout_percentage":100}]},` + some + `}`)),
	"variants, no list":       fault("not-a-list", atTop+".multivariate.variants", "must be a list").of(raw(`{"multivariate":{"variants":{}},` + some + `}`)),
	"group, no object":        fault("not-an-object", atTop+".groups[0]", "must be an object").of(raw(`{"groups":["everyone"]}`)),
	"lists where numbers are": fault("not-a-number", atOne+".group_type_index", "must be a number").of(raw(`{"aggregation_group_type_index":[0],"groups":[{"properties":[{"key":"a","type":"group","group_type_index":[1],"value":"b"}]}]}`)),

	"set":              silence.of(property(`"key":"a","type":"person","operator":"is_set"`)),
	"no operator":      silence.of(property(`"key":"a","type":"person","value":["b","c"]`)),
	"relative date":    silence.of(compared("is_date_after", `"-14d"`)),
	"absolute date":    silence.of(compared("is_date_exact", `"2026-01-31"`)),
	"version":          silence.of(compared("semver_caret", `"1.2.3-beta.1"`)),
	"version wildcard": silence.of(compared("semver_wildcard", `"1.2.*"`)),
	"several":          silence.of(compared("not_icontains_multi", `["a","b"]`)),
	"thirds":           silence.of(raw(`{"multivariate":{"variants":[{"key":"a","rollout_percentage":33.3333333},{"key":"b","rollout_percentage":33.3333333},{"key":"c","rollout_percentage":33.3333334}]},` + some + `}`)),
	"payload":          silence.of(raw(`{"payloads":{"true":"{\"a\":1}"},` + some + `}`)),
}

func TestTargetingRules(t *testing.T) {
	t.Parallel()
	assertFound(t, filterRules)
}

// Every rule has a row except T16, which is about cohorts and which only PostHog can check.
func TestTargetingRulesAreComplete(t *testing.T) {
	t.Parallel()
	for rule := 1; rule <= 24; rule++ {
		found := false
		for name := range filterRules {
			found = found || strings.HasPrefix(name, fmt.Sprintf("T%d ", rule))
		}
		assert.Equal(t, rule != 16, found, "T%d", rule)
	}
}
