package cli

import (
	"context"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// importedPast returns what an export asks of a survey that is new in its files: the versions of
// its questions in the activity log. A survey that never ran, or has no responses, has no answers
// that could be detached. Without access to the log nothing is known.
func (l *answerLog) importedPast(ctx context.Context, survey api.Survey) ([][]identity.Question, error) {
	if !l.isWorthALook(ctx, survey) {
		return nil, ctx.Err()
	}
	logged, ok := l.read(ctx, survey)
	if !ok {
		return nil, ctx.Err()
	}
	return logged.feed.Versions(), nil
}
