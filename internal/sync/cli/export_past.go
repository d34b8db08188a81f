package cli

import (
	"context"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/past"
)

// mostLooks is how many surveys of one export are looked up in the activity log.
const mostLooks = 50

// importedPast returns what an export asks of a survey that is new in its files: the versions of
// its questions in the activity log. A survey that never ran, or has no responses, has no answers
// that could be detached. Without access to the log nothing is known.
func (p *program) importedPast(service *live) func(ctx context.Context, survey api.Survey) ([][]identity.Question, error) {
	surveys, looks := service.client.Surveys(service.ProjectID), 0
	counter := responses.NewCounter(surveys, nil)
	return func(ctx context.Context, survey api.Survey) ([][]identity.Question, error) {
		if start, err := survey.StartDate.Get(); err != nil || start == "" || counter.Of(ctx, *survey.ID).IsNone() {
			return nil, ctx.Err()
		}

		looks++
		switch {
		case looks == mostLooks+1:
			p.logf("More than %d surveys are new. Whether the others have detached answers is not known. To list all surveys with detached answers, run: posthog-sync repair --dry-run", mostLooks)
			return nil, nil
		case looks > mostLooks:
			return nil, nil
		}
		feed, err := past.ReadSurveyFeed(ctx, surveys, *survey.ID)
		if err != nil {
			return nil, ctx.Err()
		}
		return feed.Versions(), nil
	}
}
