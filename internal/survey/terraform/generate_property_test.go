package terraform_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// surveyID is the ID of drawn surveys.
const surveyID = "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d"

// surveys draws surveys as PostHog may return them: questions and branching of every kind, known keys with null or a
// value of another type, and undocumented keys and kinds on every level. Configurable surveys contain only values
// that a configuration can express: objects where objects are required, and questions with a type and a text.
func surveys(configurable bool) *rapid.Generator[object] {
	free, odd := objects(3), drawn(nil)
	shown, starts := []drawn{free, conditions}, []drawn{moments}
	if !configurable {
		free, odd = anything(3), rapid.Just[any](nil)
		shown, starts = append(shown, free, rapid.Map(conditions, jsonText)), append(starts, odd)
	}

	needed := fields{"id": rapid.Just[any](surveyID), "name": names.AsAny(), "type": words("popover", "widget", "external_survey", "api")}

	optional := fields{
		"description": texts.AsAny(), "schedule": words("once", "recurring", "always"), "questions": lists(configurable),
		"conditions": rapid.OneOf(shown...), "appearance": free, "translations": free, "form_content": free,
		"start_date": moments, "end_date": moments, "archived": booleans, "responses_limit": integers(2147483647),
		"iteration_count": integers(500), "iteration_frequency_days": integers(365),
		"iteration_start_dates": rapid.SliceOfN(rapid.OneOf(starts...), 0, 3).AsAny(), "current_iteration": integers(500), "current_iteration_start_date": moments,
		"response_sampling_start_date": moments, "response_sampling_interval_type": rapid.SampledFrom([]any{"day", "week", "month"}),
		"response_sampling_interval": integers(12), "response_sampling_limit": integers(2147483647),
		"enable_partial_responses": booleans, "enable_iframe_embedding": booleans, "base_language": words("en", "pt-br"),
		"linked_flag": flagsOf(1, "linked"), "targeting_flag": flagsOf(2, "survey-targeting-0123456789", "of somebody"),
		"internal_targeting_flag": flagsOf(3, "survey-targeting-0123456789-custom"),
	}

	return rapid.Custom(func(t *rapid.T) object {
		out := document(t, optional, odd)
		maps.Copy(out, whole(t, needed))
		return out
	})
}

// conditions draws conditions that link actions or name a variant of the linked flag, and similar ones that don't.
var conditions = rapid.Custom(func(t *rapid.T) object {
	actions := rapid.SampledFrom([]any{
		nil, object{}, object{"values": nil}, object{"values": []any{}}, object{"values": []any{object{"id": 7, "name": "seen"}}},
	})
	return document(t, fields{
		"actions": actions, "linkedFlagVariant": rapid.SampledFrom([]any{nil, "any", "control"}),
		"selector": rapid.SampledFrom([]any{"actions", `"actions"`}), "events": rapid.SampledFrom([]any{object{"actions": 1}}),
	}, nil)
}).AsAny()

// jsonText returns an object as JSON text, which the API document specifies for conditions.
func jsonText(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // drawn values can always be encoded
	}
	return string(raw)
}

// moments are dates and times in formats that PostHog returns.
var moments = rapid.SampledFrom([]string{
	"2026-01-01T10:00:00Z", "2026-01-01T10:00:00.123456Z", "2026-01-01T10:00:00.000000Z", "2026-02-01T10:00:00+02:00", "2026-03-01T10:00:00",
}).AsAny()

// flagsOf draws feature flags with an ID and one of the keys.
func flagsOf(id int64, keys ...string) drawn {
	return rapid.Custom(func(t *rapid.T) object {
		flag := document(t, fields{
			"name": texts.AsAny(), "filters": objects(2), "deleted": rapid.Just[any](false), "active": booleans,
			"ensure_experience_continuity": booleans,
		}, nil)
		flag["id"], flag["key"] = json.Number(fmt.Sprint(id)), rapid.SampledFrom(keys).Draw(t, "key")
		return flag
	}).AsAny()
}

// lists draws a survey's questions. Most have a unique ID.
func lists(configurable bool) drawn {
	noText := anything(1).Filter(func(v any) bool { _, isText := v.(string); return !isText })
	return rapid.Custom(func(t *rapid.T) []any {
		out := []any{}
		for i := range rapid.IntRange(0, 4).Draw(t, "number of questions") {
			q := questions(configurable).Draw(t, "question")
			switch how := rapid.IntRange(0, 5).Draw(t, "id?"); how {
			case 0:
			case 1:
				q["id"] = noText.Draw(t, "odd id")
			default:
				q["id"] = fmt.Sprintf("question %d", i)
			}
			out = append(out, q)
		}
		return out
	}).AsAny()
}

func questions(configurable bool) *rapid.Generator[object] {
	needed := fields{"type": words("open", "link", "rating", "single_choice", "multiple_choice", "grid"), "question": names.AsAny()}
	optional := fields{
		"description": texts.AsAny(), "descriptionContentType": words("text", "html"), "optional": booleans,
		"buttonText": texts.AsAny(), "branching": branchings, "link": words("https://example.com/?a=1&b=2", "mailto:a@example.com"),
		"display": words("number", "emoji"), "scale": rapid.OneOf(integers(12), numbers),
		"lowerBoundLabel": texts.AsAny(), "upperBoundLabel": texts.AsAny(), "choices": rapid.SliceOfN(texts, 0, 4).AsAny(),
		"shuffleOptions": booleans, "hasOpenChoice": booleans, "isNpsQuestion": booleans, "skipSubmitButton": booleans,
		"validation": rapid.SliceOfN(validationRules, 0, 3).AsAny(), "translations": rapid.OneOf(objects(2), anything(0)),
	}
	return rapid.Custom(func(t *rapid.T) object {
		out := document(t, optional, anything(2))
		if configurable {
			maps.Copy(out, whole(t, needed))
		} else {
			maps.Copy(out, document(t, needed, anything(1)))
		}
		return out
	})
}

// branchings draws branching of all types, valid or not.
var branchings = rapid.Custom(func(t *rapid.T) object {
	responses := rapid.OneOf(texts, rapid.SampledFrom([]string{"0", "1", "negative", "neutral", "positive", "detractors", "promoters"}))
	targets := rapid.OneOf(integers(4), rapid.Just[any]("end"), anything(1))
	out := document(t, fields{
		"index": rapid.OneOf(integers(4), numbers), "responseValues": rapid.MapOfN(responses, targets, 0, 4).AsAny(),
	}, anything(1))
	if rapid.IntRange(0, 9).Draw(t, "type?") > 0 {
		out["type"] = words("next_question", "end", "response_based", "specific_question").Draw(t, "type")
	}
	return out
}).AsAny()

var validationRules = rapid.Custom(func(t *rapid.T) object {
	return document(t, fields{"type": words("min_length", "max_length", "email"), "value": integers(4)}, anything(1))
}).AsAny()

// drawn is a generator of JSON values as Go represents them, with numbers as [json.Number].
type drawn = *rapid.Generator[any]

// fields are the known keys of an object with the generators of their values.
type fields map[string]drawn

// numbers are JSON numbers of every size and notation.
var numbers = rapid.Map(rapid.OneOf(
	rapid.StringMatching(`-?(0|[1-9][0-9]{0,3})`),
	rapid.StringMatching(`-?[1-9][0-9]{15,40}`),
	rapid.StringMatching(`-?(0|[1-9][0-9]{0,4})\.[0-9]{1,20}`),
	rapid.StringMatching(`-?[1-9](\.[0-9]{1,3})?[eE][+-]?[0-9]{1,2}`),
), func(digits string) any { return json.Number(digits) })

// integers fit into PostHog's database columns.
func integers(most int64) drawn {
	return rapid.Map(rapid.OneOf(rapid.Int64Range(0, 12), rapid.Int64Range(0, most)),
		func(n int64) any { return json.Number(fmt.Sprint(n)) })
}

var booleans = rapid.Bool().AsAny()

// texts are strings, including those that are easily mistaken for another type. PostHog's database can't store the
// null character.
var texts = rapid.OneOf(
	rapid.SampledFrom([]string{
		"", " ", "Why?", "How?", " How? ", "end", "2", "02", `"2"`, "null", "true", "{}", "[]", "1e3", "-0", "\ufeff",
		"<b>Why</b> & how", "a < b &amp; c", "e\u0301", "\u2028\u2029", "\U0001F600", "${why}", "%{if}", `\"`, "line\nline\ttab\r", "\u007f",
	}),
	rapid.Map(rapid.StringN(0, 20, -1), func(s string) string { return strings.ReplaceAll(s, "\x00", "") }),
)

// names are texts that can be names.
var names = rapid.OneOf(rapid.SampledFrom([]string{"Why?", "How?"}),
	texts.Filter(func(s string) bool { return strings.TrimSpace(s) == s && s != "" }))

// words are an enumeration's values, and one that only a newer PostHog has.
func words(known ...string) drawn { return rapid.SampledFrom(append(known, "newer")).AsAny() }

// unknownKeys are names that the contract lacks. Some differ from a known one only in case.
var unknownKeys = rapid.OneOf(
	rapid.SampledFrom([]string{"originalQuestionIndex", "brand_new", "Question", "TYPE", "responsevalues", "a.b", "ключ", "<&>"}),
	rapid.StringMatching(`[a-z_]{1,8}X`),
)

// anything draws JSON of any type, nested up to a depth.
func anything(depth int) drawn {
	all := []drawn{
		rapid.Just[any](nil), booleans, numbers, texts.AsAny(), rapid.Just[any]([]any{}), rapid.Just[any](object{}),
	}
	if depth > 0 {
		all = append(all, rapid.SliceOfN(anything(depth-1), 0, 3).AsAny(), objects(depth))
	}
	return rapid.OneOf(all...)
}

// objects draws JSON objects, nested up to a depth of at least 1.
func objects(depth int) drawn {
	return rapid.MapOfN(rapid.OneOf(unknownKeys, texts), anything(depth-1), 0, 3).AsAny()
}

// document draws an object in which known fields may be absent and unknown ones present. If odd is set, a known field
// may be null or a value from odd.
func document(t *rapid.T, known fields, odd drawn) object {
	out := object{}
	if rapid.IntRange(0, 3).Draw(t, "unknown keys?") == 0 {
		maps.Copy(out, rapid.MapOfN(unknownKeys, anything(2), 0, 2).Draw(t, "unknown keys"))
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		switch how := rapid.IntRange(0, 9).Draw(t, name+"?"); {
		case how < 3:
		case how == 3 && odd != nil:
			out[name] = odd.Draw(t, "odd "+name)
		case how == 4 && odd != nil:
			out[name] = nil
		default:
			out[name] = known[name].Draw(t, name)
		}
	}
	return out
}

// whole draws an object with exactly the known fields.
func whole(t *rapid.T, known fields) object {
	out := object{}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		out[name] = known[name].Draw(t, name)
	}
	return out
}
