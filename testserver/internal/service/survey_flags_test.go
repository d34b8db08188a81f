package service_test

import (
	"encoding/json"
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
	{"T7 null", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":{"variants":[{"key":"a"}]}}`, "", "multivariate.variants[0].rollout_percentage must be a number, got null"},
	{"T7 type", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":{"variants":[{"key":"a","rollout_percentage":100},{"key":"b","rollout_percentage":"x"}]}}`, "", "multivariate.variants[1].rollout_percentage must be a number, got str"},
	{"T11 a key", whose(`{"key":"on","type":"flag","operator":"flag_evaluates_to","value":true}`), "", "Flag dependencies must reference flag IDs (integers), not flag keys. Invalid reference: 'on'"},
	{"T11 unknown", whose(`{"key":"99","type":"flag","operator":"flag_evaluates_to","value":true}`), "", "Flag dependency references non-existent flag with ID 99"},
	{"T11 deleted", whose(`{"key":"5","type":"flag","operator":"flag_evaluates_to","value":true}`), "", "Flag dependency references non-existent flag with ID 5"},
	{"T11 disabled", whose(`{"key":"2","type":"flag","operator":"flag_evaluates_to","value":true}`), "", "Cannot create dependency on disabled flag 'off' (ID: 2). Flag dependencies must reference active flags only."},
	{"T16 unknown", whose(`{"key":"id","type":"cohort","value":99}`), "cohort_does_not_exist", "Cohort with id 99 does not exist"},
	{"T16 of another project", whose(`{"key":"id","type":"cohort","value":"8"}`), "cohort_does_not_exist", "Cohort with id 8 does not exist"},
	{"T16 no number", whose(`{"key":"id","type":"cohort","value":"x"}`), "", ""},
	{"T22 no object", `{"groups":[{"properties":[],"rollout_percentage":5}],"payloads":[]}`, "", "Payloads must be passed as a dictionary"},
	{"T24 size", whose(`{"key":"k","type":"person","value":"` + strings.Repeat("x", 600<<10) + `"}`), "", "Feature flag filters exceed maximum size of 512KB. Current size: 600KB. Please simplify conditions or reduce payload sizes."},
	{"C33 row 19 properties null", filtersOf(`{"properties":null}`), "", ""},
	{"C23 version", `{"groups":[{"properties":[],"rollout_percentage":5}],"version":2}`, "reserved_config_version", "filters.version is reserved. Remove it from the request."},
	{"C23 property", whose(`5`), "", "groups[0].properties[0] must be a dictionary, got int"},
	{"C23 multivariate", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":[]}`, "", "multivariate must be a dictionary or null, got list"},
	{"C23 variants", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":{"variants":{}}}`, "", "multivariate.variants must be a list, got dict"},
	{"C23 the key of a variant", `{"groups":[{"properties":[],"rollout_percentage":5}],"multivariate":{"variants":[{}]}}`, "", "multivariate.variants[0].key must be a string, got NoneType"},
	{"C23 enrollment", `{"groups":[{"properties":[],"rollout_percentage":5}],"feature_enrollment":1}`, "", "feature_enrollment must be a boolean or null, got int"},
	{"C23 holdout", `{"groups":[{"properties":[],"rollout_percentage":5}],"holdout":1}`, "", "holdout must be a dictionary or null, got int"},
	{"C23 T2 32 bits", `{"groups":[{"properties":[],"rollout_percentage":5}],"aggregation_group_type_index":2147483648}`, "", "aggregation_group_type_index must be between -2147483648 and 2147483647, got 2147483648"},
	{"C23 operator", compares("between", `[1]`), "", "groups[0].properties[0].operator: unsupported operator for feature flags"},
	{"C23 key", whose(`{"type":"person","value":1}`), "", "groups[0].properties[0].key: a property key is required"},
	{"C23 type", whose(`{"key":"k","type":"planet","value":1}`), "", "groups[0].properties[0].type: invalid property type"},
	{"no type", whose(`{"key":"k","value":"v"}`), "", "groups[0].properties[0].type: invalid property type"},
	{"type null", whose(`{"key":"k","type":null,"value":"v"}`), "", "groups[0].properties[0].type: invalid property type"},
	{"C23 negation", whose(`{"key":"k","type":"person","value":1,"negation":"x"}`), "", "groups[0].properties[0].negation must be a boolean or null, got str"},
	{"C23 payload", `{"groups":[{"properties":[],"rollout_percentage":5}],"payloads":{"true":"{"}}`, "", "Payload for key 'true' is not valid JSON."},
}

// Every rule of the contents of filters, on a survey that gets a flag and on one that has one.
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
		compares("regex", `"(?P<n>a)(?<=b)(?>c+)(?i:d)"`), compares("gt", `"21"`),
		compares("is_date_before", `"-2w"`), compares("is_date_after", `"0014d"`), compares("is_date_exact", `"January 5th, 2024 at 10:30 PM"`),
		compares("is_date_exact", `"2024-W01-3"`), compares("is_date_exact", `"5/12/24"`), compares("is_date_exact", `"Tue, 5 Mar 2024 10:00:00 GMT"`),
		compares("semver_wildcard", `"1.2.*"`), compares("semver_tilde", `"v1.2.3-rc.1+b"`), compares("not_icontains_multi", `[]`),
		`{"groups":[{"properties":[],"rollout_percentage":5,"variant":"a"}],"payloads":{"a":"1"},"multivariate":{"variants":[{"key":"a","rollout_percentage":100}]}}`,
		filtersOf(`{"aggregation_group_type_index":0,"rollout_percentage":5,"properties":[{"key":"k","type":"group","group_type_index":0,"value":"v"}]}`),
		`{"groups":[{"properties":[],"rollout_percentage":5}],"early_exit":false}`,
		whose(`{"key":"k","type":"person"}`), compares("in", `[1]`), compares("is_date_exact", `"soon"`), compares("gt", `5`),
		filtersOf(`{"properties":[],"rollout_percentage":5,"variant":"v"}`),
		`{"groups":[{"properties":[],"rollout_percentage":5}],"payloads":{"b":"1"},"multivariate":{"variants":[{"key":"a","rollout_percentage":50},{"key":"a","rollout_percentage":40}]}}`,
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

const tenPercent = `{"groups":[{"properties":[],"rollout_percentage":10}]}`

// flag returns a key of a flag nested in a survey, as it is on the wire; "null"
// without the flag.
func (a answer) flag(name, key string) string {
	a.t.Helper()
	var o map[string]map[string]json.RawMessage
	raw := a.raw(name)
	if raw == "null" {
		return raw
	}
	if err := json.Unmarshal([]byte(`{"flag":`+raw+`}`), &o); err != nil {
		a.t.Fatal(err)
	}
	return string(o["flag"][key])
}

// The targeting fields are in write answers alone: the id is that of the flag which the
// survey has, the others echo what was sent.
func TestTargetingFieldsAreEchoed(t *testing.T) {
	t.Parallel()
	_, c := startDocumented(t, "")
	created := c.post(surveys, `{"name":"S","type":"api","targeting_flag_filters":{"b":1, "a":2},"remove_targeting_flag":true}`).is(http.StatusCreated)
	assert.Equal(t, `{"b":1,"a":2}`, created.raw("targeting_flag_filters"))
	assert.Equal(t, `true`, created.raw("remove_targeting_flag"))
	assert.Equal(t, created.flag("targeting_flag", "id"), created.raw("targeting_flag_id"))
	assert.NotEqual(t, "null", created.raw("targeting_flag"), "remove_targeting_flag does nothing on create")
	path := surveys + created.object()["id"].(string) + "/"
	pointing := c.post(surveys, `{"name":"P","type":"api","targeting_flag_id":1,"remove_targeting_flag":true}`).is(http.StatusCreated)
	assert.Equal(t, "1", pointing.flag("targeting_flag", "id"))
	updated := c.patch(path, `{"targeting_flag_id":1}`).is(http.StatusOK)
	assert.Equal(t, `1`, updated.raw("targeting_flag_id"))
	assert.Equal(t, `null`, updated.raw("targeting_flag_filters"))
	assert.Equal(t, `null`, updated.raw("remove_targeting_flag"))
	read := c.get(path)
	assert.Equal(t, "", read.raw("targeting_flag_id")+read.raw("targeting_flag_filters")+read.raw("remove_targeting_flag"))
	assert.Equal(t, "1", read.flag("targeting_flag", "id"))
}

func TestTargetingFlagThroughItsLife(t *testing.T) {
	t.Parallel()
	_, c := startDocumented(t, "")
	path := c.newSurvey(`{"name":"S","type":"api","start_date":"2026-01-01T00:00:00Z","targeting_flag_filters":` + tenPercent + `}`)
	read := c.get(path)
	id := read.flag("targeting_flag", "id")
	assert.Equal(t, tenPercent, read.flag("targeting_flag", "filters"))
	assert.Regexp(t, `^"survey-targeting-[0-9a-f]{10}"$`, read.flag("targeting_flag", "key"))
	assert.Equal(t, "false", read.flag("targeting_flag", "active"), "made inactive, running or not")
	assert.Equal(t, "1", read.flag("targeting_flag", "team_id"))

	for _, nothing := range []string{`null`, `{}`} {
		c.patch(path, `{"targeting_flag_filters":`+nothing+`}`).is(http.StatusOK)
		assert.Equal(t, tenPercent, c.get(path).flag("targeting_flag", "filters"))
	}
	assert.Equal(t, "true", c.get(path).flag("targeting_flag", "active"), "the first update switches it on")
	c.patch(path, `{"targeting_flag_filters":{"groups":[]}}`).is(http.StatusOK)
	assert.Equal(t, `{"groups":[]}`, c.get(path).flag("targeting_flag", "filters"))
	assert.Equal(t, id, c.get(path).flag("targeting_flag", "id"), "edited, not made anew")

	for _, nothing := range []string{`null`, `false`} {
		c.patch(path, `{"remove_targeting_flag":`+nothing+`}`).is(http.StatusOK)
		assert.Equal(t, id, c.get(path).flag("targeting_flag", "id"))
	}
	c.patch(path, `{"remove_targeting_flag":true}`).is(http.StatusOK)
	assert.Equal(t, "null", c.get(path).raw("targeting_flag"))
	c.patch(path, `{"targeting_flag_id":`+id+`}`).fails(http.StatusBadRequest, "invalid_input", "", "Targeting Feature Flag with this ID does not exist")
	c.patch(path, `{"remove_targeting_flag":true}`).is(http.StatusOK)

	c.patch(path, `{"targeting_flag_filters":`+tenPercent+`}`).is(http.StatusOK)
	second := c.get(path).flag("targeting_flag", "id")
	assert.NotEqual(t, id, second)
	c.patch(path, `{"remove_targeting_flag":true,"targeting_flag_filters":{"groups":[]}}`).is(http.StatusOK)
	third := c.get(path)
	assert.NotEqual(t, second, third.flag("targeting_flag", "id"), "removed, then made anew")
	assert.Equal(t, `{"groups":[]}`, third.flag("targeting_flag", "filters"))
}

// The flags of a survey follow it: on while it runs, gone when it is deleted.
func TestFlagsFollowTheSurvey(t *testing.T) {
	t.Parallel()
	srv, c := startDocumented(t, "")
	path := c.newSurvey(`{"name":"S","type":"api","linked_flag_id":1,"targeting_flag_filters":` + tenPercent + `}`)
	read := c.get(path)
	assert.Regexp(t, `^"survey-targeting-[0-9a-f]{10}-custom"$`, read.flag("internal_targeting_flag", "key"))
	assert.Equal(t, `"Targeting flag for survey S"`, read.flag("internal_targeting_flag", "name"))
	assert.Contains(t, read.flag("internal_targeting_flag", "filters"), "$survey_dismissed/"+read.object()["id"].(string))
	for _, step := range []struct{ patch, active string }{
		{`{"description":"still a draft"}`, "false"},
		{`{"start_date":"2026-01-01T00:00:00Z"}`, "true"},
		{`{"description":"unrelated"}`, "true"},
		{`{"end_date":"2026-01-02T00:00:00Z"}`, "false"},
		{`{"description":"unrelated again"}`, "false"},
		{`{"end_date":null}`, "true"},
		{`{"archived":true}`, "false"},
	} {
		updated := c.patch(path, step.patch).is(http.StatusOK)
		for _, a := range []answer{updated, c.get(path)} {
			assert.Equal(t, step.active, a.flag("internal_targeting_flag", "active"), step.patch)
			assert.Equal(t, step.active, a.flag("targeting_flag", "active"), step.patch)
		}
	}
	assert.Equal(t, "true", c.get(path).flag("linked_flag", "active"), "the linked flag is not the survey's")
	running := c.post(surveys, `{"name":"R","type":"api","start_date":"2026-01-01T00:00:00Z"}`)
	assert.Equal(t, "true", running.flag("internal_targeting_flag", "active"))

	own := []string{`"survey-targeting-0000000002"`, `"survey-targeting-0000000003-custom"`}
	for _, key := range own {
		assert.Contains(t, srv.Dump(), key)
	}
	c.delete(path).is(http.StatusNoContent)
	for _, key := range own {
		assert.NotContains(t, srv.Dump(), key)
	}
	c.patch(surveys+running.object()["id"].(string)+"/", `{"linked_flag_id":1}`).is(http.StatusOK)
}

// A flag that is deleted elsewhere takes its references along.
func TestReferencesToDeletedFlagsAreNull(t *testing.T) {
	t.Parallel()
	srv, c := startDocumented(t, "")
	shared := srv.CreateFlag(object{"key": "shared"})["id"].(json.Number).String()
	one := c.newSurvey(`{"name":"1","type":"api","linked_flag_id":` + shared + `}`)
	two := c.newSurvey(`{"name":"2","type":"api","targeting_flag_id":` + shared + `}`)
	assert.Equal(t, shared, c.get(one).raw("linked_flag_id"))
	c.delete(two).is(http.StatusNoContent)
	read := c.get(one)
	assert.Equal(t, "null", read.raw("linked_flag"), "deleting a survey deletes its targeting flag, even one given by id")
	assert.Equal(t, "null", read.raw("linked_flag_id"))
	srv.SetFixtures(srv.Dump())
	assert.Equal(t, read.body, c.get(one).body)
}

func TestFlagsOfAnotherProjectDoNotExist(t *testing.T) {
	t.Parallel()
	srv, c := startDocumented(t, "")
	srv.SetFixtures(`{"projects":[{"id":1},{"id":2}],"feature_flags":[{"id":5,"project_id":2,"key":"k"}]}`)
	c.post(surveys, `{"name":"S","type":"api","linked_flag_id":5}`).fails(http.StatusBadRequest, "invalid_input", "", "Feature Flag with this ID does not exist")
	c.post("/api/projects/2/surveys/", `{"name":"S","type":"api","linked_flag_id":5}`).is(http.StatusCreated)
	c.newSurvey(`{"name":"S","type":"api"}`)
}
