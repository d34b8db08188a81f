package client

import (
	"context"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// Project reads a project. Only the hosted service has this operation; a service without it
// answers with an error that [IsEndpointNotFound] knows.
func (c *Client) Project(ctx context.Context, id string) (api.Project, error) {
	req, err := api.NewProjectsRetrieveRequest(c.server, id)
	return object[api.Project](c.do(ctx, "projects_retrieve", req, err))
}
