package cli

import (
	"context"
	"iter"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// noteRemovedApps remembers that a service of this run has removed import apps, and warns of it
// once. None of them is there, and none was deleted: they are left out on every side.
func (p *program) noteRemovedApps(err error) {
	if !p.appsRemoved {
		p.logf("Warning: the service has removed import apps, so they are left out: none is read, written or deleted. "+
			"What to do: %s\n%v", diagnose.RemovedGuide, err)
	}
	p.appsRemoved = true
}

// unlessRemoved ends the list of import apps of a service that has removed them, as if there
// were none. Those of a service that does so in the middle of the list would be half of them.
func (p *program) unlessRemoved(all iter.Seq2[api.PipelineImportApp, error]) iter.Seq2[api.PipelineImportApp, error] {
	return func(yield func(api.PipelineImportApp, error) bool) {
		isFirst := true
		for app, err := range all {
			if isFirst && client.IsRemoved(err) {
				p.noteRemovedApps(err)
				return
			}
			isFirst = false
			if !yield(app, err) {
				return
			}
		}
	}
}

// withoutRemoved leaves the import apps out, if a service of this run has removed them.
func (p *program) withoutRemoved(objects []side.Object) []side.Object {
	if !p.appsRemoved {
		return objects
	}
	return slices.DeleteFunc(objects, func(o side.Object) bool { return o.Kind == side.App })
}

// checkRemovedApps warns where a planned directory has import apps that the service has removed:
// its plan changes none of them.
func (p *program) checkRemovedApps(ctx context.Context, e environment.Environment, resources []pull.Resource) error {
	i := slices.IndexFunc(resources, func(r pull.Resource) bool { return r.Type == hclfile.AppType && r.ParentID != "" })
	if i < 0 || p.appsRemoved {
		return nil
	}
	c, err := p.client(e)
	if err != nil {
		return err
	}
	if err := c.PipelineImportApps(resources[i].ParentID).CheckRemoved(ctx); err != nil {
		p.noteRemovedApps(err)
	}
	return nil
}
