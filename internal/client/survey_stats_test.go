package client

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The statistics of a survey say how many responses it has; a service without the operation
// says so.
func TestSent(t *testing.T) {
	t.Parallel()
	for profile, hasStats := range map[testserver.Profile]bool{testserver.Hosted: true, testserver.Documented: false} {
		srv := testserver.Start(t, testserver.Options{Profile: profile})
		srv.SetFixtures(`{"surveys": [{"project_id": 1, "id": "` + surveyID + `", "name": "NPS", "type": "popover", "created_at": "2025-01-01T00:00:00Z"}],
			"responses": [{"survey_id": "` + surveyID + `", "count": 7, "at": "2025-02-01T00:00:00Z"}]}`)
		c, err := New(Options{BaseURL: srv.URL, APIKey: srv.APIKey})
		require.NoError(t, err)

		sent, ok, err := c.Surveys("1").Sent(t.Context(), surveyID)
		assert.Equal(t, hasStats, ok, profile)
		assert.Equal(t, !hasStats, IsEndpointNotFound(err), "%s: %v", profile, err)
		if hasStats {
			assert.Equal(t, int64(7), sent)
		}
	}

	// A response without the number says nothing.
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	c, err := New(Options{BaseURL: srv.URL, APIKey: srv.APIKey})
	require.NoError(t, err)
	for _, body := range []any{nil, map[string]any{"stats": map[string]any{}}, map[string]any{"stats": map[string]any{"survey sent": 3}}} {
		srv.SetFaults(testserver.Fault{Operation: "surveys_stats_retrieve", Status: 200, Body: body})
		_, ok, err := c.Surveys("1").Sent(t.Context(), surveyID)
		require.NoError(t, err)
		assert.False(t, ok, "%v", body)
	}
}
