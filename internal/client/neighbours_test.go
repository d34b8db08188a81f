package client

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A project's feature flags come from all pages, without deleted ones. If the service lacks the operation, the error
// says so.
func TestFeatureFlags(t *testing.T) {
	t.Parallel()
	for profile, want := range map[testserver.Profile][]string{testserver.Hosted: {"a", "b", "c"}, testserver.Documented: nil} {
		srv := testserver.Start(t, testserver.Options{Profile: profile})
		srv.DeleteFlag(1)
		for _, key := range []string{"a", "b", "c", "gone"} {
			srv.CreateFlag(testserver.Object{"key": key, "deleted": key == "gone"})
		}
		c, err := New(Options{BaseURL: srv.URL, APIKey: srv.APIKey})
		require.NoError(t, err)

		var keys []string
		for flag, err := range c.FeatureFlags(t.Context(), srv.ProjectID, FlagOptions{ListOptions: ListOptions{PageSize: 2}}) {
			require.Equal(t, want == nil, IsEndpointNotFound(err), "%s: %v", profile, err)
			if err == nil {
				keys = append(keys, *flag.Key)
			}
		}
		slices.Sort(keys)
		assert.Equal(t, want, keys, profile)
	}
}

// A cohort is read with its filters. A missing or unreadable cohort is unknown.
func TestCohort(t *testing.T) {
	t.Parallel()
	const fixtures = `{"cohorts":[{"id":7,"project_id":1,"name":"Viewers","behavioral":true},{"id":8,"project_id":1,"name":"All"}],
		"api_keys":[{"key":"phx_surveys","scopes":["survey:read"]},{"key":"phx_all","scopes":["*"]}]}`

	for _, c := range []struct {
		profile testserver.Profile
		key     string
		id      int64
		known   bool
		filters string
	}{
		{testserver.Hosted, "phx_all", 7, true, `{"properties":{"type":"OR","values":[{"type":"OR","values":[{"type":"behavioral","key":"$pageview","value":"performed_event","event_type":"events"}]}]}}`},
		{testserver.Hosted, "phx_all", 8, true, "null"},
		{testserver.Hosted, "phx_all", 9, false, ""},
		{testserver.Hosted, "phx_surveys", 7, false, ""},
		{testserver.Documented, "phx_all", 7, false, ""},
	} {
		srv := testserver.Start(t, testserver.Options{Profile: c.profile, Fixtures: strings.NewReader(fixtures)})
		client, err := New(Options{BaseURL: srv.URL, APIKey: c.key})
		require.NoError(t, err)

		cohort, err := client.Cohort(t.Context(), srv.ProjectID, c.id)
		assert.Equal(t, c.known, err == nil, c)
		if !c.known {
			continue
		}

		filters, err := cohort.Filters.Get()
		if c.filters == "null" {
			assert.Error(t, err, c)
			continue
		}
		require.NoError(t, err)
		assert.JSONEq(t, c.filters, string(filters))
	}
}

// A survey's statistics contain its number of responses. If the service lacks the operation, the error says so.
func TestSent(t *testing.T) {
	t.Parallel()
	for profile, hasStats := range map[testserver.Profile]bool{testserver.Hosted: true, testserver.Documented: false} {
		srv := testserver.Start(t, testserver.Options{Profile: profile})
		srv.SetFixtures(`{"surveys": [{"project_id": 1, "id": "` + surveyID + `", "name": "NPS", "type": "popover", "created_at": "2025-01-01T00:00:00Z"}],
			"responses": [{"survey_id": "` + surveyID + `", "count": 7, "at": "2025-02-01T00:00:00Z"}]}`)
		c, err := New(Options{BaseURL: srv.URL, APIKey: srv.APIKey})
		require.NoError(t, err)

		sent, ok, err := c.Surveys("1").ResponseCount(t.Context(), surveyID)
		assert.Equal(t, hasStats, ok, profile)
		assert.Equal(t, !hasStats, IsEndpointNotFound(err), "%s: %v", profile, err)
		if hasStats {
			assert.Equal(t, int64(7), sent)
		}
	}

	// A response without the number leaves the count unknown.
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	c, err := New(Options{BaseURL: srv.URL, APIKey: srv.APIKey})
	require.NoError(t, err)
	for _, body := range []any{nil, map[string]any{"stats": map[string]any{}}, map[string]any{"stats": map[string]any{"survey sent": 3}}} {
		srv.SetFaults(testserver.Fault{Operation: "surveys_stats_retrieve", Status: 200, Body: body})
		_, ok, err := c.Surveys("1").ResponseCount(t.Context(), surveyID)
		require.NoError(t, err)
		assert.False(t, ok, "%v", body)
	}
}
