package testserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A fixture whose nested ids have a wrong type is refused with the path.
func TestFixturesRefuseIDsOfAWrongType(t *testing.T) {
	t.Parallel()
	const survey = `{"surveys":[{"project_id":1,"id":"019b0000-0000-7000-8000-000000000001","name":"S","type":"api",`
	for document, complaint := range map[string]string{
		survey + `"questions":[{"id":"a"},{"id":5,"question":"q"}]}]}`:                `surveys[0].questions[1].id: must be a string, is a number`,
		survey + `"questions":[{"id":{}}]}]}`:                                         `surveys[0].questions[0].id: must be a string, is an object`,
		survey + `"conditions":{"actions":{"values":[{"id":3},{"id":"3"}]}}}]}`:       `surveys[0].conditions.actions.values[1].id: must be an integer, is a string`,
		survey + `"conditions":{"actions":{"values":[{"id":1.5}]}}}]}`:                `surveys[0].conditions.actions.values[0].id: must be an integer, is a number`,
		survey + `"targeting_flag":{"id":"7","key":"k"}}]}`:                           `surveys[0].targeting_flag.id: must be an integer, is a string`,
		survey + `"linked_flag":{"id":7,"key":"k","team_id":"x"}}]}`:                  `surveys[0].linked_flag.team_id: must be an integer, is a string`,
		survey + `"created_by":{"id":"7"}}]}`:                                         `surveys[0].created_by.id: must be an integer, is a string`,
		`{"feature_flags":[{"id":1,"project_id":1,"key":"k","created_by_id":"one"}]}`: `feature_flags[0].created_by_id: must be an integer, is a string`,
		survey + `"ids_as_written":"yes","questions":[{"id":5}]}]}`:                   `surveys[0].ids_as_written: must be a boolean, is a string`,
	} {
		for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
			_, err := testserver.New(testserver.Options{Profile: profile, Fixtures: strings.NewReader(document)})
			require.EqualError(t, err, "fixtures: "+complaint, profile)
		}
	}
}

// The service takes ids of any type in a request. A dump of them can be loaded, and no answer
// shows how they came.
func TestDumpOfIDsOfAnyType(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		srv := testserver.Start(t, testserver.Options{Profile: profile})
		c := call(t, srv).undocumentedAnswers()
		path := c.newSurvey(`{"name":"S","type":"api","questions":[{"id":5,"question":"q"},{"id":{"a":1},"question":"r"}]}`)
		if profile == testserver.Hosted {
			c.post(surveys, `{"name":"T","type":"api","conditions":{"actions":{"values":[{"id":"x"}]}}}`).is(http.StatusInternalServerError)
		}

		dump, before := srv.Dump(), c.get(path).body
		srv.SetFixtures(dump)
		assert.Equal(t, dump, srv.Dump(), profile)
		assert.Equal(t, before, c.get(path).body, profile)
		assert.NotContains(t, before, "ids_as_written", profile)

		id := path[len(surveys) : len(path)-1]
		srv.PatchSurvey(id, testserver.Object{"description": "kept"})
		srv.PatchSurvey(id, testserver.Object{"questions": nil})
		assert.NotContains(t, c.get(path).body, "ids_as_written", profile)
		_, err := srv.Server.PatchSurvey(id, testserver.Object{"questions": []any{testserver.Object{"id": 5}}})
		require.EqualError(t, err, "survey "+id+".questions[0].id: must be a string, is a number", profile)
	}
}
