package client

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// No request about a project or an organization that is not allowed is sent, of any operation.
func TestNothingIsSentAboutOthers(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.client(func(o *Options) {
		o.Allowed = Allowed{ProjectIDs: []string{"1", "2"}, OrganizationIDs: []string{orgID}}
	})

	about := 0
	for _, operation := range api.AllOperations() {
		r := routes()[operation.ID]
		for parameter, want := range map[string]string{
			"{project_id}":      "project 7 is not one of allowed_project_ids (POSTHOG_ALLOWED_PROJECT_IDS), which has 1, 2",
			"{organization_id}": "organization 7 is not one of allowed_organization_ids (POSTHOG_ALLOWED_ORGANIZATION_IDS), which has " + orgID,
		} {
			if !strings.Contains(operation.Path, parameter) {
				continue
			}
			about++
			path := strings.NewReplacer("{project_id}", "7", "{organization_id}", "7", "{id}", "9").Replace(operation.Path)
			err := c.checkRoute(operation.ID, c.base.JoinPath(path))
			var refused *NotAllowedError
			require.ErrorAs(t, err, &refused, operation.ID)
			assert.EqualError(t, err, operation.ID+": not sent, since "+want)
			assert.Len(t, r.segments, len(strings.Split(strings.Trim(operation.Path, "/"), "/")))
		}
	}
	assert.Greater(t, about, 20)

	_, err := c.Surveys("7").CreateOnce(t.Context(), surveyBody)
	require.ErrorContains(t, err, "surveys_create: not sent, since project 7 is not one of")
	assert.Empty(t, s.requests())
}

// The project that a user has open changes with a click.
func TestOpenProjectIsNotAllowed(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.client(func(o *Options) { o.Allowed = Allowed{ProjectIDs: []string{"1", "@current"}} })
	_, err := c.Surveys("@current").Retrieve(t.Context(), surveyID)
	require.ErrorContains(t, err, "@current is whichever project the user of the API key has open")
	assert.Empty(t, s.requests())
}

// What is allowed is sent, and so is what is about neither.
func TestAllowedIsSent(t *testing.T) {
	t.Parallel()
	s := serve(t, found, found)
	c := s.client(func(o *Options) {
		o.Allowed = Allowed{ProjectIDs: []string{"1"}, OrganizationIDs: []string{strings.ToUpper(orgID)}}
	})
	_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
	require.NoError(t, err)
	assert.NoError(t, c.checkRoute("users_me_retrieve", c.base.JoinPath("api/users/@me/")))
	assert.NoError(t, c.checkRoute("pipeline_import_apps_list", c.base.JoinPath("api/organizations", orgID, "pipeline_import_apps/")))
}

func TestParseIDs(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"1", "2"}, ParseIDs(" 1,, 2 ,"))
	assert.Empty(t, ParseIDs(" "))
}
