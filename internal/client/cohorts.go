package client

import (
	"context"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// Cohort reads a cohort of a project. Only the hosted service has this operation; a service
// without it answers with an error that [IsEndpointNotFound] knows.
func (c *Client) Cohort(ctx context.Context, projectID string, id int64) (api.Cohort, error) {
	req, err := api.NewCohortsRetrieveRequest(c.server, projectID, id)
	return object[api.Cohort](c.do(ctx, "cohorts_retrieve", req, err))
}

// Cohort reads a cohort of the project. Known is false if there is none of the id, or the key
// may not read cohorts: nothing depends on more.
func (s *Surveys) Cohort(ctx context.Context, id int64) (cohort api.Cohort, known bool) {
	ctx, cancel := context.WithTimeout(bestEffort(ctx), optInTimeout)
	defer cancel()

	cohort, err := s.client.Cohort(ctx, s.projectID, id)
	if err != nil {
		tflog.Debug(ctx, "a cohort cannot be read", map[string]any{"project_id": s.projectID, "cohort_id": id, "error": err.Error()})
		return api.Cohort{}, false
	}
	return cohort, true
}
