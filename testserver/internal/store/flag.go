package store

import (
	"encoding/json"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Flag is a feature flag. A reference to a deleted flag reads as null, as in the
// surveys of the service.
type Flag struct {
	Object
	ID, Project int64
	// AwaitsApproval is set while an edit of the flag waits for approval. A dump does not
	// contain it.
	AwaitsApproval bool
}

// FlagTable are the columns of a flag.
var FlagTable = field.NewTable(
	field.Column{Name: "name", Kind: field.Text, Initial: `""`},
	field.Column{Name: "key", Kind: field.Text},
	field.Column{Name: "filters", Kind: field.Object, Initial: `{}`},
	field.Column{Name: "deleted", Kind: field.Boolean, Initial: "false"},
	field.Column{Name: "active", Kind: field.Boolean, Initial: "true"},
	field.Column{Name: "ensure_experience_continuity", Kind: field.Boolean, Initial: "false"},
)

// Value is the value of a column.
func (f *Flag) Value(name string) json.RawMessage { return f.Values[FlagTable.Index[name]] }

// MakeFlag stores a flag that the service creates for a survey.
func (st *Store) MakeFlag(project int64, name, key string, filters json.RawMessage, active bool) int64 {
	f := &Flag{ID: st.lastFlag + 1, Project: project}
	f.Object = InitialObject(FlagTable).With(FlagTable, rawjson.Fields{
		"name": rawjson.Quote(name), "key": rawjson.Quote(key), "filters": filters, "active": rawjson.Boolean(active),
	})
	st.AddFlag(f)
	return f.ID
}

// FlagWithKey finds a flag of a project by its key, 0 for none.
func (st *Store) FlagWithKey(project int64, key json.RawMessage) int64 {
	for f := range st.Flags.Each() {
		if f.Project == project && string(f.Values[FlagTable.Index["key"]]) == string(key) {
			return f.ID
		}
	}
	return 0
}

// Filters are the release conditions of a flag, an empty object when it has none.
func (f *Flag) Filters() json.RawMessage {
	if raw := f.Values[FlagTable.Index["filters"]]; rawjson.IsObject(raw) {
		return raw
	}
	return json.RawMessage("{}")
}

// ReviseFlag replaces the filters of a flag by others in their normal form, and increments its
// version.
func (st *Store) ReviseFlag(id int64, filters json.RawMessage) {
	f := st.Flags.Get(id)
	version, err := strconv.ParseInt(string(f.Member("version")), 10, 64)
	if err != nil {
		version = 1
	}
	edited := *f
	edited.Object = f.With(FlagTable, rawjson.Fields{"filters": filters}).WithMember("version", rawjson.Encode(version+1))
	st.ReplaceFlag(&edited)
}

// HasNewerFormat reports whether the filters of a flag have a version of their own.
func (f *Flag) HasNewerFormat() bool {
	return !rawjson.IsNull(rawjson.Members(f.Filters())["version"])
}
