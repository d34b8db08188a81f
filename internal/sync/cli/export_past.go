package cli

import (
	"context"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// importedPast returns the survey's questions with detached answers that the activity log shows. It
// returns none if the survey was never launched, if it has no responses, or if the log is not
// accessible.
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
