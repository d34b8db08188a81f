package cli

import (
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// sameProject reports whether the surveys of both sides belong to the same project. Two
// services may both have a project 1, and a snapshot does not name its service: so one
// survey of a snapshot has to exist on the live side too.
func (j *syncJob) sameProject() bool {
	ids := map[string]bool{}
	surveys := func(objects []side.Object) (list []side.Object) {
		for _, o := range objects {
			if o.Kind == side.Survey {
				list = append(list, o)
			}
		}
		return list
	}
	desired, current := surveys(j.desired), surveys(j.current)
	for _, o := range current {
		ids[o.ID] = true
	}

	for _, o := range desired {
		if o.ParentID != j.live.ProjectID || o.Service != "" && o.Service != j.live.BaseURL {
			return false
		}
	}
	if len(desired) == 0 || len(current) == 0 || j.a.Form == side.Live {
		return true
	}
	return slices.ContainsFunc(desired, func(o side.Object) bool { return ids[o.ID] })
}
