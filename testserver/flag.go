package testserver

import (
	"encoding/json"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// featureFlag is a feature flag. A reference to a deleted flag reads as null, as in the
// surveys of the service.
type featureFlag struct {
	object
	id, project int64
	// awaitsApproval is set while an edit of the flag waits for approval. A dump does not
	// contain it.
	awaitsApproval bool
}

var flagTable = field.NewTable(
	field.Column{Name: "name", Kind: field.Text, Initial: `""`},
	field.Column{Name: "key", Kind: field.Text},
	field.Column{Name: "filters", Kind: field.Object, Initial: `{}`},
	field.Column{Name: "deleted", Kind: field.Boolean, Initial: "false"},
	field.Column{Name: "active", Kind: field.Boolean, Initial: "true"},
	field.Column{Name: "ensure_experience_continuity", Kind: field.Boolean, Initial: "false"},
)

// flagKeys are the keys of a flag as it is nested in a survey.
var flagKeys = []key[*featureFlag]{
	newKey("id", func(b []byte, _ answering, f *featureFlag) []byte { return strconv.AppendInt(b, f.id, 10) }),
	newKey("team_id", func(b []byte, _ answering, f *featureFlag) []byte { return strconv.AppendInt(b, f.project, 10) }),
	flagColumn("name"), flagColumn("key"), flagColumn("filters"), flagColumn("deleted"),
	flagColumn("active"), flagColumn("ensure_experience_continuity"),
}

func flagColumn(name string) key[*featureFlag] {
	i := flagTable.Index[name]
	return newKey(name, func(b []byte, _ answering, f *featureFlag) []byte { return append(b, f.values[i]...) })
}

// appendFlag writes the flag with an id, or null when it does not exist.
func appendFlag(b []byte, a answering, id int64) []byte {
	f := a.store.flags[id]
	if f == nil {
		return append(b, "null"...)
	}
	keys := a.profile.flagKeys
	if a.asEntry {
		// Members that only some profiles show are among the extra ones.
		keys = flagKeys
	}
	return appendObject(b, a, "FeatureFlag", keys, f, f.extra)
}

// appendFlagID writes the id of a flag, or null when it does not exist.
func appendFlagID(b []byte, a answering, id int64) []byte {
	if a.store.flags[id] == nil {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, id, 10)
}

// makeFlag stores a flag that the service creates for a survey.
func (st *store) makeFlag(project int64, name, key string, filters json.RawMessage, active bool) int64 {
	f := &featureFlag{id: st.lastFlag + 1, project: project}
	f.object = initialObject(flagTable).with(flagTable, rawjson.Fields{
		"name": rawjson.Quote(name), "key": rawjson.Quote(key), "filters": filters, "active": rawjson.Boolean(active),
	})
	st.addFlag(f)
	return f.id
}
