package service

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Encoding is how objects are shown: in responses, or as entries of a fixtures document, in which
// nothing is hidden or converted.
type Encoding struct {
	*Profile
	Store   *store.Store
	AsEntry bool
	// users are those that were shown before: most objects of a page have one author.
	users map[int64]json.RawMessage
}

// responses is how objects are shown in responses.
func (v Service) responses() Encoding {
	return Encoding{Profile: v.Profile, Store: v.Store, users: map[int64]json.RawMessage{}}
}

// Entries is how objects are shown in a fixtures document.
func (v Service) Entries() Encoding {
	return Encoding{Profile: v.Profile, Store: v.Store, AsEntry: true}
}

// SurveyEntry is a survey as an entry of a fixtures document: its project and all stored values.
func (e Encoding) SurveyEntry(s *store.Survey) wire.Pairs {
	entry := wire.Pairs{{Name: "project_id", Value: wire.Encode(s.Project)}}
	for _, f := range store.SurveyFields {
		value, isElsewhere := e.elsewhere(s, f.Name)
		switch {
		case f.Documented == "" || f.IsElsewhere && !isElsewhere:
		case isElsewhere:
			entry = append(entry, wire.Pair{Name: f.Name, Value: value})
		default:
			entry = append(entry, wire.Pair{Name: f.Name, Value: s.Value(f.Name)})
		}
	}
	return append(entry, s.Further(e.Checks)...)
}

// survey is a survey in a response to reading or to writing; sent are the fields of the request that
// it has as they were sent: only what has been to the database has the database's order.
func (e Encoding) survey(s *store.Survey, reads bool, sent wire.RawFields) wire.Pairs {
	fields := e.writes
	if reads {
		fields = e.reads
	}
	shown := make(wire.Pairs, 0, len(fields)+len(s.Extra))
	for _, f := range fields {
		var value json.RawMessage
		isKnown := false
		if f.isElsewhere {
			value, isKnown = e.elsewhere(s, f.name)
		}
		if !isKnown {
			value = e.column(s, f, reads, sent)
		}
		shown = append(shown, wire.Pair{Name: f.name, Value: value})
	}
	return append(shown, e.further("Survey", s.Extra)...)
}

// elsewhere is a field of a survey that is no column; false for one that is, or that is never shown.
func (e Encoding) elsewhere(s *store.Survey, name string) (json.RawMessage, bool) {
	switch name {
	case "id":
		return wire.Quote(s.ID.String()), true
	case "linked_flag":
		return e.flag(s.Linked), true
	case "linked_flag_id":
		return e.flagID(s.Linked), true
	case "targeting_flag":
		return e.flag(s.Targeting), true
	case "targeting_flag_id":
		return e.flagID(s.Targeting), true
	case "internal_targeting_flag":
		return e.flag(s.Internal), true
	case "created_by":
		return e.user(s.Author), true
	case "feature_flag_keys":
		return e.flagKeys(s), true
	case "user_access_level":
		return wire.Quote("manager"), true
	}
	return nil, false
}

// column is a column of a survey in a response: as it is stored, or as it was just sent.
func (e Encoding) column(s *store.Survey, f shownField, reads bool, sent wire.RawFields) json.RawMessage {
	name := f.name
	if name == "conditions" && !e.Checks {
		return conditionsText(s, reads)
	}
	value, wasSent := sent[name]
	switch {
	case wasSent:
	case f.isElsewhere:
		value = json.RawMessage("null")
	case reads && e.Checks:
		value = Cleaned(s, name)
	default:
		value = s.Value(name)
	}
	if name == "conditions" {
		value = WithActions(e.Store, s, wire.Decode(value)).Raw
	}
	return value
}

// conditionsText are conditions as they are documented. In responses to reading they are a
// string: their JSON text, or the string that a client wrote.
func conditionsText(s *store.Survey, reads bool) json.RawMessage {
	conditions := s.Value("conditions")
	switch {
	case !reads:
		return json.RawMessage("null")
	case conditions[0] == '"' || conditions[0] == 'n':
		return conditions
	}
	return wire.Quote(string(conditions))
}

// flagKeys are the keys of the four flags that a survey can have.
func (e Encoding) flagKeys(s *store.Survey) json.RawMessage {
	var keys []json.RawMessage
	for _, named := range []struct {
		name string
		id   int64
	}{
		{"linked_flag_key", s.Linked}, {"targeting_flag_key", s.Targeting},
		{"internal_targeting_flag_key", s.Internal}, {"internal_response_sampling_flag_key", s.SamplingFlag()},
	} {
		key := json.RawMessage("null")
		if flag := e.Store.Flags.Get(named.id); flag != nil {
			key = flag.Value("key")
		}
		keys = append(keys, json.RawMessage(`{"key":"`+named.name+`","value":`+string(key)+`}`))
	}
	return wire.Array(keys)
}

// further are the extra members of an object that are shown. Fields of the hosted service have
// their own keys in the hosted profile, and none in the documented one. A member that the contract
// does not know comes from a newer service.
func (e Encoding) further(schema string, extra []wire.Pair) wire.Pairs {
	if e.AsEntry || len(extra) == 0 {
		return extra
	}
	return slices.DeleteFunc(slices.Clone(extra), func(m wire.Pair) bool { return slices.Contains(hostedFields()[schema], m.Name) })
}

// hostedFields are the fields that only the hosted service has, by schema, including those
// that no response shows. Most programs never need them, and to read the contract takes 10 ms.
var hostedFields = sync.OnceValue(func() map[string][]string {
	fields := map[string][]string{}
	for _, schema := range []string{"Survey", "SurveyRequest", "FeatureFlag", "User", "PipelineImportApp"} {
		fields[schema] = api.HostedFields(schema)
	}
	fields["Survey"] = append(fields["Survey"], store.SamplingFlagMember, store.ActionsClearedMember, store.UnreadableMember)
	fields["FeatureFlag"] = append(fields["FeatureFlag"], FlagOnlyMembers...)
	return fields
})

// valued has columns by their names.
type valued interface {
	Value(name string) json.RawMessage
}

// columns are columns as they are stored.
func columns(of valued, names ...string) wire.Pairs {
	shown := make(wire.Pairs, len(names))
	for i, name := range names {
		shown[i] = wire.Pair{Name: name, Value: of.Value(name)}
	}
	return shown
}

// memberOr is an extra member of an object, or else an initial value.
func memberOr(o store.Object, name, initial string) wire.Pair {
	if value := o.Member(name); value != nil {
		return wire.Pair{Name: name, Value: value}
	}
	return wire.Pair{Name: name, Value: json.RawMessage(initial)}
}

// flag is the flag with an id as it is nested in a survey, null when it does not exist.
func (e Encoding) flag(id int64) json.RawMessage {
	f := e.Store.Flags.Get(id)
	if f == nil {
		return json.RawMessage("null")
	}
	shown := append(wire.Pairs{{Name: "id", Value: wire.Encode(f.ID)}, {Name: "team_id", Value: wire.Encode(f.Project)}}, flagColumns(f)...)
	if e.Checks && !e.AsEntry {
		shown = append(shown, memberOr(f.Object, "version", "1"), memberOr(f.Object, "evaluation_runtime", `"all"`),
			memberOr(f.Object, "evaluation_contexts", "[]"), memberOr(f.Object, "bucketing_identifier", `"distinct_id"`))
	}
	return append(shown, e.further("FeatureFlag", f.Extra)...).JSON()
}

func flagColumns(f *store.Flag) wire.Pairs {
	return columns(f, "name", "key", "filters", "deleted", "active", "ensure_experience_continuity")
}

// FlagEntry is a flag as an entry of a fixtures document.
func (e Encoding) FlagEntry(f *store.Flag) wire.Pairs {
	entry := append(wire.Pairs{{Name: "id", Value: wire.Encode(f.ID)}, {Name: "project_id", Value: wire.Encode(f.Project)}}, flagColumns(f)...)
	return append(entry, f.Extra...)
}

// flagID is the id of a flag, null when it does not exist.
func (e Encoding) flagID(id int64) json.RawMessage {
	if e.Store.Flags.Get(id) == nil {
		return json.RawMessage("null")
	}
	return wire.Encode(id)
}

// user is the user with an id as it is nested in created_by, null when there is none.
func (e Encoding) user(id int64) json.RawMessage {
	u := e.Store.Users.Get(id)
	switch {
	case u == nil:
		return json.RawMessage("null")
	case e.users[id] != nil:
		return e.users[id]
	}

	shown := UserColumns(u)
	if e.Checks && !e.AsEntry {
		shown = append(shown, memberOr(u.Object, "role_at_organization", "null"))
	}
	encoded := append(shown, e.further("User", u.Extra)...).JSON()
	if e.users != nil {
		e.users[id] = encoded
	}
	return encoded
}

// UserColumns are the id and the columns of a user.
func UserColumns(u *store.User) wire.Pairs {
	return append(wire.Pairs{{Name: "id", Value: wire.Encode(u.ID)}}, columns(u, store.UserTable.Names()...)...)
}

// App is an import app in a response, or as an entry of a fixtures document.
func (e Encoding) App(a *store.App) wire.Pairs {
	shown := append(wire.Pairs{{Name: "id", Value: wire.Encode(a.ID)}}, columns(a, "plugin_type", "name", "description")...)
	shown = append(shown, wire.Pair{Name: "url", Value: e.appURL(a)})
	shown = append(shown, columns(a, "icon", "config_schema", "tag", "latest_tag", "is_global")...)
	shown = append(shown, wire.Pair{Name: "organization_id", Value: wire.Quote(a.Organization.String())},
		wire.Pair{Name: "organization_name", Value: wire.Quote(e.Store.Organization(a.Organization).Name)})
	shown = append(shown, columns(a, "capabilities", "metrics", "public_jobs", "hog_function_migration_available")...)
	if e.Installs && !e.AsEntry {
		shown[len(shown)-1].Value = wire.Bool(slices.Contains(migratable, a.Text(store.AppTable, "url")))
	}
	return append(shown, e.further("PipelineImportApp", a.Extra)...)
}

// migratable are the URLs of the apps that have a successor on the service.
var migratable = []string{
	"https://github.com/PostHog/customerio-plugin",
	"https://github.com/PostHog/hubspot-plugin",
	"https://github.com/PostHog/posthog-avo-plugin",
	"https://github.com/PostHog/posthog-engage-so-plugin",
	"https://github.com/PostHog/posthog-gcs-plugin",
	"https://github.com/PostHog/posthog-loops-plugin",
	"https://github.com/PostHog/posthog-plugin-replicator",
	"https://github.com/PostHog/pubsub-plugin",
	"https://github.com/PostHog/rudderstack-posthog-plugin",
	"https://github.com/PostHog/sendgrid-plugin",
}

// appURL omits the query, which may contain a private token. A blank URL reads null.
func (e Encoding) appURL(a *store.App) json.RawMessage {
	raw := a.Value("url")
	shown, _, cut := strings.Cut(wire.Unquote(raw), "?")
	switch {
	case e.AsEntry:
		return raw
	case string(raw) == `""`:
		return json.RawMessage("null")
	case !cut:
		return raw
	}
	return wire.Quote(shown)
}
