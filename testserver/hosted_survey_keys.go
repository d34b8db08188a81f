package testserver

import (
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// hostedBoth are the keys that every hosted response about a survey has, in order.
var hostedBoth = []string{
	"id", "name", "description", "type", "schedule", "linked_flag", "targeting_flag", "internal_targeting_flag",
	"questions", "conditions", "appearance", "created_at", "created_by", "start_date", "end_date", "archived",
	"responses_limit", "iteration_count", "iteration_frequency_days", "iteration_start_dates", "current_iteration",
	"current_iteration_start_date", "response_sampling_start_date", "response_sampling_interval_type",
	"response_sampling_interval", "response_sampling_limit", "response_sampling_daily_limits",
	"enable_partial_responses", "enable_iframe_embedding", "base_language", "translations", "form_content",
}

// hostedSurveyKeys are the keys of responses to reading and to writing: list and
// retrieve have four keys that create and update do not have, and what a client can
// only write is in none.
func hostedSurveyKeys() (read, write []key[*store.Survey]) {
	for _, name := range hostedBoth {
		k := hostedKey(name)
		read, write = append(read, readingKey(name, k)), append(write, k)
		switch name {
		case "linked_flag":
			read = append(read, surveyKeys["linked_flag_id"], hostedKey("linked_insight_id"))
		case "responses_limit":
			read = append(read, newKey("feature_flag_keys", appendFlagKeys))
		case "translations":
			read = append(read, newKey("user_access_level", func(b []byte, _ encoding, _ *store.Survey) []byte {
				return append(b, `"manager"`...)
			}))
		}
	}
	return read, write
}

// readingKey is the key of a response to reading, where texts are cleaned once more.
func readingKey(name string, stored key[*store.Survey]) key[*store.Survey] {
	switch name {
	case "questions", "appearance", "translations":
	default:
		return stored
	}
	return newKey(name, func(b []byte, a encoding, s *store.Survey) []byte {
		if value, ok := s.Cleaned[name]; ok {
			return append(b, value...)
		}
		return stored.append(b, a, s)
	})
}

// hostedKey is a key that shows a field as it is stored, or as it was just sent: only
// what has been to the database has the database's order.
func hostedKey(name string) key[*store.Survey] {
	column := store.SurveyTable.Has(name)
	hostedColumn := store.HostedColumns.Has(name)
	switch {
	case name == "conditions":
		return newKey(name, appendConditions)
	case !column && !hostedColumn:
		return surveyKeys[name]
	}
	return newKey(name, func(b []byte, a encoding, s *store.Survey) []byte {
		if value, ok := a.sent[name]; ok {
			return append(b, value...)
		}
		return append(b, s.HostedValue(name)...)
	})
}

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
	return rawjson.AppendArray(b, slices.All(flags), func(b []byte, f named) []byte {
		b = append(append(b, `{"key":"`...), f.name...)
		b = append(b, `","value":`...)
		if flag := a.store.Flags.Get(f.id); flag == nil {
			b = append(b, "null"...)
		} else {
			b = append(b, flag.Values[store.FlagTable.Index["key"]]...)
		}
		return append(b, '}')
	})
}

// hostedFlagKeys are the keys of a flag nested in a survey, with those that came later.
var hostedFlagKeys = append(slices.Clone(flagKeys),
	hostedFlagKey("version", "1"), hostedFlagKey("evaluation_runtime", `"all"`),
	hostedFlagKey("evaluation_contexts", "[]"), hostedFlagKey("bucketing_identifier", `"distinct_id"`),
)

func hostedFlagKey(name, initial string) key[*store.Flag] {
	return newKey(name, func(b []byte, _ encoding, f *store.Flag) []byte {
		if value := f.Member(name); value != nil {
			return append(b, value...)
		}
		return append(b, initial...)
	})
}

// hostedUserKeys are the keys of the user in created_by.
var hostedUserKeys = append(slices.Clone(userKeys), newKey("role_at_organization", func(b []byte, _ encoding, u *store.User) []byte {
	if value := u.Member("role_at_organization"); value != nil {
		return append(b, value...)
	}
	return append(b, "null"...)
}))
