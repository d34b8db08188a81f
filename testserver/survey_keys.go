package testserver

import (
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// survey is a stored survey; its object has the columns of surveyTable. Flags and
// author are ids, 0 for none.
type survey struct {
	object
	place
	id      uuid.UUID
	project int64
	// name is the decoded column, which is looked up.
	name                        string
	linked, targeting, internal int64
	author                      int64
	// cleaned are the fields that read otherwise than they are stored.
	cleaned rawjson.Fields
}

func (s *survey) where() place { return s.place }

// surveyTable are the request fields of a survey that are stored as they come, in
// the order in which the service checks them, and created_at.
var surveyTable = newTable(
	column{name: "name", kind: text, required: true, notNull: true, filled: true, max: 400},
	column{name: "description", kind: text, notNull: true, initial: `""`},
	column{name: "type", kind: choice, required: true, notNull: true, known: func(s string) bool { return api.SurveyType(s).Valid() }},
	column{name: "questions", kind: jsonObjects, refusal: "Questions must be a list of objects"},
	column{name: "conditions"},
	column{name: "appearance"},
	column{name: "start_date", kind: moment},
	column{name: "end_date", kind: moment},
	column{name: "archived", kind: boolean, notNull: true, initial: "false"},
	column{name: "responses_limit", kind: integer},
	column{name: "iteration_count", kind: integer, max: 500},
	column{name: "iteration_frequency_days", kind: integer},
	column{name: "iteration_start_dates", kind: moments},
	column{name: "current_iteration", kind: integer},
	column{name: "current_iteration_start_date", kind: moment},
	column{name: "created_at", kind: moment, readOnly: true},
)

// surveyRequest are all request fields of a survey: the stored ones and those that
// do something to its flags.
var surveyRequest = func() *table {
	var columns []column
	for _, c := range surveyTable.columns {
		if columns = append(columns, c); c.name == "type" {
			columns = append(columns,
				column{name: "linked_flag_id", kind: integer, wide: true},
				column{name: "targeting_flag_id", kind: integer, wide: true, notNull: true},
				column{name: "targeting_flag_filters", kind: jsonObject, refusal: "Targeting flag filters must be an object"},
				column{name: "remove_targeting_flag", kind: boolean},
			)
		}
	}
	return newTable(columns...)
}()

// surveyKeyOrder is the order of a survey's keys on the wire.
var surveyKeyOrder = []string{
	"id", "name", "description", "type", "linked_flag", "linked_flag_id", "targeting_flag", "targeting_flag_id",
	"internal_targeting_flag", "targeting_flag_filters", "remove_targeting_flag", "questions", "conditions",
	"appearance", "created_at", "created_by", "start_date", "end_date", "archived", "responses_limit",
	"iteration_count", "iteration_frequency_days", "iteration_start_dates", "current_iteration",
	"current_iteration_start_date",
}

// surveyKeys are the keys that answers about a survey can have.
var surveyKeys = func() map[string]key[*survey] {
	keys := map[string]key[*survey]{}
	for i, c := range surveyTable.columns {
		keys[c.name] = newKey(c.name, func(b []byte, _ answering, s *survey) []byte { return append(b, s.values[i]...) })
	}
	for _, name := range []string{"targeting_flag_id", "targeting_flag_filters", "remove_targeting_flag"} {
		keys[name] = newKey(name, func(b []byte, a answering, _ *survey) []byte { return appendSent(b, a, name) })
	}
	for name, appendValue := range map[string]func([]byte, answering, *survey) []byte{
		"id":                      func(b []byte, _ answering, s *survey) []byte { return appendUUID(b, s.id) },
		"linked_flag":             func(b []byte, a answering, s *survey) []byte { return appendFlag(b, a, s.linked) },
		"linked_flag_id":          func(b []byte, a answering, s *survey) []byte { return appendFlagID(b, a, s.linked) },
		"targeting_flag":          func(b []byte, a answering, s *survey) []byte { return appendFlag(b, a, s.targeting) },
		"internal_targeting_flag": func(b []byte, a answering, s *survey) []byte { return appendFlag(b, a, s.internal) },
		"created_by":              func(b []byte, a answering, s *survey) []byte { return appendUser(b, a, s.author) },
	} {
		keys[name] = newKey(name, appendValue)
	}
	return keys
}()

// appendSent echoes a field of the request, null when it was not sent.
func appendSent(b []byte, a answering, name string) []byte {
	if value, ok := a.sent[name]; ok {
		return append(b, value...)
	}
	return append(b, "null"...)
}

// appendConditionsText writes conditions as the documented string: their JSON text,
// or the very string when a client wrote one.
func appendConditionsText(b []byte, _ answering, s *survey) []byte {
	conditions := s.values[surveyTable.index["conditions"]]
	if conditions[0] == '"' || conditions[0] == 'n' {
		return append(b, conditions...)
	}
	return rawjson.AppendQuotedJSON(b, conditions)
}

func appendUUID(b []byte, id uuid.UUID) []byte {
	b = append(b, '"')
	b = hex.AppendEncode(b, id[:4])
	for _, part := range [][]byte{id[4:6], id[6:8], id[8:10], id[10:]} {
		b = hex.AppendEncode(append(b, '-'), part)
	}
	return append(b, '"')
}

// momentText writes a time as the service does: UTC, microseconds when there are any.
func momentText(t time.Time) json.RawMessage {
	t = t.UTC().Truncate(time.Microsecond)
	if t.Nanosecond() == 0 {
		return rawjson.Quote(t.Format("2006-01-02T15:04:05Z"))
	}
	return rawjson.Quote(t.Format("2006-01-02T15:04:05.000000Z"))
}
