package cli

import (
	"context"
	"iter"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// exportSource is a live side as the source of an export.
type exportSource struct{ live *live }

// Surveys implements export.Source.
func (s exportSource) Surveys(ctx context.Context) iter.Seq2[api.Survey, error] {
	return s.live.allSurveys(ctx)
}

// Apps implements export.Source.
func (s exportSource) Apps(ctx context.Context) iter.Seq2[api.PipelineImportApp, error] {
	return s.live.allApps(ctx)
}

// AppsRemoved implements export.Source.
func (s exportSource) AppsRemoved() bool { return s.live.program.appsRemoved }

// Survey implements export.Source: only a 404 proves that there is none.
func (s exportSource) Survey(ctx context.Context, id string) (survey api.Survey, found bool, err error) {
	survey, err = s.live.client.Surveys(s.live.ProjectID).Retrieve(ctx, id)
	return survey, err == nil, unlessNotFound(err)
}

// App implements export.Source, as Survey.
func (s exportSource) App(ctx context.Context, id int64) (app api.PipelineImportApp, found bool, err error) {
	app, err = s.live.client.PipelineImportApps(s.live.OrganizationID).Retrieve(ctx, id)
	return app, err == nil, unlessNotFound(err)
}

func unlessNotFound(err error) error {
	if client.IsNotFound(err) {
		return nil
	}
	return err
}
