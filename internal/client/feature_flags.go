package client

import (
	"context"
	"iter"
	"net/http"

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
