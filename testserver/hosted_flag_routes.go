package testserver

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// flagRequest are the fields of a request about a feature flag in the order in which
// they are checked.
var flagRequest = field.NewTable(
	field.Column{Name: "name", Kind: field.Text, NotNull: true},
	field.Column{Name: "key", Kind: field.Text, Required: true, NotNull: true, NotBlank: true, Max: 400},
	field.Column{Name: "filters", Kind: field.Object, NotNull: true, Refusal: "Filters must be a dictionary"},
	field.Column{Name: "deleted", Kind: field.Boolean, NotNull: true},
	field.Column{Name: "active", Kind: field.Boolean, NotNull: true},
	field.Column{Name: "ensure_experience_continuity", Kind: field.Boolean},
	field.Column{Name: "evaluation_runtime", Kind: field.Text},
	field.Column{Name: "bucketing_identifier", Kind: field.Text},
	field.Column{Name: "tags"},
)

// Members of a flag that the routes of flags show, and a flag nested in a survey does not.
const (
	flagTags      = "tags"
	flagCreatedAt = "created_at"
	flagAuthor    = "created_by_id"
)

var flagOnlyMembers = []string{flagTags, flagCreatedAt, flagAuthor, flagUser}

// flagKeyForm are the characters that the key of a flag may have.
var flagKeyForm = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// everyoneFilters are the filters of a flag that is created without any.
const everyoneFilters = `{"groups":[{"properties":[],"rollout_percentage":null}]}`

// FeatureFlagsList responds with a page of the project's flags, newest first, each with the surveys
// that link it. The flags that belong to surveys are left out.
func (o *operations) FeatureFlagsList(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, params api.FeatureFlagsListParams) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		search := last(x.request.URL.Query()["search"])
		linked, owned := flagUses(x.store, x.project.ID)
		var found []*store.Flag
		for _, f := range slices.Backward(x.store.Flags.Sorted()) {
			isMentioned := mentions(f.Text(store.FlagTable, "key"), search) || mentions(f.Text(store.FlagTable, "name"), search)
			if f.Project == x.project.ID && !f.IsTrue(store.FlagTable, "deleted") && isMentioned && !owned[f.ID] {
				found = append(found, f)
			}
		}

		page := windowOf(params.Limit, params.Offset)
		shown := found[min(page.offset, int64(len(found))):]
		shown = shown[:min(page.limit, int64(len(shown)))]
		return x.encode(http.StatusOK, func(b []byte) []byte {
			return appendPage(x.request, b, page, len(found), slices.All(shown), func(b []byte, f *store.Flag) []byte {
				return append(b, x.encoding().flagDetail(f).With("surveys", rawjson.Array(linked[f.ID])).JSON()...)
			})
		}), nil
	})
}

// flagUses are the surveys of a project that link a flag, by the id of the flag, and the ids
// of the flags that belong to surveys.
func flagUses(st *store.Store, projectID int64) (linked map[int64][]json.RawMessage, owned map[int64]bool) {
	linked, owned = map[int64][]json.RawMessage{}, map[int64]bool{}
	for _, s := range st.SurveysOf(projectID).Items {
		if s.Linked != 0 {
			linked[s.Linked] = append(linked[s.Linked], rawjson.Pairs{
				{Name: "id", Value: rawjson.Quote(s.ID.String())},
				{Name: "name", Value: s.HostedValue("name")},
				{Name: "type", Value: s.HostedValue("type")},
				{Name: "start_date", Value: s.HostedValue("start_date")},
				{Name: "end_date", Value: s.HostedValue("end_date")},
			}.JSON())
		}
		for _, id := range s.OwnFlags() {
			owned[id] = true
		}
	}
	return linked, owned
}

// FeatureFlagsCreate stores a new flag.
func (o *operations) FeatureFlagsCreate(w http.ResponseWriter, _ *http.Request, _ api.ProjectID) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		sent, f := x.flagFields(nil)
		if f != nil {
			return response{}, f
		}
		if sent["filters"] == nil {
			sent["filters"] = json.RawMessage(everyoneFilters)
		}
		sent["filters"] = targeting.Normal(wire.Decode(sent["filters"]))
		sent[flagCreatedAt], sent[flagAuthor] = field.TimestampText(x.now()), rawjson.Encode(x.user.ID)

		created := &store.Flag{ID: x.store.NextFlag(), Project: x.project.ID}
		created.Object = store.NewObject(store.FlagTable, sent, nil)
		x.store.AddFlag(created)
		return x.withFlag(http.StatusCreated, created), nil
	})
}

// FeatureFlagsRetrieve responds with one flag, a deleted one too.
func (o *operations) FeatureFlagsRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.FlagID) {
	serveAbout(w, id, (*exchange).flag, func(x *exchange, found *store.Flag) (response, *field.Failure) {
		return x.withFlag(http.StatusOK, found), nil
	})
}

// FeatureFlagsPartialUpdate changes what was sent. A flag is deleted this way too, and
// stays where surveys use it.
func (o *operations) FeatureFlagsPartialUpdate(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.FlagID) {
	serveAbout(w, id, (*exchange).flag, func(x *exchange, before *store.Flag) (response, *field.Failure) {
		sent, f := x.flagFields(before)
		if f != nil {
			return response{}, f
		}
		if f := awaitApproval(x.store, x.organization, before); f != nil {
			return response{}, f
		}

		after := *before
		after.Object = before.With(store.FlagTable, sent)
		for _, name := range []string{"evaluation_runtime", "bucketing_identifier", flagTags} {
			if value, ok := sent[name]; ok {
				after.Object = after.WithMember(name, value)
			}
		}

		x.store.ReplaceFlag(&after)
		if filters := sent["filters"]; filters != nil {
			x.store.ReviseFlag(id, targeting.Normal(wire.Decode(filters)))
		}

		return x.withFlag(http.StatusOK, x.store.Flags.Get(id)), nil
	})
}

// flag finds a flag of the project.
func (x *exchange) flag(id int64) (*store.Flag, *field.Failure) {
	f := x.store.Flags.Get(id)
	if f == nil || f.Project != x.project.ID {
		return nil, field.ObjectNotFound()
	}
	return f, nil
}

func (x *exchange) withFlag(status int, f *store.Flag) response {
	return x.encode(status, func(b []byte) []byte { return append(b, x.encoding().flagDetail(f).JSON()...) })
}

// flagFields reads a request about a flag, nil for a new one, and checks it.
func (x *exchange) flagFields(before *store.Flag) (rawjson.Fields, *field.Failure) {
	body, f := x.parse()
	if f != nil {
		return nil, f
	}

	sent, f := flagRequest.Read(body, field.Reading{
		Value:    field.Column.Accept,
		Creating: before == nil,
		Refine: func(c field.Column, raw json.RawMessage) (json.RawMessage, *field.Failure) {
			return raw, checkFlagField(x.flagProject(), c.Name, raw, before)
		},
	})
	if f != nil {
		return nil, f
	}

	if before != nil && rawjson.IsObject(sent["filters"]) && rawjson.Members(sent["filters"])["groups"] == nil {
		// Filters without groups change nothing.
		delete(sent, "filters")
	}
	return sent, nil
}

// checkFlagField checks what is particular to a field of a flag.
func checkFlagField(in flagProject, name string, raw json.RawMessage, before *store.Flag) *field.Failure {
	switch {
	case rawjson.IsNull(raw):
		return nil
	case name == "key":
		return in.checkKey(raw, before)
	case name == flagTags && !rawjson.IsArray(raw):
		return field.Invalid("not_a_list", flagTags, `Expected a list of items but got type "`+python.TypeName(raw)+`".`)
	case name == "filters" && (before == nil || rawjson.Members(raw)["groups"] != nil):
		return targeting.Check(wire.Decode(raw), before, in)
	}
	return nil
}

// flagDetail is a flag as the routes of flags show it.
func (e encoding) flagDetail(f *store.Flag) rawjson.Pairs {
	value := func(name string) json.RawMessage { return f.Values[store.FlagTable.Index[name]] }

	memberOr := func(name, unset string) json.RawMessage {
		if value := f.Member(name); value != nil {
			return value
		}
		return json.RawMessage(unset)
	}

	simple, rollout := simpleRollout(f)
	author := rawjson.Fields{"id": memberOr(flagAuthor, "0")}.Integer("id")

	return rawjson.Pairs{
		{Name: "id", Value: rawjson.Encode(f.ID)},
		{Name: "name", Value: value("name")},
		{Name: "key", Value: value("key")},
		{Name: "filters", Value: value("filters")},
		{Name: "deleted", Value: value("deleted")},
		{Name: "active", Value: value("active")},
		{Name: "created_by", Value: appendUser(nil, e, author)},
		{Name: "created_at", Value: memberOr(flagCreatedAt, `"2024-01-01T00:00:00Z"`)},
		{Name: "version", Value: memberOr("version", "1")},
		{Name: "is_simple_flag", Value: rawjson.Encode(simple)},
		{Name: "rollout_percentage", Value: rollout},
		{Name: "ensure_experience_continuity", Value: value("ensure_experience_continuity")},
		{Name: flagTags, Value: memberOr(flagTags, "[]")},
		{Name: "evaluation_runtime", Value: memberOr("evaluation_runtime", `"all"`)},
		{Name: "evaluation_contexts", Value: memberOr("evaluation_contexts", "[]")},
		{Name: "bucketing_identifier", Value: memberOr("bucketing_identifier", `"distinct_id"`)},
		{Name: "user_access_level", Value: rawjson.Quote("manager")},
	}
}

// simpleRollout reports whether a flag has one group and no properties, and the share
// of that group, null otherwise.
func simpleRollout(f *store.Flag) (simple bool, rollout json.RawMessage) {
	null := json.RawMessage("null")
	filters := rawjson.Members(f.Filters())
	if !rawjson.IsArray(filters["groups"]) {
		return false, null
	}
	groups := rawjson.List(filters["groups"])
	if len(groups) != 1 || !rawjson.IsObject(groups[0]) || !rawjson.IsNull(filters["aggregation_group_type_index"]) {
		return false, null
	}
	group := rawjson.Members(groups[0])
	if python.IsTruthy(group["properties"]) {
		return false, null
	}
	rollout = group["rollout_percentage"]
	if _, ok := python.Number(rollout); !ok || rollout[0] == 't' || rollout[0] == 'f' {
		rollout = null
	}
	return true, rollout
}
