package terraform

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// refuseSwap records a planned rename, and adds an error if it completes a circle of renames.
// PostHog rejects every rename in a circle, in any order and in every apply.
func refuseSwap(data *framework.Data, planned, prior survey.Fields, diags *diag.Diagnostics) {
	if planned.ProjectID.IsUnknown() || !planned.ProjectID.Equal(prior.ProjectID) {
		return
	}
	project := prior.ProjectID.ValueString()
	oldName := newNameInProject(project, prior.Name.ValueString())
	circle := runLedger(data).rename(prior.ID.ValueString(), rename{oldName, newNameInProject(project, planned.Name.ValueString())})
	if len(circle) == 0 {
		return
	}

	renames := make([]string, len(circle))
	for i, name := range circle {
		renames[i] = fmt.Sprintf("  %q becomes %q", name, circle[(i+1)%len(circle)])
	}
	diags.AddAttributeError(path.Root("name"), "Surveys swap their names",
		fmt.Sprintf("This plan renames these surveys in project %s:\n\n%s\n\n"+
			"Names are unique in a project, and PostHog refuses each rename while the other survey has the name. "+
			"Set a third name, such as %q, for the survey %[4]q and apply. Then set the names that you want and apply again.",
			project, strings.Join(renames, "\n"), oldName.name+" (old)", oldName.name))
}

// rename is a survey's planned rename.
type rename struct{ from, to nameInProject }

// rename records that the plan renames a survey. It returns the names in the circle that this
// rename completes, starting with the old name, or nil if the chain of renames ends at a free name.
func (l *nameLedger) rename(id string, planned rename) (circle []string) {
	if planned.from == planned.to {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.renames[id] = planned
	next := map[nameInProject]nameInProject{}
	for _, r := range l.renames {
		next[r.from] = r.to
	}

	for current := planned.from; len(circle) < len(next); {
		circle = append(circle, current.name)
		target, isRenamed := next[current]
		switch {
		case !isRenamed:
			return nil
		case target == planned.from:
			return circle
		}
		current = target
	}
	return nil
}
