package testserver

import (
	"encoding/json"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// appendLogEntry encodes the entry for the feed, up to its last keys.
func appendLogEntry(b []byte, e store.LogEntry, st *store.Store) []byte {
	b = append(b, `{"id":`...)
	b = append(appendUUID(b, e.ID), `,"user":`...)
	switch u := st.Users.Get(e.Author); {
	case e.Author == 0:
		b = append(b, `{"first_name":"System","email":null,"is_system":true}`...)
	case u == nil:
		b = append(b, `{"first_name":"","email":""}`...)
	default:
		b = append(append(b, `{"first_name":`...), u.Values[store.UserTable.Index["first_name"]]...)
		b = append(append(b, `,"email":`...), u.Values[store.UserTable.Index["email"]]...)
		b = append(b, '}')
	}
	b = append(b, `,"activity":"`+e.Activity+`","scope":"Survey","item_id":`...)
	b = append(appendUUID(b, e.Item), `,"detail":{"changes":`...)
	b = append(append(b, e.Changes...), `,"trigger":null,"name":`...)
	b = append(rawjson.AppendQuoted(b, e.Name), `,"short_id":null,"type":null},"created_at":`...)
	return append(b, field.TimestampText(e.At)...)
}

// change is the change of one field. Without before it was set, without after it was
// removed.
type change struct {
	field         string
	before, after json.RawMessage
}

// changesJSON writes changes as the log keeps them.
func changesJSON(changes []change) json.RawMessage {
	if changes == nil {
		return json.RawMessage("null")
	}

	return rawjson.AppendArray(nil, slices.All(changes), func(b []byte, c change) []byte {
		action := "changed"
		switch {
		case c.before == nil:
			action = "created"
		case c.after == nil:
			action = "deleted"
		}

		b = append(b, `{"type":"Survey","action":"`+action+`","field":`...)
		b = append(rawjson.AppendQuoted(b, c.field), `,"before":`...)
		b = append(appendOrNull(b, c.before), `,"after":`...)
		return append(appendOrNull(b, c.after), '}')
	})
}

func appendOrNull(b []byte, raw json.RawMessage) []byte {
	if raw == nil {
		return append(b, "null"...)
	}
	return append(b, raw...)
}
