package client

import (
	"context"
	"iter"
	"net/http"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// FlagOptions shape the requests of a list of feature flags.
type FlagOptions struct {
	ListOptions
	// Search has the service return only flags with this text in the key or the name; empty
	// for all.
	Search string
}

// FeatureFlags iterates over the feature flags of a project that are not deleted. Only the
// hosted service has this operation; a service without it answers with an error that
// [IsEndpointNotFound] knows.
func (c *Client) FeatureFlags(ctx context.Context, projectID string, o FlagOptions) iter.Seq2[api.FeatureFlagDetail, error] {
	return pages[api.FeatureFlagDetail](ctx, c, "feature_flags_list", o.ListOptions, func() (*http.Request, error) {
		params := api.FeatureFlagsListParams{Limit: o.limit()}
		if o.Search != "" {
			params.Search = &o.Search
		}
		return api.NewFeatureFlagsListRequest(c.server, projectID, &params)
	})
}

// FeatureFlag reads a feature flag, a deleted one too, of the hosted service.
func (c *Client) FeatureFlag(ctx context.Context, projectID string, id int64) (api.FeatureFlagDetail, error) {
	req, err := api.NewFeatureFlagsRetrieveRequest(c.server, projectID, id)
	return object[api.FeatureFlagDetail](c.do(ctx, "feature_flags_retrieve", req, err))
}

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

	cohort, err := s.client.Cohort(ctx, s.parent, id)
	if err != nil {
		tflog.Debug(ctx, "a cohort cannot be read", map[string]any{"project_id": s.parent, "cohort_id": id, "error": err.Error()})
		return api.Cohort{}, false
	}
	return cohort, true
}

// Project reads a project. Only the hosted service has this operation; a service without it
// answers with an error that [IsEndpointNotFound] knows.
func (c *Client) Project(ctx context.Context, id string) (api.Project, error) {
	req, err := api.NewProjectsRetrieveRequest(c.server, id)
	return object[api.Project](c.do(ctx, "projects_retrieve", req, err))
}
