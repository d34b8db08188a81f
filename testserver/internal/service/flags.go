package service

import (
	"net/http"
	"regexp"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// flagRequest are the fields of a feature flag request, in the order of the checks.
var flagRequest = wire.NewTable(
	wire.Column{Name: "name", Kind: wire.Text, NotNull: true},
	wire.Column{Name: "key", Kind: wire.Text, Required: true, NotNull: true, NotBlank: true, Max: 400},
	wire.Column{Name: "filters", Kind: wire.Object, NotNull: true, Refusal: "Filters must be a dictionary"},
	wire.Column{Name: "deleted", Kind: wire.Boolean, NotNull: true},
	wire.Column{Name: "active", Kind: wire.Boolean, NotNull: true},
	wire.Column{Name: "ensure_experience_continuity", Kind: wire.Boolean},
	wire.Column{Name: "evaluation_runtime", Kind: wire.Text},
	wire.Column{Name: "bucketing_identifier", Kind: wire.Text},
	wire.Column{Name: "tags"},
)

// Members that only the flag routes show. The value of FlagAuthor is a user ID.
const (
	flagTags      = "tags"
	flagCreatedAt = "created_at"
	FlagAuthor    = "created_by_id"
)

// FlagOnlyMembers are members that the flag routes show, but that a flag nested in a survey omits.
var FlagOnlyMembers = []string{flagTags, flagCreatedAt, FlagAuthor, FlagUser}

// flagKeyForm matches the valid keys of a flag.
var flagKeyForm = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// everyoneFilters are the default filters of a new flag.
var everyoneFilters = wire.Of(map[string]any{"groups": []any{map[string]any{"properties": []any{}, "rollout_percentage": nil}}})

// listFlags responds with a page of the project's flags, newest first, and the surveys that link each flag.
// It omits flags that belong to surveys.
func listFlags(x *Call) (wire.Response, *wire.Failure) {
	search := last(x.Request.URL.Query()["search"])
	linked, owned := flagUses(x.Store, x.project.ID)
	var matches []*store.Flag
	for _, f := range slices.Backward(x.Store.Flags.Sorted()) {
		isMentioned := mentions(f.Text(store.FlagTable, "key"), search) || mentions(f.Text(store.FlagTable, "name"), search)
		if f.Project == x.project.ID && !f.IsTrue(store.FlagTable, "deleted") && isMentioned && !owned[f.ID] {
			matches = append(matches, f)
		}
	}

	page := x.window()
	results := matches[min(page.offset, int64(len(matches))):]
	results = results[:min(page.limit, int64(len(results)))]
	return respondPage(x, page, len(matches), slices.All(results), func(f *store.Flag) []wire.Member {
		return append(x.responses().flagDetail(f), wire.Member{Name: "surveys", Value: wire.NewArray(linked[f.ID]...)})
	})
}

// flagUses returns the surveys that link each flag of a project, by flag ID, and the IDs of flags that
// belong to surveys.
func flagUses(st *store.Store, projectID int64) (linked map[int64][]wire.Value, owned map[int64]bool) {
	linked, owned = map[int64][]wire.Value{}, map[int64]bool{}
	for _, s := range st.Surveys(projectID).Items {
		if s.Linked != 0 {
			use := []wire.Member{{Name: "id", Value: wire.NewText(s.ID.String())}}
			for _, name := range []string{"name", "type", "start_date", "end_date"} {
				use = append(use, wire.Member{Name: name, Value: s.Value(name)})
			}
			linked[s.Linked] = append(linked[s.Linked], wire.NewObject(use...))
		}
		for _, id := range s.OwnFlags() {
			owned[id] = true
		}
	}
	return linked, owned
}

// createFlag stores a new flag.
func createFlag(x *Call) (wire.Response, *wire.Failure) {
	input, f := x.flagFields(nil)
	if f != nil {
		return wire.Response{}, f
	}
	if input["filters"].IsAbsent() {
		input["filters"] = everyoneFilters
	}
	fields := input
	fields["filters"] = targeting.Normal(input["filters"])
	fields[flagCreatedAt], fields[FlagAuthor] = wire.TimestampText(x.Now), wire.Of(x.user.ID)

	created := &store.Flag{ID: x.Store.NextFlag(), Project: x.project.ID}
	created.Object = store.NewObject(store.FlagTable, fields, nil)
	x.Store.AddFlag(created)
	return x.respond(http.StatusCreated, x.responses().flagDetail(created))
}

// retrieveFlag responds with a flag, even if it is deleted.
func retrieveFlag(x *Call, flag *store.Flag) (wire.Response, *wire.Failure) {
	return x.respond(http.StatusOK, x.responses().flagDetail(flag))
}

// updateFlag changes the fields in the request. Clients also delete a flag this way, but PostHog keeps a
// flag that a survey uses.
func updateFlag(x *Call, previous *store.Flag) (wire.Response, *wire.Failure) {
	input, f := x.flagFields(previous)
	if f == nil {
		f = awaitApproval(x.Store, x.organization, previous)
	}
	if f != nil {
		return wire.Response{}, f
	}

	updated := *previous
	updated.Object = previous.With(store.FlagTable, input)
	for _, name := range []string{"evaluation_runtime", "bucketing_identifier", flagTags} {
		if value, ok := input[name]; ok {
			updated.Object = updated.WithMember(name, value)
		}
	}
	x.Store.Flags.Put(updated.ID, &updated)
	if filters, ok := input["filters"]; ok {
		x.Store.ReviseFlag(updated.ID, targeting.Normal(filters))
	}
	return x.respond(http.StatusOK, x.responses().flagDetail(x.Store.Flags.Get(updated.ID)))
}

// awaitApproval refuses an edit of a flag if the organization requires approval for it. The first edit requests the
// approval, and later edits find the pending request. PostHog's own messages are unknown, so these differ.
func awaitApproval(st *store.Store, o *store.Organization, f *store.Flag) *wire.Failure {
	conflict := &wire.Failure{Status: http.StatusConflict, Kind: "invalid_request"}
	switch {
	case !o.Has(FeatureFlagApprovals):
		return nil
	case f.AwaitsApproval:
		conflict.Code, conflict.Detail = "change_request_pending", "A change to this feature flag is already waiting for approval."
		return conflict
	}
	waiting := *f
	waiting.AwaitsApproval = true
	st.Flags.Put(waiting.ID, &waiting)
	conflict.Code, conflict.Detail = "approval_required", "This change to a feature flag needs approval."
	return conflict
}

// flagFields reads and checks a flag request. previous is nil for a new flag.
func (x *Call) flagFields(previous *store.Flag) (wire.Fields, *wire.Failure) {
	body, f := x.read()
	if f != nil {
		return nil, f
	}
	input, f := flagRequest.Read(body, wire.Reading{Creating: previous == nil, Refine: func(c wire.Column, v wire.Value) (wire.Value, *wire.Failure) {
		return v, x.checkFlagField(c.Name, v, previous)
	}})
	if f == nil && previous != nil && input["filters"].Get("groups").IsAbsent() {
		// PostHog ignores filters without groups.
		delete(input, "filters")
	}
	return input, f
}

// checkFlagField checks a field of a flag beyond its type.
func (x *Call) checkFlagField(name string, v wire.Value, previous *store.Flag) *wire.Failure {
	switch {
	case v.IsNull():
		return nil
	case name == "key":
		return x.checkFlagKey(v.Text(), previous)
	case name == flagTags && !v.IsArray():
		return wire.Invalid("not_a_list", flagTags, `Expected a list of items but got type "`+v.Type()+`".`)
	case name == "filters" && (previous == nil || !v.Get("groups").IsAbsent()):
		return targeting.Check(v, previous, Flags{Store: x.Store, Project: x.project.ID})
	}
	return nil
}

// checkFlagKey refuses an invalid key, or a key that another flag of the project uses.
func (x *Call) checkFlagKey(key string, previous *store.Flag) *wire.Failure {
	for f := range x.Store.Flags.Each() {
		isSame := f.Project == x.project.ID && f.Text(store.FlagTable, "key") == key
		if isSame && !f.IsTrue(store.FlagTable, "deleted") && (previous == nil || f.ID != previous.ID) {
			return wire.Invalid("unique", "key", "There is already a feature flag with this key.")
		}
	}
	isUnchanged := previous != nil && previous.Text(store.FlagTable, "key") == key
	if !isUnchanged && !flagKeyForm.MatchString(key) {
		return wire.Invalid("invalid_key", "key", "Only letters, numbers, hyphens (-) & underscores (_) are allowed.")
	}
	return nil
}

// flagDetail returns a flag in the form of the flag routes.
func (e Encoding) flagDetail(f *store.Flag) []wire.Member {
	simple, rollout := simpleRollout(f)
	author := f.Member(FlagAuthor).Integer()
	return []wire.Member{
		{Name: "id", Value: wire.Of(f.ID)},
		{Name: "name", Value: f.Value("name")},
		{Name: "key", Value: f.Value("key")},
		{Name: "filters", Value: f.Value("filters")},
		{Name: "deleted", Value: f.Value("deleted")},
		{Name: "active", Value: f.Value("active")},
		{Name: "created_by", Value: e.user(author)},
		memberOr(f.Object, flagCreatedAt, wire.NewText("2024-01-01T00:00:00Z")),
		memberOr(f.Object, "version", wire.NewInt(1)),
		{Name: "is_simple_flag", Value: wire.Of(simple)},
		{Name: "rollout_percentage", Value: rollout},
		{Name: "ensure_experience_continuity", Value: f.Value("ensure_experience_continuity")},
		memberOr(f.Object, flagTags, wire.EmptyArray),
		memberOr(f.Object, "evaluation_runtime", wire.NewText("all")),
		memberOr(f.Object, "evaluation_contexts", wire.EmptyArray),
		memberOr(f.Object, "bucketing_identifier", wire.NewText("distinct_id")),
		{Name: "user_access_level", Value: wire.NewText("manager")},
	}
}

// simpleRollout reports whether a flag has a single group without properties. rollout is the percentage of
// that group, or null.
func simpleRollout(f *store.Flag) (simple bool, rollout wire.Value) {
	filters := f.Filters()
	groups := filters.Get("groups").Items()
	if len(groups) != 1 || !groups[0].IsObject() || !filters.Get("aggregation_group_type_index").IsNull() || groups[0].Get("properties").IsTruthy() {
		return false, wire.Null
	}
	rollout = groups[0].Get("rollout_percentage")
	if _, isNumber := rollout.Number(); !isNumber || rollout.Type() == "bool" {
		rollout = wire.Null
	}
	return true, rollout
}
