package cli

import (
	"context"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/export"
)

// importedPast returns what the activity log shows about the survey's questions. It returns nothing if
// the survey has no responses, and marks a survey whose log it does not read.
func (l *answerLog) importedPast(ctx context.Context, survey api.Survey) (export.Logged, error) {
	if l.isForbidden || l.looks > mostLooks {
		isDraft := orEmpty(survey.StartDate) == ""
		return export.Logged{IsUnreadable: l.mayHaveRun(ctx, *survey.ID, isDraft)}, ctx.Err()
	}
	if !l.isWorthALook(ctx, survey) {
		return export.Logged{IsUnreadable: l.looks > mostLooks}, ctx.Err()
	}
	logged, ok := l.read(ctx, survey)
	if !ok {
		return export.Logged{IsUnreadable: true}, ctx.Err()
	}
	return export.Logged{Detached: logged.detachedList(ctx), Relation: logged.timeline.Relation, IDs: logged.timeline.IDs}, ctx.Err()
}
