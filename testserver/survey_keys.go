package testserver

import (
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// surveyKeyOrder is the order of a survey's keys on the wire.
var surveyKeyOrder = []string{
	"id", "name", "description", "type", "linked_flag", "linked_flag_id", "targeting_flag", "targeting_flag_id",
	"internal_targeting_flag", "targeting_flag_filters", "remove_targeting_flag", "questions", "conditions",
	"appearance", "created_at", "created_by", "start_date", "end_date", "archived", "responses_limit",
	"iteration_count", "iteration_frequency_days", "iteration_start_dates", "current_iteration",
	"current_iteration_start_date",
}

// surveyKeys are the keys that responses about a survey can have.
var surveyKeys = func() map[string]key[*store.Survey] {
	keys := map[string]key[*store.Survey]{}
	for i, c := range store.SurveyTable.Columns {
		keys[c.Name] = newKey(c.Name, func(b []byte, _ encoding, s *store.Survey) []byte { return append(b, s.Values[i]...) })
	}
	for _, name := range []string{"targeting_flag_id", "targeting_flag_filters", "remove_targeting_flag"} {
		keys[name] = newKey(name, func(b []byte, a encoding, _ *store.Survey) []byte { return appendSent(b, a, name) })
	}
	for name, appendValue := range map[string]func([]byte, encoding, *store.Survey) []byte{
		"id":                      func(b []byte, _ encoding, s *store.Survey) []byte { return appendUUID(b, s.ID) },
		"linked_flag":             func(b []byte, a encoding, s *store.Survey) []byte { return appendFlag(b, a, s.Linked) },
		"linked_flag_id":          func(b []byte, a encoding, s *store.Survey) []byte { return appendFlagID(b, a, s.Linked) },
		"targeting_flag":          func(b []byte, a encoding, s *store.Survey) []byte { return appendFlag(b, a, s.Targeting) },
		"internal_targeting_flag": func(b []byte, a encoding, s *store.Survey) []byte { return appendFlag(b, a, s.Internal) },
		"created_by":              func(b []byte, a encoding, s *store.Survey) []byte { return appendUser(b, a, s.Author) },
	} {
		keys[name] = newKey(name, appendValue)
	}
	return keys
}()

// appendSent echoes a field of the request, null when it was not sent.
func appendSent(b []byte, a encoding, name string) []byte {
	if value, ok := a.sent[name]; ok {
		return append(b, value...)
	}
	return append(b, "null"...)
}

// appendConditionsText writes conditions as the documented string: their JSON text, or the
// string that a client wrote.
func appendConditionsText(b []byte, _ encoding, s *store.Survey) []byte {
	conditions := s.Values[store.ConditionsColumn]
	if conditions[0] == '"' || conditions[0] == 'n' {
		return append(b, conditions...)
	}
	return rawjson.AppendQuotedJSON(b, conditions)
}
