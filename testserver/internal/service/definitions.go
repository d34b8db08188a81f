package service

import (
	"net/http"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// ProjectOfBackend returns the project whose flags a backend evaluates locally. It is the project with the
// token, or the first project of the key's user if there is no token. The key must have a scope that
// allows reading flags.
func (v Service) ProjectOfBackend(r *http.Request, token string, project *store.Project) (*store.Project, *wire.Failure) {
	x := &Call{Service: v, Request: r}
	f := wire.FirstFailure(x.authenticate, func() *wire.Failure {
		switch {
		case project != nil:
			return x.resolveProject(v.Store, strconv.FormatInt(project.ID, 10))
		case token != "":
			return wire.Unauthenticated("authentication_failed", "No project has this token.")
		}
		return x.resolveProject(v.Store, "@current")
	}, func() *wire.Failure { return x.checkScope("feature_flag:read") }, x.checkMember)
	return x.project, f
}

// FlagDefinitions returns the data with which backends evaluate the flags of a project locally: flags that
// don't belong to surveys, group types by index, and cohorts that are not static.
func (v Service) FlagDefinitions(p *store.Project) []wire.Member {
	_, owned := flagUses(v.Store, p.ID)
	flags := []wire.Value{}
	for _, f := range v.Store.Flags.Sorted() {
		if f.Project == p.ID && !f.IsTrue(store.FlagTable, "deleted") && !owned[f.ID] {
			flags = append(flags, wire.NewObject(flagDefinition(f)...))
		}
	}

	types := map[string]string{}
	for i, name := range p.GroupTypes {
		types[strconv.Itoa(i)] = name
	}

	cohorts := map[string]wire.Value{}
	for c := range v.Store.Cohorts.Each() {
		if properties := c.Filters.Get("properties"); c.Project == p.ID && !c.IsStatic && properties.IsObject() {
			cohorts[strconv.FormatInt(c.ID, 10)] = properties
		}
	}
	return []wire.Member{
		{Name: "flags", Value: wire.NewArray(flags...)}, {Name: "group_type_mapping", Value: wire.Of(types)}, {Name: "cohorts", Value: wire.Of(cohorts)},
	}
}

// flagDefinition returns a flag in the form that backends receive.
func flagDefinition(f *store.Flag) []wire.Member {
	members := []wire.Member{{Name: "id", Value: wire.Of(f.ID)}, {Name: "team_id", Value: wire.Of(f.Project)}}
	for _, c := range store.FlagTable.Columns {
		members = append(members, wire.Member{Name: c.Name, Value: f.Value(c.Name)})
	}
	return append(members, memberOr(f.Object, "version", wire.NewInt(1)),
		memberOr(f.Object, "evaluation_runtime", wire.NewText("all")), memberOr(f.Object, "bucketing_identifier", wire.NewText("distinct_id")))
}
