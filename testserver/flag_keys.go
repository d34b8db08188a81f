package testserver

import (
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// flagKeys are the keys of a flag as it is nested in a survey.
var flagKeys = []key[*store.Flag]{
	newKey("id", func(b []byte, _ encoding, f *store.Flag) []byte { return strconv.AppendInt(b, f.ID, 10) }),
	newKey("team_id", func(b []byte, _ encoding, f *store.Flag) []byte { return strconv.AppendInt(b, f.Project, 10) }),
	flagColumn("name"), flagColumn("key"), flagColumn("filters"), flagColumn("deleted"),
	flagColumn("active"), flagColumn("ensure_experience_continuity"),
}

func flagColumn(name string) key[*store.Flag] {
	i := store.FlagTable.Index[name]
	return newKey(name, func(b []byte, _ encoding, f *store.Flag) []byte { return append(b, f.Values[i]...) })
}

// appendFlag writes the flag with an id, or null when it does not exist.
func appendFlag(b []byte, a encoding, id int64) []byte {
	f := a.store.Flags.Get(id)
	if f == nil {
		return append(b, "null"...)
	}
	keys := a.profile.traits().flagKeys
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
