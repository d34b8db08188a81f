package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// doctor and the test server use the same words to explain why no one sees a survey, so that users recognize the
// reason.
func TestDoctorAndServerSayTheSame(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(`{
		"projects":[{"id":1,"surveys_opt_in":false}],
		"feature_flags":[{"id":1,"project_id":1,"key":"off","active":false},{"id":2,"project_id":1,"key":"gone","deleted":true},
			{"id":3,"project_id":1,"key":"nobody","filters":{"groups":[{"rollout_percentage":0}]}},
			{"id":4,"project_id":1,"key":"kept","active":false,"filters":{"groups":[{}]}}],
		"surveys":[
		{"project_id":1,"id":"0190d6a4-0000-7000-8000-000000000001","name":"Draft","type":"popover","linked_flag_id":1},
		{"project_id":1,"id":"0190d6a4-0000-7000-8000-000000000002","name":"Archived","type":"popover","archived":true,"start_date":"2026-01-01T00:00:00Z","linked_flag_id":2},
		{"project_id":1,"id":"0190d6a4-0000-7000-8000-000000000003","name":"Stopped","type":"popover","start_date":"2025-01-01T00:00:00Z","end_date":"2025-12-01T00:00:00Z","linked_flag_id":3},
		{"project_id":1,"id":"0190d6a4-0000-7000-8000-000000000004","name":"Ends","type":"popover","start_date":"2025-01-01T00:00:00Z","end_date":"2999-01-01T00:00:00Z","targeting_flag_id":3},
		{"project_id":1,"id":"0190d6a4-0000-7000-8000-000000000005","name":"Kept","type":"popover","start_date":"2025-01-01T00:00:00Z","internal_targeting_flag_id":4},
		{"project_id":1,"id":"0190d6a4-0000-7000-8000-000000000006","name":"External","type":"external_survey","start_date":"2025-01-01T00:00:00Z"}]}`)})

	said := map[string]bool{}
	for _, survey := range srv.Surveys(srv.ProjectID) {
		_, stdout, stderr := commandLine(t, t.Context(), srv, "doctor", "--survey", survey["name"].(string))
		people := srv.SurveyPeople(survey["id"].(string), "anybody")
		require.Len(t, people, 1)
		require.NotEmpty(t, people[0].Reasons, survey["name"])
		for _, reason := range people[0].Reasons {
			assert.Contains(t, stdout, reason+"\n", "%s: %s", survey["name"], stderr)
			said[strings.SplitN(reason, ":", 2)[0]] = true
		}
	}
	for _, check := range []string{"status", "type", "project", "linked flag", "targeting", "internal flag"} {
		assert.True(t, said[check], check)
	}
}
