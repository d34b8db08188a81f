package testserver

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

// hostedColumns are the fields of a survey that only the hosted service stores. A
// survey has them among its extra members, so that a fixtures document means the same
// to every profile; an absent one reads as its initial value.
var hostedColumns = field.NewTable(
	field.Column{Name: "schedule", Kind: field.Text, Initial: `"once"`},
	field.Column{Name: "linked_insight_id", Kind: field.Integer},
	field.Column{Name: "response_sampling_start_date", Kind: field.Timestamp},
	field.Column{Name: "response_sampling_interval_type", Kind: field.Text, Initial: `"week"`},
	field.Column{Name: "response_sampling_interval", Kind: field.Integer},
	field.Column{Name: "response_sampling_limit", Kind: field.Integer},
	field.Column{Name: "response_sampling_daily_limits"},
	field.Column{Name: "enable_partial_responses", Kind: field.Boolean, Initial: "false"},
	field.Column{Name: "enable_iframe_embedding", Kind: field.Boolean, NotNull: true, Initial: "false"},
	field.Column{Name: "base_language", Kind: field.Text, NotNull: true, Initial: `"en"`},
	field.Column{Name: "translations", Kind: field.Object},
	field.Column{Name: "form_content"},
)

// Members that the hosted profile stores with a survey and never shows: the flag by
// which the service samples answers, whether the links to actions were cleared while
// conditions still name them, and whether the conditions break each answer that the
// survey is in.
const (
	samplingFlagMember   = "internal_response_sampling_flag_id"
	actionsClearedMember = "actions_cleared"
	unreadableMember     = "unreadable"
)

// hostedValue is a stored field of a survey, its initial value when it is not there.
func (s *survey) hostedValue(name string) json.RawMessage {
	if i, ok := surveyTable.Index[name]; ok {
		return s.values[i]
	}
	if value := s.member(name); value != nil {
		return value
	}
	return hostedColumns.Columns[hostedColumns.Index[name]].InitialValue()
}

// hostedBoth are the keys that every hosted answer about a survey has, in order.
var hostedBoth = []string{
	"id", "name", "description", "type", "schedule", "linked_flag", "targeting_flag", "internal_targeting_flag",
	"questions", "conditions", "appearance", "created_at", "created_by", "start_date", "end_date", "archived",
	"responses_limit", "iteration_count", "iteration_frequency_days", "iteration_start_dates", "current_iteration",
	"current_iteration_start_date", "response_sampling_start_date", "response_sampling_interval_type",
	"response_sampling_interval", "response_sampling_limit", "response_sampling_daily_limits",
	"enable_partial_responses", "enable_iframe_embedding", "base_language", "translations", "form_content",
}

// hostedSurveyKeys are the keys of answers to reading and to writing: list and
// retrieve have four keys that create and update do not have, and what a client can
// only write is in none.
func hostedSurveyKeys() (read, write []key[*survey]) {
	for _, name := range hostedBoth {
		k := hostedKey(name)
		read, write = append(read, readingKey(name, k)), append(write, k)
		switch name {
		case "linked_flag":
			read = append(read, surveyKeys["linked_flag_id"], hostedKey("linked_insight_id"))
		case "responses_limit":
			read = append(read, newKey("feature_flag_keys", appendFlagKeys))
		case "translations":
			read = append(read, newKey("user_access_level", func(b []byte, _ answering, _ *survey) []byte {
				return append(b, `"manager"`...)
			}))
		}
	}
	return read, write
}

// readingKey is the key of an answer to reading, where texts are cleaned once more.
func readingKey(name string, stored key[*survey]) key[*survey] {
	switch name {
	case "questions", "appearance", "translations":
	default:
		return stored
	}
	return newKey(name, func(b []byte, a answering, s *survey) []byte {
		if value, ok := s.cleaned[name]; ok {
			return append(b, value...)
		}
		return stored.append(b, a, s)
	})
}

// hostedKey is a key that shows a field as it is stored, or as it was just sent: only
// what has been to the database has the database's order.
func hostedKey(name string) key[*survey] {
	column := surveyTable.Has(name)
	hostedColumn := hostedColumns.Has(name)
	switch {
	case name == "conditions":
		return newKey(name, appendConditions)
	case !column && !hostedColumn:
		return surveyKeys[name]
	}
	return newKey(name, func(b []byte, a answering, s *survey) []byte {
		if value, ok := a.sent[name]; ok {
			return append(b, value...)
		}
		return append(b, s.hostedValue(name)...)
	})
}

// appendFlagKeys writes the keys of the four flags that a survey can have.
func appendFlagKeys(b []byte, a answering, s *survey) []byte {
	b = append(b, '[')
	for i, f := range []struct {
		name string
		id   int64
	}{
		{"linked_flag_key", s.linked}, {"targeting_flag_key", s.targeting},
		{"internal_targeting_flag_key", s.internal}, {"internal_response_sampling_flag_key", s.samplingFlag()},
	} {
		if i > 0 {
			b = append(b, ',')
		}

		b = append(append(b, `{"key":"`...), f.name...)
		b = append(b, `","value":`...)
		if flag := a.store.flags[f.id]; flag == nil {
			b = append(b, "null"...)
		} else {
			b = append(b, flag.values[flagTable.Index["key"]]...)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

// ownFlags are the ids of the flags that belong to a survey, 0 for one that it lacks: the
// linked flag does not.
func (s *survey) ownFlags() []int64 { return []int64{s.targeting, s.internal, s.samplingFlag()} }

// samplingFlag is the id of the flag that samples answers, 0 for none.
func (s *survey) samplingFlag() int64 {
	id, err := strconv.ParseInt(string(s.member(samplingFlagMember)), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// hostedFlagKeys are the keys of a flag nested in a survey, with those that came later.
var hostedFlagKeys = append(slices.Clone(flagKeys),
	hostedFlagKey("version", "1"), hostedFlagKey("evaluation_runtime", `"all"`),
	hostedFlagKey("evaluation_contexts", "[]"), hostedFlagKey("bucketing_identifier", `"distinct_id"`),
)

func hostedFlagKey(name, initial string) key[*featureFlag] {
	return newKey(name, func(b []byte, _ answering, f *featureFlag) []byte {
		if value := f.member(name); value != nil {
			return append(b, value...)
		}
		return append(b, initial...)
	})
}

// hostedUserKeys are the keys of the user in created_by.
var hostedUserKeys = append(slices.Clone(userKeys), newKey("role_at_organization", func(b []byte, _ answering, u *user) []byte {
	if value := u.member("role_at_organization"); value != nil {
		return append(b, value...)
	}
	return append(b, "null"...)
}))
