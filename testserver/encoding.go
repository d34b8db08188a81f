package testserver

import (
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// encoding is the context in which the keys of a response are encoded.
type encoding struct {
	profile *profile
	store   *store.Store
	// sent are the fields of the request, for those that the response echoes.
	sent wire.RawFields
	// asEntry asks for a fixtures entry, in which nothing is hidden or converted.
	asEntry bool
}

// survey encodes a survey as an entry of a fixtures document: its project and all stored values.
func (e encoding) survey(found *store.Survey) json.RawMessage {
	return appendObject(nil, e, "Survey", surveyEntry, found, found.Further(e.profile.checks))
}

// app encodes an import app as an entry of a fixtures document.
func (e encoding) app(found *store.App) json.RawMessage {
	return appendObject(nil, e, "PipelineImportApp", appKeys, found, found.Extra)
}

// key is a key of a response about a T.
type key[T any] struct {
	name string
	// quoted is the encoded name, with the comma before and the colon after it.
	quoted string
	append func(b []byte, a encoding, thing T) []byte
}

func newKey[T any](name string, appendValue func([]byte, encoding, T) []byte) key[T] {
	return key[T]{name: name, quoted: `,"` + name + `":`, append: appendValue}
}

// appendObject writes keys and extra members as one JSON object.
func appendObject[T any](b []byte, a encoding, schema string, keys []key[T], thing T, extra []wire.Pair) []byte {
	begin := len(b)
	for i := range keys {
		b = append(b, keys[i].quoted...)
		b = keys[i].append(b, a, thing)
	}
	// The first member has no comma before it.
	b[begin] = '{'
	for _, m := range extra {
		if !a.asEntry && isHidden(schema, m.Name) {
			continue
		}
		b = append(b, ',')
		b = wire.AppendQuoted(b, m.Name)
		b = append(b, ':')
		b = append(b, m.Value...)
	}
	return append(b, '}')
}

// appendSurveyValue are the keys of a survey that are no columns, or shown otherwise than they
// are stored.
var appendSurveyValue = map[string]func(b []byte, a encoding, s *store.Survey) []byte{
	"id":                      func(b []byte, _ encoding, s *store.Survey) []byte { return appendUUID(b, s.ID) },
	"linked_flag":             func(b []byte, a encoding, s *store.Survey) []byte { return appendFlag(b, a, s.Linked) },
	"linked_flag_id":          func(b []byte, a encoding, s *store.Survey) []byte { return appendFlagID(b, a, s.Linked) },
	"targeting_flag":          func(b []byte, a encoding, s *store.Survey) []byte { return appendFlag(b, a, s.Targeting) },
	"targeting_flag_id":       func(b []byte, a encoding, s *store.Survey) []byte { return appendFlagID(b, a, s.Targeting) },
	"internal_targeting_flag": func(b []byte, a encoding, s *store.Survey) []byte { return appendFlag(b, a, s.Internal) },
	"created_by":              func(b []byte, a encoding, s *store.Survey) []byte { return appendUser(b, a, s.Author) },
	"feature_flag_keys":       appendFlagKeys,
	"user_access_level":       func(b []byte, _ encoding, _ *store.Survey) []byte { return append(b, `"manager"`...) },
}

// surveyKey is a key of a survey in responses to reading or to writing. A column is shown as it is
// stored, or as it was just sent: only what has been to the database has the database's order.
func (p *profile) surveyKey(f store.SurveyField, reads bool) key[*store.Survey] {
	name := f.Name
	switch known := appendSurveyValue[name]; {
	case known != nil:
		return newKey(name, known)
	case name == "conditions" && !p.checks:
		return newKey(name, func(b []byte, _ encoding, s *store.Survey) []byte { return appendConditionsText(b, s, reads) })
	}
	return newKey(name, func(b []byte, a encoding, s *store.Survey) []byte {
		value, sent := a.sent[name]
		switch {
		case sent:
		case f.IsElsewhere:
			value = json.RawMessage("null")
		case reads && p.checks:
			value = service.Cleaned(s, name)
		default:
			value = s.Value(name)
		}
		if name == "conditions" && p.checks {
			value = service.WithActions(a.store, s, wire.Decode(value)).Raw
		}
		return append(b, value...)
	})
}

// appendConditionsText writes conditions as they are documented. In responses to reading they are a
// string: their JSON text, or the string that a client wrote.
func appendConditionsText(b []byte, s *store.Survey, reads bool) []byte {
	conditions := s.Value("conditions")
	switch {
	case !reads:
		return append(b, "null"...)
	case conditions[0] == '"' || conditions[0] == 'n':
		return append(b, conditions...)
	}
	return wire.AppendQuotedJSON(b, conditions)
}

// surveyEntry are the keys of a survey in a fixtures document.
var surveyEntry = func() []key[*store.Survey] {
	keys := []key[*store.Survey]{newKey("project_id", func(b []byte, _ encoding, s *store.Survey) []byte {
		return strconv.AppendInt(b, s.Project, 10)
	})}
	for _, f := range store.SurveyFields {
		known := appendSurveyValue[f.Name]
		switch {
		case f.Documented == "" || f.IsElsewhere && known == nil:
		case known != nil:
			keys = append(keys, newKey(f.Name, known))
		default:
			keys = append(keys, newKey(f.Name, func(b []byte, _ encoding, s *store.Survey) []byte { return append(b, s.Value(f.Name)...) }))
		}
	}
	return keys
}()

// appendFlagKeys writes the keys of the four flags that a survey can have.
func appendFlagKeys(b []byte, a encoding, s *store.Survey) []byte {
	type named struct {
		name string
		id   int64
	}
	flags := []named{
		{"linked_flag_key", s.Linked}, {"targeting_flag_key", s.Targeting},
		{"internal_targeting_flag_key", s.Internal}, {"internal_response_sampling_flag_key", s.SamplingFlag()},
	}
	return wire.AppendArray(b, slices.All(flags), func(b []byte, f named) []byte {
		key := json.RawMessage("null")
		if flag := a.store.Flags.Get(f.id); flag != nil {
			key = flag.Value("key")
		}
		b = append(b, `{"key":"`+f.name+`","value":`...)
		return append(append(b, key...), '}')
	})
}

// columnKey is a key that shows a column as it is stored.
func columnKey[T interface{ Value(string) json.RawMessage }](name string) key[T] {
	return newKey(name, func(b []byte, _ encoding, thing T) []byte { return append(b, thing.Value(name)...) })
}

// memberKey is a key that shows an extra member, or else an initial value.
func memberKey[T interface{ Member(string) json.RawMessage }](name, initial string) key[T] {
	return newKey(name, func(b []byte, _ encoding, thing T) []byte {
		if value := thing.Member(name); value != nil {
			return append(b, value...)
		}
		return append(b, initial...)
	})
}

// flagKeys are the keys of a flag as it is nested in a survey; the hosted service has some that
// came later.
var (
	flagKeys = []key[*store.Flag]{
		newKey("id", func(b []byte, _ encoding, f *store.Flag) []byte { return strconv.AppendInt(b, f.ID, 10) }),
		newKey("team_id", func(b []byte, _ encoding, f *store.Flag) []byte { return strconv.AppendInt(b, f.Project, 10) }),
		columnKey[*store.Flag]("name"), columnKey[*store.Flag]("key"), columnKey[*store.Flag]("filters"), columnKey[*store.Flag]("deleted"),
		columnKey[*store.Flag]("active"), columnKey[*store.Flag]("ensure_experience_continuity"),
	}
	hostedFlagKeys = append(slices.Clone(flagKeys),
		memberKey[*store.Flag]("version", "1"), memberKey[*store.Flag]("evaluation_runtime", `"all"`),
		memberKey[*store.Flag]("evaluation_contexts", "[]"), memberKey[*store.Flag]("bucketing_identifier", `"distinct_id"`),
	)
)

// appendFlag writes the flag with an id, or null when it does not exist.
func appendFlag(b []byte, a encoding, id int64) []byte {
	f := a.store.Flags.Get(id)
	if f == nil {
		return append(b, "null"...)
	}
	keys := a.profile.flagKeys
	if a.asEntry {
		// Members that only some profiles show are among the extra ones.
		keys = flagKeys
	}
	return appendObject(b, a, "FeatureFlag", keys, f, f.Extra)
}

// appendFlagID writes the id of a flag, or null when it does not exist.
func appendFlagID(b []byte, a encoding, id int64) []byte {
	if a.store.Flags.Get(id) == nil {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, id, 10)
}

// userKeys are the keys of a user as it is nested in created_by.
var (
	userKeys = []key[*store.User]{
		newKey("id", func(b []byte, _ encoding, u *store.User) []byte { return strconv.AppendInt(b, u.ID, 10) }),
		columnKey[*store.User]("uuid"), columnKey[*store.User]("distinct_id"), columnKey[*store.User]("first_name"), columnKey[*store.User]("last_name"),
		columnKey[*store.User]("email"), columnKey[*store.User]("is_email_verified"), columnKey[*store.User]("hedgehog_config"),
	}
	hostedUserKeys = append(slices.Clone(userKeys), memberKey[*store.User]("role_at_organization", "null"))
)

// appendUser writes the user with an id, null when there is none.
func appendUser(b []byte, a encoding, id int64) []byte {
	u := a.store.Users.Get(id)
	if u == nil {
		return append(b, "null"...)
	}
	keys := a.profile.userKeys
	if a.asEntry {
		keys = userKeys
	}
	return appendObject(b, a, "User", keys, u, u.Extra)
}

// appKeys are the keys of an app in the order of the wire.
var appKeys = []key[*store.App]{
	newKey("id", func(b []byte, _ encoding, a *store.App) []byte { return strconv.AppendInt(b, a.ID, 10) }),
	columnKey[*store.App]("plugin_type"), columnKey[*store.App]("name"), columnKey[*store.App]("description"), newKey("url", appendAppURL),
	columnKey[*store.App]("icon"), columnKey[*store.App]("config_schema"), columnKey[*store.App]("tag"), columnKey[*store.App]("latest_tag"),
	columnKey[*store.App]("is_global"),
	newKey("organization_id", func(b []byte, _ encoding, a *store.App) []byte { return appendUUID(b, a.Organization) }),
	newKey("organization_name", func(b []byte, w encoding, a *store.App) []byte {
		return wire.AppendQuoted(b, w.store.Organization(a.Organization).Name)
	}),
	columnKey[*store.App]("capabilities"), columnKey[*store.App]("metrics"), columnKey[*store.App]("public_jobs"),
	columnKey[*store.App]("hog_function_migration_available"),
}

// hostedAppKeys are the keys of an app on the hosted service, which computes one.
var hostedAppKeys = func() []key[*store.App] {
	keys := slices.Clone(appKeys)
	keys[len(keys)-1] = newKey("hog_function_migration_available", func(b []byte, _ encoding, a *store.App) []byte {
		return strconv.AppendBool(b, slices.Contains(migratable, a.Text(store.AppTable, "url")))
	})
	return keys
}()

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

// appendAppURL omits the query, which may contain a private token. A blank URL reads null.
func appendAppURL(b []byte, w encoding, a *store.App) []byte {
	raw := a.Value("url")
	shown, _, cut := strings.Cut(wire.Unquote(raw), "?")
	switch {
	case w.asEntry:
		return append(b, raw...)
	case string(raw) == `""`:
		return append(b, "null"...)
	case !cut:
		return append(b, raw...)
	}
	return wire.AppendQuoted(b, shown)
}

func appendUUID(b []byte, id uuid.UUID) []byte {
	b = append(b, '"')
	b = hex.AppendEncode(b, id[:4])
	for _, part := range [][]byte{id[4:6], id[6:8], id[8:10], id[10:]} {
		b = hex.AppendEncode(append(b, '-'), part)
	}
	return append(b, '"')
}
