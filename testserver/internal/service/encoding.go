package service

import (
	"slices"
	"strings"
	"sync"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Encoding formats objects for responses, or as entries of a fixtures document, in which nothing is hidden
// or converted.
type Encoding struct {
	*Profile
	Store   *store.Store
	AsEntry bool
	// users caches encoded users, because most objects of a page have the same author.
	users map[int64]wire.Value
}

// responses returns the encoding for responses.
func (v Service) responses() Encoding {
	return Encoding{Profile: v.Profile, Store: v.Store, users: map[int64]wire.Value{}}
}

// Entries returns the encoding for a fixtures document.
func (v Service) Entries() Encoding {
	return Encoding{Profile: v.Profile, Store: v.Store, AsEntry: true}
}

// SurveyEntry returns a survey as an entry of a fixtures document, with its project and all stored values.
func (e Encoding) SurveyEntry(s *store.Survey) []wire.Member {
	entry := []wire.Member{{Name: "project_id", Value: wire.Of(s.Project)}}
	for _, f := range store.SurveyFields {
		value, isElsewhere := e.elsewhere(s, f.Name)
		switch {
		case f.Documented == "" || f.IsElsewhere && !isElsewhere:
		case isElsewhere:
			entry = append(entry, wire.Member{Name: f.Name, Value: value})
		default:
			entry = append(entry, wire.Member{Name: f.Name, Value: s.Value(f.Name)})
		}
	}
	return append(entry, s.Further(e.Checks)...)
}

// survey returns a survey in a response to a read or a write. input contains the fields that the response
// copies from the request: only stored JSON has the database's key order.
func (e Encoding) survey(s *store.Survey, reads bool, input wire.Fields) []wire.Member {
	fields := e.writes
	if reads {
		fields = e.reads
	}
	members := make([]wire.Member, 0, len(fields)+len(s.Extra))
	for _, f := range fields {
		var value wire.Value
		isKnown := false
		if f.isElsewhere {
			value, isKnown = e.elsewhere(s, f.name)
		}
		if !isKnown {
			value = e.column(s, f, reads, input)
		}
		members = append(members, wire.Member{Name: f.name, Value: value})
	}
	return append(members, e.further("Survey", s.Extra)...)
}

// elsewhere returns a survey field that has no column. ok is false for a field that is never shown or that
// has a column.
func (e Encoding) elsewhere(s *store.Survey, name string) (wire.Value, bool) {
	switch name {
	case "id":
		return wire.NewText(s.ID.String()), true
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
		return wire.NewText("manager"), true
	}
	return wire.Value{}, false
}

// column returns a column of a survey in a response: the value from the request, or the stored value.
func (e Encoding) column(s *store.Survey, f shownField, reads bool, input wire.Fields) wire.Value {
	name := f.name
	if name == "conditions" && !e.Checks {
		return conditionsText(s, reads)
	}
	value, wasSent := input[name]
	switch {
	case wasSent:
	case f.isElsewhere:
		value = wire.Null
	case reads && e.Checks:
		value = CleanField(s, name)
	default:
		value = s.Value(name)
	}
	if name == "conditions" {
		value = WithActions(e.Store, s, value)
	}
	return value
}

// conditionsText returns conditions in the documented format. In responses to reads, they are a string: the
// JSON text, or the string that the client sent.
func conditionsText(s *store.Survey, reads bool) wire.Value {
	conditions := s.Value("conditions")
	switch {
	case !reads:
		return wire.Null
	case conditions.IsText() || conditions.IsNull():
		return conditions
	}
	return wire.NewText(conditions.Spelling())
}

// flagKeys returns the keys of the four flags that a survey can have.
func (e Encoding) flagKeys(s *store.Survey) wire.Value {
	var keys []wire.Value
	for _, flag := range []struct {
		name string
		id   int64
	}{
		{"linked_flag_key", s.Linked}, {"targeting_flag_key", s.Targeting},
		{"internal_targeting_flag_key", s.Internal}, {"internal_response_sampling_flag_key", s.SamplingFlag()},
	} {
		key := wire.Null
		if flag := e.Store.Flags.Get(flag.id); flag != nil {
			key = flag.Value("key")
		}
		keys = append(keys, wire.NewObject(wire.Member{Name: "key", Value: wire.NewText(flag.name)}, wire.Member{Name: "value", Value: key}))
	}
	return wire.NewArray(keys...)
}

// further returns the extra members of an object that responses contain. Known fields of PostHog appear only
// in the hosted profile. Unknown members may come from a newer version of PostHog and always appear.
func (e Encoding) further(schema string, extra []wire.Member) []wire.Member {
	if e.AsEntry || len(extra) == 0 {
		return extra
	}
	return slices.DeleteFunc(slices.Clone(extra), func(m wire.Member) bool { return slices.Contains(hostedFields()[schema], m.Name) })
}

// hostedFields maps schemas to the fields that only the hosted profile has, including fields that responses
// never contain. It is computed lazily, because most programs don't need it and reading the contract takes
// 10 ms.
var hostedFields = sync.OnceValue(func() map[string][]string {
	fields := map[string][]string{}
	for _, schema := range []string{"Survey", "SurveyRequest", "FeatureFlag", "User", "PipelineImportApp"} {
		fields[schema] = api.HostedFields(schema)
	}
	fields["Survey"] = append(fields["Survey"], store.SamplingFlagMember, store.ActionsClearedMember, store.UnreadableMember)
	fields["FeatureFlag"] = append(fields["FeatureFlag"], FlagOnlyMembers...)
	return fields
})

// valued is an object with columns.
type valued interface {
	Value(name string) wire.Value
}

// columns returns the named columns as they are stored.
func columns(object valued, names ...string) []wire.Member {
	members := make([]wire.Member, len(names))
	for i, name := range names {
		members[i] = wire.Member{Name: name, Value: object.Value(name)}
	}
	return members
}

// memberOr returns an extra member of an object, or initial if the object does not contain it.
func memberOr(o store.Object, name string, initial wire.Value) wire.Member {
	if value := o.Member(name); !value.IsAbsent() {
		return wire.Member{Name: name, Value: value}
	}
	return wire.Member{Name: name, Value: initial}
}

// flag returns a flag as it is nested in a survey, or null if the flag does not exist.
func (e Encoding) flag(id int64) wire.Value {
	f := e.Store.Flags.Get(id)
	if f == nil {
		return wire.Null
	}
	members := append([]wire.Member{{Name: "id", Value: wire.Of(f.ID)}, {Name: "team_id", Value: wire.Of(f.Project)}}, flagColumns(f)...)
	if e.Checks && !e.AsEntry {
		members = append(members, memberOr(f.Object, "version", wire.NewInt(1)), memberOr(f.Object, "evaluation_runtime", wire.NewText("all")),
			memberOr(f.Object, "evaluation_contexts", wire.EmptyArray), memberOr(f.Object, "bucketing_identifier", wire.NewText("distinct_id")))
	}
	return wire.NewObject(append(members, e.further("FeatureFlag", f.Extra)...)...)
}

func flagColumns(f *store.Flag) []wire.Member {
	return columns(f, "name", "key", "filters", "deleted", "active", "ensure_experience_continuity")
}

// FlagEntry returns a flag as an entry of a fixtures document.
func (e Encoding) FlagEntry(f *store.Flag) []wire.Member {
	entry := append([]wire.Member{{Name: "id", Value: wire.Of(f.ID)}, {Name: "project_id", Value: wire.Of(f.Project)}}, flagColumns(f)...)
	return append(entry, f.Extra...)
}

// flagID returns the ID of a flag, or null if the flag does not exist.
func (e Encoding) flagID(id int64) wire.Value {
	if e.Store.Flags.Get(id) == nil {
		return wire.Null
	}
	return wire.Of(id)
}

// user returns a user as it is nested in created_by, or null if there is none.
func (e Encoding) user(id int64) wire.Value {
	u := e.Store.Users.Get(id)
	switch {
	case u == nil:
		return wire.Null
	case !e.users[id].IsAbsent():
		return e.users[id]
	}

	members := UserColumns(u)
	if e.Checks && !e.AsEntry {
		members = append(members, memberOr(u.Object, "role_at_organization", wire.Null))
	}
	encoded := wire.NewObject(append(members, e.further("User", u.Extra)...)...)
	if e.users != nil {
		e.users[id] = encoded
	}
	return encoded
}

// UserColumns returns the ID and the columns of a user.
func UserColumns(u *store.User) []wire.Member {
	return append([]wire.Member{{Name: "id", Value: wire.Of(u.ID)}}, columns(u, store.UserTable.Names()...)...)
}

// App returns an import app in a response, or as an entry of a fixtures document.
func (e Encoding) App(app *store.App) []wire.Member {
	members := append([]wire.Member{{Name: "id", Value: wire.Of(app.ID)}}, columns(app, "plugin_type", "name", "description")...)
	members = append(members, wire.Member{Name: "url", Value: e.appURL(app)})
	members = append(members, columns(app, "icon", "config_schema", "tag", "latest_tag", "is_global")...)
	members = append(members, wire.Member{Name: "organization_id", Value: wire.NewText(app.Organization.String())},
		wire.Member{Name: "organization_name", Value: wire.NewText(e.Store.Organization(app.Organization).Name)})
	members = append(members, columns(app, "capabilities", "metrics", "public_jobs", "hog_function_migration_available")...)
	if e.Installs && !e.AsEntry {
		members[len(members)-1].Value = wire.NewBool(slices.Contains(migratable, app.Text(store.AppTable, "url")))
	}
	return append(members, e.further("PipelineImportApp", app.Extra)...)
}

// migratable are the URLs of apps that have a successor in PostHog.
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

// appURL returns the URL of an app without its query, which may contain a private token. A blank URL becomes
// null.
func (e Encoding) appURL(app *store.App) wire.Value {
	raw := app.Value("url")
	withoutQuery, _, cut := strings.Cut(raw.Text(), "?")
	switch {
	case e.AsEntry:
		return raw
	case raw.Spelling() == `""`:
		return wire.Null
	case !cut:
		return raw
	}
	return wire.NewText(withoutQuery)
}
