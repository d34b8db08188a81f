package cli

import (
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/repair"
)

// writeCode writes the ids of the questions into the code, or shows what it would write unless
// that was asked for.
func (j *repairJob) writeCode(report *repairReport, plan repair.Plan) error {
	resource, ok := j.planned.survey(j.past.id())
	ok = ok && j.given.writeIDs != ""
	isFailed := plan.Count(repair.Failed, repair.Skipped, repair.NotRun) > 0
	if !ok || isFailed {
		return nil
	}
	changes, findings, err := pull.StateIDs(j.given.writeIDs, j.planned.plan.Config, resource, plan.NewIDs(j.past.timeline))
	if err != nil {
		return err
	}

	report.Code = newPullReport(j.given.writeIDs, changes, findings).Findings
	if j.given.yes || plan.Count(repair.Done) > 0 {
		return writeChanges(j.given.writeIDs, changes)
	}
	report.Diff = unified(changes)
	return nil
}
