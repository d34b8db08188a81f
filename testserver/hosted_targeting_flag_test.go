package testserver_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// targetingFixtures have flags to depend on, cohorts of all kinds, and a survey with
// a targeting flag of its own.
const targetingFixtures = `"feature_flags":[{"id":1,"project_id":1,"key":"on"},{"id":2,"project_id":1,"key":"off","active":false},
 {"id":3,"project_id":1,"key":"own","filters":{"groups":[{"properties":[{"key":"k","type":"person","operator":"regex","value":"(stored"}],"rollout_percentage":50}],"early_exit":true}},
 {"id":4,"project_id":1,"key":"leaning","filters":{"groups":[{"properties":[{"key":"3","type":"flag","operator":"flag_evaluates_to","value":true}]}]}},
 {"id":5,"project_id":1,"key":"gone","deleted":true}],
"cohorts":[{"id":6,"project_id":1,"name":"static"},{"id":7,"project_id":1,"name":"buyers","behavioral":[{"key":"paid"}]},{"id":8,"project_id":2},
 {"id":10,"project_id":1,"name":"busy","behavioral":[{"key":"paid","value":"performed_event"},{"key":"a"},{"key":"b"}]},{"id":11,"project_id":1,"name":"new","backfilling":true}],
"projects":[{"id":1},{"id":2}],
"surveys":[{"project_id":1,"id":"019b0000-0000-7000-9000-0000000000bb","name":"Mine","type":"popover","targeting_flag_id":3}]`

func filtersOf(groups string) string { return `{"groups":[` + groups + `]}` }

// whose is a group of persons with properties.
func whose(properties string) string {
	return filtersOf(`{"properties":[` + properties + `],"rollout_percentage":50}`)
}

// compares is a property of a person.
func compares(operator, value string) string {
	return whose(`{"key":"k","type":"person","operator":"` + operator + `","value":` + value + `}`)
}

// filterRow is filters and what the service says to them; without a detail it breaks.
type filterRow struct{ name, filters, code, detail string }

const everyone = "Invalid operation: User targeting rolls out to everyone. If you want to roll out to everyone, delete this targeting"

var filterRows = []filterRow{
	{"T2 at the top", `{"groups":[{"properties":[],"rollout_percentage":5}],"aggregation_group_type_index":"0"}`, "", "aggregation_group_type_index must be an integer or null, got str"},
	{"T2 at the top", `{"groups":[{"properties":[],"rollout_percentage":5}],"aggregation_group_type_index":true}`, "", "aggregation_group_type_index must be an integer or null, got bool"},
	{"T2 in a group", filtersOf(`{"properties":[],"rollout_percentage":5,"aggregation_group_type_index":1.5}`), "", "groups[0].aggregation_group_type_index must be an integer or null, got float"},
	{"T2 in a property", whose(`{"key":"k","type":"group","group_type_index":[],"value":1}`), "", "groups[0].properties[0].group_type_index must be an integer or null, got list"},
	{"T3 type", `{"groups":[{"properties":[],"rollout_percentage":5}],"early_exit":1}`, "", "early_exit must be a boolean or null, got int"},
	{"T4 variant", filtersOf(`{"properties":[],"rollout_percentage":5},{"properties":[],"rollout_percentage":5,"variant":{}}`), "", "groups[1].variant must be a string or null, got dict"},
	{"T5 type", filtersOf(`{"properties":[],"rollout_percentage":"5"}`), "", "groups[0].rollout_percentage must be a number or null, got str"},
	{"T5 boolean", filtersOf(`{"properties":[],"rollout_percentage":false}`), "", "groups[0].rollout_percentage must be a number or null, got bool"},
	{"T5 below", filtersOf(`{"properties":[],"rollout_percentage":-0.5}`), "", "groups[0].rollout_percentage must be between 0 and 100, got -0.5"},
	{"T5 above", filtersOf(`{"properties":[],"rollout_percentage":101}`), "", "groups[0].rollout_percentage must be between 0 and 100, got 101"},
	{"C25 T6 bracket", compares("regex", `"[a"`), "", "groups[0].properties[0].value: invalid regex pattern"},
	{"T6 possessive group of no such name", compares("not_regex", `"(?<name>a)"`), "", "groups[0].properties[0].value: invalid regex pattern"},
	{"T7 null", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":{"variants":[{"key":"a"}]}}`, "", "multivariate.variants[0].rollout_percentage must be a number, got null"},
	{"T7 type", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":{"variants":[{"key":"a","rollout_percentage":100},{"key":"b","rollout_percentage":"x"}]}}`, "", "multivariate.variants[1].rollout_percentage must be a number, got str"},
	{"C18 C20 T8 type", whose(`{"key":"k","type":"event","value":"v"}`), "", "Filters are not valid (person-aggregated conditions can only use person, cohort, and flag properties)"},
	{"C22 T8 without a type", whose(`{"key":"k","value":"v"}`), "", "Filters are not valid (person-aggregated conditions can only use person, cohort, and flag properties)"},
	{"T9 operator", whose(`{"key":"1","type":"flag","operator":"exact","value":true}`), "", "Flag properties must use the 'flag_evaluates_to' operator"},
	{"T10 type", filtersOf(`{"aggregation_group_type_index":0,"rollout_percentage":5,"properties":[{"key":"k","type":"person","value":"v"}]}`), "", "Filters are not valid (group-aggregated conditions can only use group properties)"},
	{"T10 index", filtersOf(`{"aggregation_group_type_index":0,"rollout_percentage":5,"properties":[{"key":"k","type":"group","group_type_index":1,"value":"v"}]}`), "", "Filters are not valid (group properties must match the condition set's group type)"},
	{"T11 a key", whose(`{"key":"on","type":"flag","operator":"flag_evaluates_to","value":true}`), "", "Flag dependencies must reference flag IDs (integers), not flag keys. Invalid reference: 'on'"},
	{"T11 unknown", whose(`{"key":"99","type":"flag","operator":"flag_evaluates_to","value":true}`), "", "Flag dependency references non-existent flag with ID 99"},
	{"T11 deleted", whose(`{"key":"5","type":"flag","operator":"flag_evaluates_to","value":true}`), "", "Flag dependency references non-existent flag with ID 5"},
	{"T11 disabled", whose(`{"key":"2","type":"flag","operator":"flag_evaluates_to","value":true}`), "", "Cannot create dependency on disabled flag 'off' (ID: 2). Flag dependencies must reference active flags only."},
	{"T12 sum", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":{"variants":[{"key":"a","rollout_percentage":50},{"key":"b","rollout_percentage":49.5}]}}`, "", "Invalid variant definitions: Variant rollout percentages must sum to 100."},
	{"T13 variant", filtersOf(`{"properties":[],"rollout_percentage":50,"variant":"v"}`), "", "Filters are not valid (variant override does not exist)"},
	{"T14 operator", compares("like", `"x"`), "invalid_operator", "Invalid operator: like"},
	{"T15 operator", compares("between", `[1,2]`), "unsupported_operator", "Unsupported operator for feature flags: between"},
	{"T16 unknown", whose(`{"key":"id","type":"cohort","value":99}`), "cohort_does_not_exist", "Cohort with id 99 does not exist"},
	{"T16 of another project", whose(`{"key":"id","type":"cohort","value":"8"}`), "cohort_does_not_exist", "Cohort with id 8 does not exist"},
	{"T16 no number", whose(`{"key":"id","type":"cohort","value":"x"}`), "", ""},
	{"T17 word", compares("is_date_exact", `"soon"`), "invalid_date", "Invalid date value: soon"},
	{"T17 number", compares("is_date_after", `5`), "invalid_date", "Invalid date value: 5"},
	{"T17 too far", compares("is_date_before", `"10000d"`), "invalid_date", "Invalid date value: 10000d"},
	{"T17 no such day", compares("is_date_before", `"2024-02-30"`), "invalid_date", "Invalid date value: 2024-02-30"},
	{"T18 number", compares("gt", `5`), "invalid_value", "Invalid value for operator gt: 5"},
	{"C20 T18 list", compares("icontains", `["red", "blue"]`), "invalid_value", "Invalid value for operator icontains: ['red', 'blue']"},
	{"C20 T18 null", compares("regex", `null`), "invalid_value", "Invalid value for operator regex: None"},
	{"C20 T18 boolean", compares("not_icontains", `false`), "invalid_value", "Invalid value for operator not_icontains: False"},
	{"T18 the old name of an operator", compares("min", `1.50`), "invalid_value", "Invalid value for operator gte: 1.5"},
	{"T19 person", compares("in", `[1]`), "invalid_operator", "The 'in' operator is only valid for cohort properties, not 'person' properties."},
	{"T20 type", compares("semver_gt", `1`), "invalid_value", "Invalid value for operator semver_gt: expected a semver string"},
	{"T20 version", compares("semver_eq", `"one"`), "invalid_value", "Invalid semver value for operator semver_eq: one"},
	{"T20 only wildcards end in a star", compares("semver_eq", `"1.*"`), "invalid_value", "Invalid semver value for operator semver_eq: 1.*"},
	{"T21 text", compares("icontains_multi", `"a"`), "invalid_value", "icontains_multi operator requires a list of values"},
	{"T22 no object", `{"groups":[{"properties":[],"rollout_percentage":5}],"payloads":[]}`, "", "Payloads must be passed as a dictionary"},
	{"T22 no JSON", `{"groups":[{"properties":[],"rollout_percentage":5}],"payloads":{"true":"{"}}`, "", "Payload value is not valid JSON"},
	{"T23 without variants", `{"groups":[{"properties":[],"rollout_percentage":5}],"payloads":{"a":"1"}}`, "", "Payload keys must be 'true' for boolean flags"},
	{"T23 with variants", `{"groups":[{"properties":[],"rollout_percentage":5}],"payloads":{"true":"1"},"multivariate":{"variants":[{"key":"a","rollout_percentage":100}]}}`, "", "Payload keys must match a variant key for multivariate flags"},
	{"T24 size", whose(`{"key":"k","type":"person","value":"` + strings.Repeat("x", 600<<10) + `"}`), "", "Feature flag filters exceed maximum size of 512KB. Current size: 600KB. Please simplify conditions or reduce payload sizes."},
	{"C22 without a value", whose(`{"key":"k","type":"person"}`), "", ""},
	{"C22 without a key", whose(`{"type":"person","value":"v"}`), "", ""},
	{"C33 row 19 a group that is no object", filtersOf(`5`), "", ""},
	{"C33 row 19 properties null", filtersOf(`{"properties":null}`), "", ""},
	{"row 19 groups that are no list", `{"groups":"x"}`, "", ""},
}

// Every rule of the contents of filters before September 2026, on a survey that gets a flag
// and on one that has one.
func TestHostedTargetingRules(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, withFeatures(``, ","+targetingFixtures))
	before := srv.Dump()

	for _, row := range filterRows {
		for _, a := range []answer{
			c.post(surveys, `{"name":"New","type":"api","targeting_flag_filters":`+row.filters+`}`),
			c.patch(mine, `{"targeting_flag_filters":`+row.filters+`}`),
		} {
			if row.code == "" {
				row.code = "invalid_input"
			}
			t.Log(row.name)
			if row.detail == "" {
				a.fails(http.StatusInternalServerError, "error", "", "A server error occurred.")
			} else {
				a.fails(http.StatusBadRequest, row.code, "filters", row.detail)
			}
			assert.Equal(t, before, srv.Dump(), "%s changes nothing", row.name)
		}
	}
}

func TestHostedTargetsEveryone(t *testing.T) {
	t.Parallel()
	refuses(t, []refusal{
		{"row 19 hundred", `"targeting_flag_filters":` + filtersOf(`{"properties":[],"rollout_percentage":100}`), "invalid_input", "", everyone, always},
		{"row 19 null", `"targeting_flag_filters":` + filtersOf(`{"properties":[],"rollout_percentage":null}`), "invalid_input", "", everyone, always},
		{"row 19 absent", `"targeting_flag_filters":` + filtersOf(`{"rollout_percentage":10},{}`), "invalid_input", "", everyone, always},
		{"C15 row 25 a list", `"targeting_flag_filters":[1]`, "invalid_input", "targeting_flag_filters", "targeting_flag_filters must be an object", always},
		{"C15 row 25 a text", `"targeting_flag_filters":"x"`, "invalid_input", "targeting_flag_filters", "targeting_flag_filters must be an object", always},
		{"C15 row 25 a boolean", `"targeting_flag_filters":false`, "invalid_input", "targeting_flag_filters", "targeting_flag_filters must be an object", always},
		{"C15 row 25a a list", `"form_content":[]`, "invalid_input", "form_content", "form_content must be an object", always},
		{"C15 row 25a a number", `"form_content":0`, "invalid_input", "form_content", "form_content must be an object", always},
	})
}

// Groups are asked for where a flag is made, and kept where one is edited.
func TestHostedTargetingWithoutGroups(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "{"+targetingFixtures+"}")
	const detail = "Feature flags must have at least one condition set (group)."
	_, path := c.make("")
	for _, filters := range []string{`{"groups":[]}`, `{"payloads":{}}`} {
		c.post(surveys, `{"name":"New","type":"api","targeting_flag_filters":`+filters+`}`).fails(http.StatusBadRequest, "invalid_input", "filters", detail)
		c.patch(path, `{"targeting_flag_filters":`+filters+`}`).fails(http.StatusBadRequest, "invalid_input", "filters", detail)
	}
	stored := c.get(mine).flag("targeting_flag", "filters")
	kept := c.patch(mine, `{"targeting_flag_filters":{"super_groups":null}}`).is(http.StatusOK)
	assert.Contains(t, kept.flag("targeting_flag", "filters"), "(stored", "C19 T1 without groups those of the flag are kept")
	assert.NotEqual(t, stored, kept.flag("targeting_flag", "filters"))
	none := c.patch(mine, `{"targeting_flag_filters":{"groups":[]}}`).is(http.StatusOK)
	assert.Contains(t, none.flag("targeting_flag", "filters"), `"groups":[]`, "C19 T1 an empty list passes for a flag that is there")
}

// What the rules take.
func TestHostedTargetingThatIsTaken(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "{"+targetingFixtures+"}")
	for i, filters := range []string{
		filtersOf(`{"properties":[],"rollout_percentage":99.9,"unknown":{"kept":1}}`),
		whose(`{"key":"id","type":"cohort","value":"6"},{"key":"id","type":"cohort","operator":"not_in","value":6}`),
		whose(`{"key":"1","type":"flag","operator":"flag_evaluates_to","value":true}`),
		whose(`{"key":"k","type":"person","operator":"is_set"}`),
		whose(`{"key":"k","type":"person","operator":null,"value":[1]}`),
		compares("regex", `"(?P<n>a)(?<=b)(?>c++)(?i:d)"`), compares("gt", `"21"`),
		compares("is_date_before", `"-2w"`), compares("is_date_after", `"0014d"`), compares("is_date_exact", `"January 5th, 2024 at 10:30 PM"`),
		compares("is_date_exact", `"2024-W01-3"`), compares("is_date_exact", `"5/12/24"`), compares("is_date_exact", `"Tue, 5 Mar 2024 10:00:00 GMT"`),
		compares("semver_wildcard", `"1.2.*"`), compares("semver_tilde", `"v1.2.3-rc.1+b"`), compares("not_icontains_multi", `[]`),
		`{"groups":[{"properties":[],"rollout_percentage":5,"variant":"a"}],"payloads":{"a":"NaN"},"multivariate":{"variants":[{"key":"a","rollout_percentage":100}]}}`,
		filtersOf(`{"aggregation_group_type_index":0,"rollout_percentage":5,"properties":[{"key":"k","type":"group","group_type_index":0,"value":"v"}]}`),
		`{"groups":[{"properties":[],"rollout_percentage":5}],"early_exit":false}`,
	} {
		a := c.post(surveys, `{"name":"`+strconv.Itoa(i)+`","type":"api","targeting_flag_filters":`+filters+`}`)
		assert.Equal(t, http.StatusCreated, a.status, "%s: %s", filters, a.body)
	}

	// What the flag has already is never refused.
	edited := c.patch(mine, `{"targeting_flag_filters":`+compares("regex", `"(stored"`)[:len(compares("regex", `"(stored"`))-1]+`,"early_exit":true}}`)
	assert.Equal(t, http.StatusOK, edited.status, "T6 T3 what is stored passes: %s", edited.body)
	c.post(surveys, `{"name":"New","type":"api","targeting_flag_filters":{"groups":[{"properties":[],"rollout_percentage":5}],"early_exit":true}}`).
		fails(http.StatusBadRequest, "invalid_input", "filters", "early_exit is not available for this organization.")
}

// Dependencies on itself, at once or by way of others.
func TestHostedTargetingCircles(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "{"+targetingFixtures+"}")
	depends := func(id string) string {
		return `{"targeting_flag_filters":` + whose(`{"key":`+id+`,"type":"flag","operator":"flag_evaluates_to","value":true}`) + `}`
	}
	for _, row := range []filterRow{
		{"T11 itself", depends("3"), "invalid_input", "Feature flag 'own' cannot depend on itself"},
		{"T11 a circle", depends(`"4"`), "invalid_input", "Circular dependency detected: own → leaning → own"},
	} {
		t.Log(row.name)
		c.patch(mine, row.filters).fails(http.StatusBadRequest, row.code, "filters", row.detail)
	}
}

func TestHostedBehavioralCohorts(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "{"+targetingFixtures+"}")
	for id, detail := range map[string]string{
		"7":  "Cohort 'buyers' has an event-based condition on 'paid' (performed_event) and cannot be used in surveys.",
		"10": "Cohort 'busy' has an event-based condition on 'paid' (performed_event) and 2 others and cannot be used in surveys.",
		"11": "Cohort 'new' is still being backfilled and cannot be used in surveys yet. It will become available once its initial backfill completes.",
	} {
		a := c.patch(mine, `{"targeting_flag_filters":`+whose(`{"key":"id","type":"cohort","value":`+id+`}`)+`}`)
		a.fails(http.StatusBadRequest, "behavioral_cohort_found", "", detail)
		assert.Equal(t, http.StatusBadRequest, a.status, "C24 row 23 cohort %s", id)
	}
}

// What is stored otherwise than it was sent.
func TestHostedTargetingIsNormalised(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	created, _ := c.make(`"targeting_flag_filters":{"groups":[{"properties":[{"key":"a","type":"person","operator":"min","value":"1"},{"key":"b","type":"person","operator":"max","value":"2"}],
		"rollout_percentage":5},{"aggregation_group_type_index":1,"properties":[],"rollout_percentage":6}],"payloads":{"true":{"a":[1,"x, y"]}},"other":1}`)
	stored := created.flag("targeting_flag", "filters")
	assert.Contains(t, stored, `"operator":"gte"`, "C21 min is gte")
	assert.Contains(t, stored, `"operator":"lte"`, "C21 max is lte")
	assert.Contains(t, stored, `"payloads":{"true":"{\"a\": [1, \"x, y\"]}"}`, "C21 payloads are JSON text")
	assert.Contains(t, stored, `"rollout_percentage":5,"aggregation_group_type_index":null`, "C21 each group has an index")
	assert.Regexp(t, `"other":1,.*\],"?.*"aggregation_group_type_index":null}$|"aggregation_group_type_index":null}$`, stored, "C21 the groups differ")
}

// The rules of September 2026: what is not switched on is accepted, what is has a code
// of its own.
func TestHostedTargetingRulesOfSeptember(t *testing.T) {
	t.Parallel()
	const variants = `"multivariate":{"variants":[{"key":"a","rollout_percentage":50},{"key":"a","rollout_percentage":50}]}`
	for _, row := range []struct{ rule, filters, detail string }{
		{"variant_rollout_sum_not_100", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":{"variants":[{"key":"a","rollout_percentage":90}]}}`, "multivariate.variants: Variant rollout percentages must sum to 100, got 90."},
		{"variant_keys_not_unique", `{"groups":[{"properties":[],"rollout_percentage":5}],` + variants + `}`, "multivariate.variants[1].key: Variant keys must be unique."},
		{"payload_key_not_a_variant", `{"groups":[{"properties":[],"rollout_percentage":5}],"payloads":{"b":"1"},` + variants + `}`, "payloads.b: The payload key must be the key of a variant."},
		{"payload_key_not_true", `{"groups":[{"properties":[],"rollout_percentage":5}],"payloads":{"b":"1"}}`, "payloads.b: The payload key of a flag without variants must be true."},
		{"group_variant_not_a_variant", filtersOf(`{"properties":[],"rollout_percentage":5,"variant":"v"}`), "groups[0].variant: 'v' is not a variant of the flag."},
		{"person_aggregation_property_type", whose(`{"key":"k","value":"v"}`), "groups[0].properties[0].type: A condition set of persons can only use person, cohort and flag properties."},
		{"group_aggregation_property_type", filtersOf(`{"aggregation_group_type_index":0,"rollout_percentage":5,"properties":[{"key":"k","type":"person","value":"v"}]}`), "groups[0].properties[0].type: A condition set of groups can only use group properties."},
		{"group_property_type_index_mismatch", filtersOf(`{"aggregation_group_type_index":0,"rollout_percentage":5,"properties":[{"key":"k","type":"group","value":"v"}]}`), "groups[0].properties[0].group_type_index: The group type must be that of the condition set."},
		{"flag_property_requires_flag_evaluates_to", whose(`{"key":"1","type":"flag","value":true}`), "groups[0].properties[0].operator: Flag properties must use the operator flag_evaluates_to."},
		{"in_not_in_requires_cohort", compares("in", `[1]`), "groups[0].properties[0].operator: Operator in is only supported on cohort properties."},
		{"date_value_not_parseable", compares("is_date_exact", `"soon"`), "groups[0].properties[0].value: Invalid date value: soon."},
		{"operator_requires_string_value", compares("gt", `5`), "groups[0].properties[0].value: Operator gt requires a string value."},
		{"operator_requires_list_value", compares("icontains_multi", `"a"`), "groups[0].properties[0].value: Operator icontains_multi requires a list of values."},
		{"semver_value_invalid", compares("semver_eq", `"one"`), "groups[0].properties[0].value: Invalid semver value: one."},
	} {
		sent := `{"name":"New","type":"api","targeting_flag_filters":` + row.filters + `}`
		_, off := startHosted(t, withFeatures(`"feature_flag_rules_2026_09"`, ","+targetingFixtures))
		assert.Equal(t, http.StatusCreated, off.post(surveys, sent).status, "C23 %s is not enforced", row.rule)
		_, on := startHosted(t, withFeatures(`{"key":"feature_flag_rules_2026_09","enforce":["`+row.rule+`"]}`, ","+targetingFixtures))
		on.post(surveys, sent).fails(http.StatusBadRequest, "cross_field."+row.rule, "filters", row.detail)
	}

	srv, c := startHosted(t, withFeatures(`"feature_flag_rules_2026_09"`, ","+targetingFixtures))
	before := srv.Dump()
	for _, row := range []filterRow{
		{"C23 version", `{"groups":[{"properties":[],"rollout_percentage":5}],"version":2}`, "reserved_config_version", "filters.version is reserved. Remove it from the request."},
		{"C23 T1 groups", `{"groups":[]}`, "invalid_input", "Feature flags must have at least one condition set (group)."},
		{"C23 property", whose(`5`), "invalid_input", "groups[0].properties[0] must be a dictionary, got int"},
		{"C23 multivariate", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":[]}`, "invalid_input", "multivariate must be a dictionary or null, got list"},
		{"C23 variants", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":{"variants":{}}}`, "invalid_input", "multivariate.variants must be a list, got dict"},
		{"C23 the key of a variant", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":{"variants":[{}]}}`, "invalid_input", "multivariate.variants[0].key must be a string, got NoneType"},
		{"C23 enrollment", `{"groups":[{"properties":[],"rollout_percentage":5}],"feature_enrollment":1}`, "invalid_input", "feature_enrollment must be a boolean or null, got int"},
		{"C23 holdout", `{"groups":[{"properties":[],"rollout_percentage":5}],"holdout":1}`, "invalid_input", "holdout must be a dictionary or null, got int"},
		{"C23 T2 32 bits", `{"groups":[{"properties":[],"rollout_percentage":5}],"aggregation_group_type_index":2147483648}`, "invalid_input", "aggregation_group_type_index must be between -2147483648 and 2147483647, got 2147483648"},
		{"C23 operator", compares("between", `[1]`), "invalid_input", "groups[0].properties[0].operator: unsupported operator for feature flags"},
		{"C23 key", whose(`{"type":"person","value":1}`), "invalid_input", "groups[0].properties[0].key: a property key is required"},
		{"C23 type", whose(`{"key":"k","type":"planet","value":1}`), "invalid_input", "groups[0].properties[0].type: invalid property type"},
		{"C23 negation", whose(`{"key":"k","type":"person","value":1,"negation":"x"}`), "invalid_input", "groups[0].properties[0].negation must be a boolean or null, got str"},
		{"C23 payload", `{"groups":[{"properties":[],"rollout_percentage":5}],"payloads":{"true":"{"}}`, "invalid_input", "Payload for key 'true' is not valid JSON."},
	} {
		t.Log(row.name)
		if row.filters == `{"groups":[]}` {
			c.post(surveys, `{"name":"New","type":"api","targeting_flag_filters":`+row.filters+`}`).fails(http.StatusBadRequest, row.code, "filters", row.detail)
			continue
		}
		c.patch(mine, `{"targeting_flag_filters":`+row.filters+`}`).fails(http.StatusBadRequest, row.code, "filters", row.detail)
		assert.Equal(t, before, srv.Dump(), "%s changes nothing", row.name)
	}
	taken := c.patch(mine, `{"targeting_flag_filters":`+whose(`{"key":"k","type":"person"}`)+`}`)
	assert.Equal(t, http.StatusOK, taken.status, "C23 a property without a value")
}
