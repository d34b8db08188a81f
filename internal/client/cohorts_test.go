package client

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A cohort is read with its filters; one that is not there, or not readable, is unknown.
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

		cohort, known := client.Surveys(srv.ProjectID).Cohort(t.Context(), c.id)
		assert.Equal(t, c.known, known, c)
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
