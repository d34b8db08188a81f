package client

import (
	"context"
	"iter"
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// FeatureFlags iterates over the feature flags of a project that are not deleted. Only the
// hosted service has this operation; a service without it answers with an error that
// [IsEndpointNotFound] knows.
func (c *Client) FeatureFlags(ctx context.Context, projectID string, o ListOptions) iter.Seq2[api.FeatureFlagDetail, error] {
	return pages[api.FeatureFlagDetail](ctx, c, "feature_flags_list", o, func() (*http.Request, error) {
		return api.NewFeatureFlagsListRequest(c.server, projectID, &api.FeatureFlagsListParams{Limit: o.limit()})
	})
}
