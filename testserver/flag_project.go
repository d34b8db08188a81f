package testserver

import (
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// flagProject is a project as the filters of its flags see it.
type flagProject struct {
	store        *store.Store
	id           int64
	organization *store.Organization
}

func (x *exchange) flagProject() flagProject {
	return flagProject{store: x.store, id: x.project.ID, organization: x.organization}
}

// Flag finds a flag of the project.
func (p flagProject) Flag(id int64) *store.Flag {
	if f := p.store.Flags.Get(id); f != nil && f.Project == p.id {
		return f
	}
	return nil
}

// Cohort finds a cohort of the project.
func (p flagProject) Cohort(id int64) *store.Cohort {
	if c := p.store.Cohorts.Get(id); c != nil && c.Project == p.id {
		return c
	}
	return nil
}

// Feature finds a feature of the organization.
func (p flagProject) Feature(name string) (rawjson.Fields, bool) { return p.organization.Feature(name) }
