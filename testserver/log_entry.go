package testserver

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// logEntry is an entry in the activity log of a project's surveys. It outlives the survey.
type logEntry struct {
	id uuid.UUID
	// author is the user, 0 for the service itself.
	author   int64
	activity string
	item     uuid.UUID
	// name is the name of the survey at that time.
	name string
	// changes is a JSON array; null where nothing was changed.
	changes json.RawMessage
	at      time.Time
}

// append encodes the entry for the feed.
func (e logEntry) append(b []byte, st *store) []byte {
	b = append(b, `{"id":`...)
	b = append(appendUUID(b, e.id), `,"user":`...)
	switch u := st.users[e.author]; {
	case e.author == 0:
		b = append(b, `{"first_name":"System","email":null,"is_system":true}`...)
	case u == nil:
		b = append(b, `{"first_name":"","email":""}`...)
	default:
		b = append(append(b, `{"first_name":`...), u.values[userTable.Index["first_name"]]...)
		b = append(append(b, `,"email":`...), u.values[userTable.Index["email"]]...)
		b = append(b, '}')
	}
	b = append(b, `,"activity":"`+e.activity+`","scope":"Survey","item_id":`...)
	b = append(appendUUID(b, e.item), `,"detail":{"changes":`...)
	b = append(append(b, e.changes...), `,"trigger":null,"name":`...)
	b = append(rawjson.AppendQuoted(b, e.name), `,"short_id":null,"type":null},"created_at":`...)
	b = append(b, field.TimestampText(e.at)...)
	return append(b, '}')
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

	b := []byte{'['}
	for i, c := range changes {
		if i > 0 {
			b = append(b, ',')
		}

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
		b = append(appendOrNull(b, c.after), '}')
	}
	return append(b, ']')
}

func appendOrNull(b []byte, raw json.RawMessage) []byte {
	if raw == nil {
		return append(b, "null"...)
	}
	return append(b, raw...)
}
