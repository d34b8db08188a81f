package cli

import (
	"context"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

// plannedDirectory is the plan of a directory, with what the state remembers.
type plannedDirectory struct {
	plan      *tfjson.Plan
	private   map[string]map[string][]byte
	resources []pull.Resource
	// lock is what pull remembers of the directory.
	lock *pull.Lock
}

// planDirectory plans a directory.
func (p *program) planDirectory(ctx context.Context, e environment.Environment, dir string) (planned plannedDirectory, err error) {
	plan := p.planWithCLI
	if p.planner != nil {
		plan = p.planner
	}
	if planned.lock, err = pull.ReadLock(dir, e.BaseURL); err != nil {
		return planned, err
	}
	if planned.plan, planned.private, err = plan(ctx, e, dir); err != nil {
		return planned, err
	}
	planned.resources, err = pull.Resources(planned.plan, planned.private, planned.lock, hclfile.IsProviderSource)
	return planned, err
}

// survey is the resource of a survey; not ok if the directory has none.
func (d plannedDirectory) survey(id string) (pull.Resource, bool) {
	for _, r := range d.resources {
		if r.Type == hclfile.SurveyType && r.ID == id {
			return r, true
		}
	}
	return pull.Resource{}, false
}

// planWithCLI plans a directory with Terraform, and reads the private states from the plan.
func (p *program) planWithCLI(ctx context.Context, e environment.Environment, dir string) (plan *tfjson.Plan, private map[string]map[string][]byte, err error) {
	tf, err := p.terraform(e)
	if err != nil {
		return nil, nil, err
	}
	plan, err = tf.PlanAnd(ctx, dir, func(file string) { private = pull.PrivateStates(file) })
	return plan, private, err
}
