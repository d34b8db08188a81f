package service_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// targetingFixtures contain flags for dependencies, cohorts of all kinds, and a survey with its own targeting
// flag.
const targetingFixtures = `"feature_flags":[{"id":1,"project_id":1,"key":"on"},{"id":2,"project_id":1,"key":"off","active":false},
 {"id":3,"project_id":1,"key":"own","filters":{"groups":[{"properties":[{"key":"k","type":"person","operator":"regex","value":"(stored"}],"rollout_percentage":50}],"early_exit":true}},
 {"id":4,"project_id":1,"key":"leaning","filters":{"groups":[{"properties":[{"key":"3","type":"flag","operator":"flag_evaluates_to","value":true}]}]}},
 {"id":5,"project_id":1,"key":"gone","deleted":true}],
"cohorts":[{"id":6,"project_id":1,"name":"static"},{"id":7,"project_id":1,"name":"buyers","behavioral":[{"key":"paid"}]},{"id":8,"project_id":2},
 {"id":10,"project_id":1,"name":"busy","behavioral":[{"key":"paid","value":"performed_event"},{"key":"a"},{"key":"b"}]},{"id":11,"project_id":1,"name":"new","backfilling":true}],
"projects":[{"id":1},{"id":2}],
"surveys":[{"project_id":1,"id":"019b0000-0000-7000-9000-0000000000bb","name":"Mine","type":"popover","targeting_flag_id":3}]`

func filtersOf(groups string) string { return `{"groups":[` + groups + `]}` }

// whose returns a group that matches persons with the given properties.
func whose(properties string) string {
	return filtersOf(`{"properties":[` + properties + `],"rollout_percentage":50}`)
}

// compares returns a condition on a person property.
func compares(operator, value string) string {
	return whose(`{"key":"k","type":"person","operator":"` + operator + `","value":` + value + `}`)
}

const everyone = "Invalid operation: User targeting rolls out to everyone. If you want to roll out to everyone, delete this targeting"

// TestHostedChecksTargeting sends one invalid filter. The tests of package targeting cover the others.
func TestHostedChecksTargeting(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, withFeatures(``, ","+targetingFixtures))
	before := srv.Dump()
	filters, detail := compares("regex", `"[a"`), "groups[0].properties[0].value: invalid regex pattern"
	c.post(surveys, `{"name":"New","type":"api","targeting_flag_filters":`+filters+`}`).fails(http.StatusBadRequest, "invalid_input", "filters", detail)
	c.patch(mine, `{"targeting_flag_filters":`+filters+`}`).fails(http.StatusBadRequest, "invalid_input", "filters", detail)
	c.patch(mine, `{"targeting_flag_filters":`+whose(`{"key":"id","type":"cohort","value":99}`)+`}`).
		fails(http.StatusBadRequest, "cohort_does_not_exist", "filters", "Cohort with id 99 does not exist")
	assert.Equal(t, before, srv.Dump())
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

// A new flag requires groups. An edit without groups keeps the existing ones.
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

// Valid targeting filters.
func TestHostedTargetingThatIsTaken(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "{"+targetingFixtures+"}")
	// The server accepts filters that the flag already has.
	edited := c.patch(mine, `{"targeting_flag_filters":`+compares("regex", `"(stored"`)[:len(compares("regex", `"(stored"`))-1]+`,"early_exit":true}}`)
	assert.Equal(t, http.StatusOK, edited.status, "T6 T3 what is stored passes: %s", edited.body)
	c.post(surveys, `{"name":"New","type":"api","targeting_flag_filters":{"groups":[{"properties":[],"rollout_percentage":5}],"early_exit":true}}`).
		fails(http.StatusBadRequest, "invalid_input", "filters", "early_exit is not available for this organization.")
}

// Filters whose stored form differs from the request.
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

// flag returns the JSON of one member of a flag nested in a survey, or "null" if the flag is missing.
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

// Only responses to writes contain the targeting fields. The ID is that of the survey's flag. The other
// fields repeat the request.
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

// The flags of a survey are on while it runs, and are deleted with it.
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

// After a flag is deleted, references to it are null.
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
