package testserver_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A fixture is refused, with the path, when the id of a nested object has a wrong type.
func TestFixturesRefuseNestedIDsOfAWrongType(t *testing.T) {
	t.Parallel()
	const survey = `{"surveys":[{"project_id":1,"id":"019b0000-0000-7000-8000-000000000001","name":"S","type":"api",`
	for document, complaint := range map[string]string{
		survey + `"targeting_flag":{"id":"7","key":"k"}}]}`:                           `surveys[0].targeting_flag.id: must be an integer, is a string`,
		survey + `"internal_targeting_flag":{"id":[7],"key":"k"}}]}`:                  `surveys[0].internal_targeting_flag.id: must be an integer above 0, is [7]`,
		survey + `"linked_flag":{"id":7,"key":"k","team_id":"x"}}]}`:                  `surveys[0].linked_flag.team_id: must be an integer, is a string`,
		survey + `"linked_flag":{"id":7,"key":"k","team_id":1.5}}]}`:                  `surveys[0].linked_flag.team_id: must be an integer, is a number`,
		survey + `"created_by":{"id":"7"}}]}`:                                         `surveys[0].created_by.id: must be an integer, is a string`,
		`{"feature_flags":[{"id":1,"project_id":1,"key":"k","created_by_id":"one"}]}`: `feature_flags[0].created_by_id: must be an integer, is a string`,
	} {
		for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
			_, err := testserver.New(testserver.Options{Profile: profile, Fixtures: strings.NewReader(document)})
			require.EqualError(t, err, "fixtures: "+complaint, profile)
		}
	}
}
