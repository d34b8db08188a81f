package cli

import (
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/repair"
)

// writeCode writes the ids of the questions into the code, or shows what it would write unless
// that was asked for.
func (j *repairJob) writeCode(report *repairReport, plan repair.Plan) error {
	resource, ok := j.code.survey(j.past.id())
	isFailed := plan.Count(repair.Failed, repair.Skipped, repair.NotRun) > 0
	if !ok || isFailed {
		return nil
	}
	changes, findings, err := pull.StateIDs(j.given.writeIDs, j.code.plan.Config, resource, plan.NewIDs(j.past.timeline))
	if err != nil {
		return err
	}

	report.Code = newPullReport(j.given.writeIDs, changes, findings).Findings
	if j.given.yes || plan.Count(repair.Done) > 0 {
		return writeChanges(j.given.writeIDs, changes)
	}
	var diff strings.Builder
	for _, change := range changes {
		path := filepath.ToSlash(change.Path)
		diff.WriteString(udiff.Unified("a/"+path, "b/"+path, string(change.Before), string(change.After)))
	}
	report.Diff = diff.String()
	return nil
}
