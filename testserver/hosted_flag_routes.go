package testserver

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
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

// FeatureFlagsList answers a page of the project's flags, newest first, each with the surveys
// that link it. The flags that belong to surveys are left out.
func (o *operations) FeatureFlagsList(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, params api.FeatureFlagsListParams) {
	x := exchangeOf(w)
	search := strings.ToLower(last(x.request.URL.Query()["search"]))
	linked, owned := x.server.store.flagUses(x.project.id)
	var found []*featureFlag
	for _, id := range slices.Backward(sortedIDs(x.server.store.flags)) {
		f := x.server.store.flags[id]
		if f.project == x.project.id && !f.isTrue(flagTable, "deleted") && f.mentions(search) && !owned[id] {
			found = append(found, f)
		}
	}

	page := windowOf(params.Limit, params.Offset)
	shown := found[min(page.offset, int64(len(found))):]
	shown = shown[:min(page.limit, int64(len(shown)))]
	x.reply(http.StatusOK, func(b []byte) []byte {
		return x.appendPage(b, page, len(found), func(b []byte) []byte {
			for i, f := range shown {
				if i > 0 {
					b = append(b, ',')
				}
				b = append(b, x.server.flagDetail(f).With("surveys", rawjson.Array(linked[f.id])).JSON()...)
			}
			return b
		})
	})
}

// flagUses are the surveys of a project that link a flag, by the id of the flag, and the ids
// of the flags that belong to surveys.
func (st *store) flagUses(projectID int64) (linked map[int64][]json.RawMessage, owned map[int64]bool) {
	linked, owned = map[int64][]json.RawMessage{}, map[int64]bool{}
	for _, s := range st.surveysByProject[projectID].items {
		if s.linked != 0 {
			linked[s.linked] = append(linked[s.linked], rawjson.Pairs{
				{Name: "id", Value: rawjson.Quote(s.id.String())},
				{Name: "name", Value: s.hostedValue("name")},
				{Name: "type", Value: s.hostedValue("type")},
				{Name: "start_date", Value: s.hostedValue("start_date")},
				{Name: "end_date", Value: s.hostedValue("end_date")},
			}.JSON())
		}
		for _, id := range s.ownFlags() {
			owned[id] = true
		}
	}
	return linked, owned
}

// mentions reports whether the key or the name of a flag has a text in it.
func (f *featureFlag) mentions(search string) bool {
	return search == "" || strings.Contains(strings.ToLower(f.text(flagTable, "key")), search) ||
		strings.Contains(strings.ToLower(f.text(flagTable, "name")), search)
}

// FeatureFlagsCreate stores a new flag.
func (o *operations) FeatureFlagsCreate(w http.ResponseWriter, _ *http.Request, _ api.ProjectID) {
	x := exchangeOf(w)
	sent, f := x.flagFields(nil)
	if f != nil {
		x.refuse(f)
		return
	}
	if sent["filters"] == nil {
		sent["filters"] = json.RawMessage(everyoneFilters)
	}
	sent["filters"] = normalFilters(sent["filters"])
	sent[flagCreatedAt], sent[flagAuthor] = field.TimestampText(x.now()), rawjson.Encode(x.user.id)

	created := &featureFlag{id: x.server.store.lastFlag + 1, project: x.project.id}
	created.object = newObject(flagTable, sent, nil)
	x.server.store.addFlag(created)
	x.replyFlag(http.StatusCreated, created)
}

// FeatureFlagsRetrieve answers one flag, a deleted one too.
func (o *operations) FeatureFlagsRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.FlagID) {
	x := exchangeOf(w)
	found, f := x.flag(id)
	if f != nil {
		x.refuse(f)
		return
	}
	x.replyFlag(http.StatusOK, found)
}

// FeatureFlagsPartialUpdate changes what was sent. A flag is deleted this way too, and
// stays where surveys use it.
func (o *operations) FeatureFlagsPartialUpdate(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.FlagID) {
	x := exchangeOf(w)
	before, f := x.flag(id)
	var sent rawjson.Fields
	if f == nil {
		sent, f = x.flagFields(before)
	}
	if f == nil {
		f = x.awaitApproval(before)
	}
	if f != nil {
		x.refuse(f)
		return
	}

	after := *before
	after.object = before.with(flagTable, sent)
	for _, name := range []string{"evaluation_runtime", "bucketing_identifier", flagTags} {
		if value, ok := sent[name]; ok {
			after.object = after.withMember(name, value)
		}
	}

	x.server.store.replaceFlag(&after)
	if filters := sent["filters"]; filters != nil {
		x.server.store.reviseFlag(id, filters)
	}

	x.replyFlag(http.StatusOK, x.server.store.flags[id])
}

// flag finds a flag of the project.
func (x *exchange) flag(id int64) (*featureFlag, *field.Failure) {
	f := x.server.store.flags[id]
	if f == nil || f.project != x.project.id {
		return nil, field.ObjectNotFound()
	}
	return f, nil
}

func (x *exchange) replyFlag(status int, f *featureFlag) {
	x.reply(status, func(b []byte) []byte { return append(b, x.server.flagDetail(f).JSON()...) })
}

// flagFields reads a request about a flag, nil for a new one, and checks it.
func (x *exchange) flagFields(before *featureFlag) (rawjson.Fields, *field.Failure) {
	body, f := x.parse()
	if f != nil {
		return nil, f
	}

	sent, f := flagRequest.Read(body, field.Reading{
		Value:    field.Column.Accept,
		Creating: before == nil,
		Refine: func(c field.Column, raw json.RawMessage) (json.RawMessage, *field.Failure) {
			return raw, x.checkFlagField(c.Name, raw, before)
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
func (x *exchange) checkFlagField(name string, raw json.RawMessage, before *featureFlag) *field.Failure {
	switch {
	case rawjson.IsNull(raw):
		return nil
	case name == "key":
		return x.checkFlagKey(raw, before)
	case name == flagTags && !rawjson.IsArray(raw):
		return field.Invalid("not_a_list", flagTags, `Expected a list of items but got type "`+python.TypeName(raw)+`".`)
	case name == "filters" && (before == nil || rawjson.Members(raw)["groups"] != nil):
		return (&surveyWrite{exchange: x}).checkFilters(raw, before)
	}
	return nil
}

// checkFlagKey refuses a key that another flag of the project has, or that no flag can have.
func (x *exchange) checkFlagKey(raw json.RawMessage, before *featureFlag) *field.Failure {
	for _, f := range x.server.store.flags {
		same := f.project == x.project.id && f.text(flagTable, "key") == rawjson.Unquote(raw)
		if same && !f.isTrue(flagTable, "deleted") && (before == nil || f.id != before.id) {
			return field.Invalid("unique", "key", "There is already a feature flag with this key.")
		}
	}
	own := before != nil && before.text(flagTable, "key") == rawjson.Unquote(raw)
	if !own && !flagKeyForm.MatchString(rawjson.Unquote(raw)) {
		return field.Invalid("invalid_key", "key", "Only letters, numbers, hyphens (-) & underscores (_) are allowed.")
	}
	return nil
}

// flagDetail is a flag as the routes of flags answer it.
func (s *Server) flagDetail(f *featureFlag) rawjson.Pairs {
	value := func(name string) json.RawMessage { return f.values[flagTable.Index[name]] }

	memberOr := func(name, unset string) json.RawMessage {
		if value := f.member(name); value != nil {
			return value
		}
		return json.RawMessage(unset)
	}

	simple, rollout := f.simpleRollout()
	author := rawjson.Fields{"id": memberOr(flagAuthor, "0")}.Integer("id")
	how := answering{profile: s.profile, store: s.store}

	return rawjson.Pairs{
		{Name: "id", Value: rawjson.Encode(f.id)},
		{Name: "name", Value: value("name")},
		{Name: "key", Value: value("key")},
		{Name: "filters", Value: value("filters")},
		{Name: "deleted", Value: value("deleted")},
		{Name: "active", Value: value("active")},
		{Name: "created_by", Value: appendUser(nil, how, author)},
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
func (f *featureFlag) simpleRollout() (simple bool, rollout json.RawMessage) {
	null := json.RawMessage("null")
	filters := rawjson.Members(f.filters())
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
