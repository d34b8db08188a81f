package testserver

import (
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// flagProject is a project as the filters of its flags see it.
type flagProject struct {
	store *store.Store
	id    int64
}

func (x *exchange) flagProject() flagProject {
	return flagProject{store: x.store, id: x.project.ID}
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

// checkKey refuses a key that another flag of the project has, or that no flag can have.
func (p flagProject) checkKey(raw json.RawMessage, before *store.Flag) *field.Failure {
	for f := range p.store.Flags.Each() {
		same := f.Project == p.id && f.Text(store.FlagTable, "key") == rawjson.Unquote(raw)
		if same && !f.IsTrue(store.FlagTable, "deleted") && (before == nil || f.ID != before.ID) {
			return field.Invalid("unique", "key", "There is already a feature flag with this key.")
		}
	}
	own := before != nil && before.Text(store.FlagTable, "key") == rawjson.Unquote(raw)
	if !own && !flagKeyForm.MatchString(rawjson.Unquote(raw)) {
		return field.Invalid("invalid_key", "key", "Only letters, numbers, hyphens (-) & underscores (_) are allowed.")
	}
	return nil
}
