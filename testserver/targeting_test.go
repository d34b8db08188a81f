package testserver_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

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
	c := call(t, testserver.Start(t))
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
	srv := testserver.Start(t)
	c := call(t, srv)
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
	srv := testserver.Start(t)
	c := call(t, srv)
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
	srv := testserver.Start(t)
	c := call(t, srv)
	shared := srv.CreateFlag(testserver.Object{"key": "shared"})["id"].(json.Number).String()
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
	srv := testserver.Start(t)
	srv.SetFixtures(`{"projects":[{"id":1},{"id":2}],"feature_flags":[{"id":5,"project_id":2,"key":"k"}]}`)
	c := call(t, srv)
	c.post(surveys, `{"name":"S","type":"api","linked_flag_id":5}`).fails(http.StatusBadRequest, "invalid_input", "", "Feature Flag with this ID does not exist")
	c.post("/api/projects/2/surveys/", `{"name":"S","type":"api","linked_flag_id":5}`).is(http.StatusCreated)
	c.newSurvey(`{"name":"S","type":"api"}`)
}
