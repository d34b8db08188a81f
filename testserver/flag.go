package testserver

import (
	"encoding/json"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// featureFlag is a feature flag. A reference to a flag that is gone reads as null, which
// is what deleting a flag does to the surveys that use it.
type featureFlag struct {
	object
	id, project int64
	// awaitsApproval is an edit of the flag that was asked for and waits for an approval.
	// A dump of the store does not have it.
	awaitsApproval bool
}

var flagTable = newTable(
	column{name: "name", kind: text, initial: `""`},
	column{name: "key", kind: text},
	column{name: "filters", kind: jsonObject, initial: `{}`},
	column{name: "deleted", kind: boolean, initial: "false"},
	column{name: "active", kind: boolean, initial: "true"},
	column{name: "ensure_experience_continuity", kind: boolean, initial: "false"},
)

// flagKeys are the keys of a flag as it is nested in a survey.
var flagKeys = []key[*featureFlag]{
	newKey("id", func(b []byte, _ answering, f *featureFlag) []byte { return strconv.AppendInt(b, f.id, 10) }),
	newKey("team_id", func(b []byte, _ answering, f *featureFlag) []byte { return strconv.AppendInt(b, f.project, 10) }),
	flagColumn("name"), flagColumn("key"), flagColumn("filters"), flagColumn("deleted"),
	flagColumn("active"), flagColumn("ensure_experience_continuity"),
}

func flagColumn(name string) key[*featureFlag] {
	i := flagTable.index[name]
	return newKey(name, func(b []byte, _ answering, f *featureFlag) []byte { return append(b, f.values[i]...) })
}

// appendFlag writes the flag with an id, null when there is none (any more).
func appendFlag(b []byte, a answering, id int64) []byte {
	f := a.store.flags[id]
	if f == nil {
		return append(b, "null"...)
	}
	keys := a.profile.flagKeys
	if a.asEntry {
		// What only some profiles show is among the extra members.
		keys = flagKeys
	}
	return appendObject(b, a, "FeatureFlag", keys, f, f.extra)
}

// appendFlagID writes the id of a flag, null when there is none (any more).
func appendFlagID(b []byte, a answering, id int64) []byte {
	if a.store.flags[id] == nil {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, id, 10)
}

// makeFlag stores a flag that the service makes for a survey.
func (st *store) makeFlag(project int64, name, key string, filters json.RawMessage, active bool) int64 {
	f := &featureFlag{id: st.lastFlag + 1, project: project}
	f.object = initialObject(flagTable).with(flagTable, rawjson.Fields{
		"name": rawjson.Quote(name), "key": rawjson.Quote(key), "filters": filters, "active": rawjson.Boolean(active),
	})
	st.addFlag(f)
	return f.id
}
