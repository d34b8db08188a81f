package testserver_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

type object = testserver.Object

func TestEditsBehindTheClientsBack(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	created := srv.CreateSurvey(object{"name": "Theirs", "type": "popover", "appearance": object{"color": "red", "position": "left"}})
	id := created["id"].(string)
	path := surveys + id + "/"
	assert.Equal(t, json.Number("1"), created["project_id"])
	assert.Equal(t, "Theirs", c.get(path).is(http.StatusOK).object()["name"])

	patched := srv.PatchSurvey(id, object{
		"appearance": object{"color": nil, "shadow": "none"}, "conditions": object{"url": "x"}, "responses_limit": 9007199254740993,
		"linked_flag_id": 1, "created_at": "2020-01-01T00:00:00Z",
	})
	assert.Equal(t, object{"position": "left", "shadow": "none"}, patched["appearance"])
	read := c.get(path)
	assert.Equal(t, `{"position":"left","shadow":"none"}`, read.raw("appearance"))
	assert.Equal(t, `"{\"url\":\"x\"}"`, read.raw("conditions"))
	assert.Equal(t, `9007199254740993`, read.raw("responses_limit"))
	assert.Equal(t, "1", read.flag("linked_flag", "id"))
	assert.Equal(t, object{"url": "x"}, srv.Survey(id)["conditions"])

	srv.PatchSurvey(id, object{"description": nil, "linked_flag_id": nil, "start_date": "2026-01-01T00:00:00Z", "brand_new": []any{1}})
	read = c.get(path)
	assert.Equal(t, `""`, read.raw("description"), "null must restore the default")
	assert.Equal(t, `null`, read.raw("linked_flag"))
	assert.Equal(t, `[1]`, read.raw("brand_new"))
	assert.Equal(t, "true", read.flag("internal_targeting_flag", "active"), "a launch must activate the flag")

	srv.PatchSurvey(id, object{"targeting_flag": object{"id": 50, "key": "hand-made"}})
	assert.Equal(t, `"hand-made"`, c.get(path).flag("targeting_flag", "key"))
	srv.PatchSurvey(id, object{"targeting_flag": object{"filters": object{"groups": []any{}}}})
	assert.Equal(t, `{"groups":[]}`, c.get(path).flag("targeting_flag", "filters"))
	srv.PatchSurvey(id, object{"targeting_flag": object{"id": 1}})
	assert.Equal(t, "1", c.get(path).flag("targeting_flag", "id"))

	srv.CreateSurvey(object{"name": "Newer", "type": "api"})
	assert.Equal(t, []string{"Newer", "Theirs"}, c.get(surveys).names())
	assert.Equal(t, "Newer", srv.Surveys("1")[0]["name"])
	srv.DeleteSurvey(id)
	c.get(path).is(http.StatusNotFound)
	assert.Nil(t, srv.Survey(id))
	assert.Nil(t, srv.Survey("x"))
	assert.Nil(t, srv.Surveys("99"))
	for _, r := range srv.Journal() {
		assert.Equal(t, http.MethodGet, r.Method, "the journal must not contain direct changes")
	}
}

func TestAppEditsBehindTheClientsBack(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	created := srv.CreateApp(object{"name": "Theirs", "capabilities": object{"methods": []any{"a"}}, "url": "https://example.com/?token=1"})
	assert.Equal(t, json.Number("1"), created["id"])
	srv.PatchApp(1, object{"latest_tag": "v2", "capabilities": object{"jobs": []any{}}, "brand_new": 1})
	read := c.get(apps + "1/")
	assert.Equal(t, `"v2"`, read.raw("latest_tag"))
	assert.Equal(t, `{"jobs":[],"methods":["a"]}`, read.raw("capabilities"))
	assert.Equal(t, `1`, read.raw("brand_new"))
	assert.Equal(t, "https://example.com/?token=1", srv.App(1)["url"])
	assert.Len(t, srv.Apps(srv.OrganizationID), 1)
	assert.Nil(t, srv.Apps("x"))
	srv.DeleteApp(1)
	assert.Nil(t, srv.App(1))
	c.get(apps + "1/").is(http.StatusNotFound)
	assert.Equal(t, json.Number("2"), srv.CreateApp(object{"name": "Next"})["id"])
}

func TestFlagEditsBehindTheClientsBack(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	created := srv.CreateFlag(object{"key": "beta", "filters": object{"multivariate": object{}}})
	assert.Equal(t, json.Number("2"), created["id"])
	path := c.newSurvey(`{"name":"S","type":"api","linked_flag_id":2}`)
	assert.Equal(t, `{"multivariate":{}}`, c.get(path).flag("linked_flag", "filters"))
	srv.DeleteFlag(2)
	assert.Equal(t, "null", c.get(path).raw("linked_flag"))
}

// An invalid edit returns an error and changes nothing.
func TestWrongEdits(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	id := srv.CreateSurvey(object{"name": "One", "type": "api"})["id"].(string)
	srv.CreateSurvey(object{"name": "Two", "type": "api"})
	srv.CreateApp(object{"name": "A"})

	before := srv.Dump()
	s := srv.Server
	discard := func(_ object, err error) error { return err }

	for complaint, err := range map[string]error{
		`survey: the key "name" is missing`:                                          discard(s.CreateSurvey(object{"type": "api"})),
		"survey.name: is already used by another survey of project 1":                discard(s.CreateSurvey(object{"name": "One", "type": "api"})),
		"survey.id: is already used by another survey":                               discard(s.CreateSurvey(object{"name": "New", "type": "api", "id": id})),
		"survey.project_id: project 5 does not exist":                                discard(s.CreateSurvey(object{"name": "New", "type": "api", "project_id": 5})),
		"survey " + id + ".name: is already used by another survey of project 1":     discard(s.PatchSurvey(id, object{"name": "Two"})),
		"survey " + id + ".archived: must be a boolean, not a string":                discard(s.PatchSurvey(id, object{"archived": "no"})),
		"survey " + id + ": id and project_id cannot be changed":                     discard(s.PatchSurvey(id, object{"id": "019b0000-0000-7000-8000-00000000dead"})),
		"survey " + id + ".linked_flag: feature flag 77 does not exist in project 1": discard(s.PatchSurvey(id, object{"linked_flag_id": 77})),
		"survey " + id + `.linked_flag: the key "key" is missing`:                    discard(s.PatchSurvey(id, object{"linked_flag": object{"id": 77}, "targeting_flag": object{"id": 1, "active": false}})),
		"survey nope does not exist":                                                 discard(s.PatchSurvey("nope", object{})),
		"survey   does not exist":                                                    s.DeleteSurvey(" "),
		`app: the key "name" is missing`:                                             discard(s.CreateApp(object{})),
		"app.id: is already used by another app":                                     discard(s.CreateApp(object{"id": 1, "name": "x"})),
		"app 1: id cannot be changed":                                                discard(s.PatchApp(1, object{"id": 2})),
		"app 1.tag: must be a string, not a number":                                  discard(s.PatchApp(1, object{"tag": 1})),
		"import app 9 does not exist":                                                s.DeleteApp(9),
		`flag: the key "key" is missing`:                                             discard(s.CreateFlag(object{})),
		"flag.id: 1 is already used by another feature flag":                         discard(s.CreateFlag(object{"id": 1, "key": "k"})),
		"flag.project_id: project 5 does not exist":                                  discard(s.CreateFlag(object{"project_id": 5, "key": "k"})),
		"feature flag 99 does not exist":                                             s.DeleteFlag(99),
		"json: unsupported type: func(error) string":                                 discard(s.PatchSurvey(id, object{"name": error.Error})),
	} {
		assert.EqualError(t, err, complaint)
	}

	assert.Equal(t, before, srv.Dump())
}
