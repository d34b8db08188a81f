package testserver_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A survey is retrieved as it is, whatever changed what is in the answer.
func TestRetrieveAfterChange(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		srv := testserver.Start(t, testserver.Options{Profile: profile})
		c := call(t, srv)
		id := c.post(surveys, `{"name":"S","type":"api","linked_flag_id":1}`).is(http.StatusCreated).object()["id"].(string)
		path := surveys + id + "/"

		before := c.get(path).is(http.StatusOK).body
		for _, step := range []struct {
			name   string
			change func()
		}{
			{"an update", func() { c.patch(path, `{"description":"D"}`).is(http.StatusOK) }},
			{"an edit on the server", func() { srv.PatchSurvey(id, testserver.Object{"name": "T"}) }},
			{"a fault that edits first", func() {
				srv.SetFaults(testserver.Fault{Operation: "surveys_retrieve", To: 1, Edit: testserver.Object{"description": "E"}})
			}},
			{"a flag that is gone", func() { srv.DeleteFlag(1) }},
			{"other contents", func() {
				srv.SetFixtures(fmt.Sprintf(`{"surveys":[{"id":%q,"project_id":1,"name":"U","type":"api"}]}`, id))
			}},
			{"a reset", func() { srv.Reset(); c.post(surveys, `{"name":"V","type":"api"}`).is(http.StatusCreated) }},
		} {
			assert.Equal(t, before, c.get(path).is(http.StatusOK).body, "%s, %s: until then", profile, step.name)
			step.change()
			if step.name == "a reset" {
				c.get(path).is(http.StatusNotFound)
				continue
			}
			after := c.get(path).is(http.StatusOK).body
			assert.NotEqual(t, before, after, "%s, %s", profile, step.name)
			before = after
		}
	}
}

// What a fault makes of an answer is that answer alone.
func TestRetrieveAfterFault(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	id := c.post(surveys, `{"name":"S","type":"api"}`).is(http.StatusCreated).object()["id"].(string)
	path := surveys + id + "/"

	plain := c.get(path).is(http.StatusOK).body
	srv.SetFaults(testserver.Fault{ReorderKeys: true, EmptyForNull: true})
	reordered := c.get(path).is(http.StatusOK).body
	srv.SetFaults()
	assert.NotEqual(t, plain, reordered)
	assert.Equal(t, plain, c.get(path).is(http.StatusOK).body)

	journal := srv.Journal()
	for i, want := range []string{plain, reordered, plain} {
		assert.Equal(t, want, string(journal[i+1].Answer.Body), i)
	}
}
