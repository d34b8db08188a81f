package cli

import (
	"context"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// importedPast returns the questions of a survey with detached answers, as the activity log shows
// them. A survey that was never launched, or has no responses, has no answers that could be
// detached. Without access to the log, the result is empty.
func (l *answerLog) importedPast(ctx context.Context, survey api.Survey) (identity.DetachedList, error) {
	if !l.isWorthALook(ctx, survey) {
		return nil, ctx.Err()
	}
	logged, ok := l.read(ctx, survey)
	if !ok {
		return nil, ctx.Err()
	}
	return logged.detachedList(ctx), ctx.Err()
}
