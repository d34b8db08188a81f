package terraform_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// drawn is a generator of JSON values as Go holds them, numbers as [json.Number].
type drawn = *rapid.Generator[any]

// fields are the known keys of an object and what their values are drawn from.
type fields map[string]drawn

// numbers are JSON numbers of every size and spelling.
var numbers = rapid.Map(rapid.OneOf(
	rapid.StringMatching(`-?(0|[1-9][0-9]{0,3})`),
	rapid.StringMatching(`-?[1-9][0-9]{15,40}`),
	rapid.StringMatching(`-?(0|[1-9][0-9]{0,4})\.[0-9]{1,20}`),
	rapid.StringMatching(`-?[1-9](\.[0-9]{1,3})?[eE][+-]?[0-9]{1,2}`),
), func(digits string) any { return json.Number(digits) })

// integers fit into the columns of the service.
func integers(most int64) drawn {
	return rapid.Map(rapid.OneOf(rapid.Int64Range(0, 12), rapid.Int64Range(0, most)),
		func(n int64) any { return json.Number(fmt.Sprint(n)) })
}

var booleans = rapid.Bool().AsAny()

// texts are strings, with those among them that are easily taken for something
// else. The service's database has no place for the null character.
var texts = rapid.OneOf(
	rapid.SampledFrom([]string{
		"", " ", "Why?", "How?", " How? ", "end", "2", "02", `"2"`, "null", "true", "{}", "[]", "1e3", "-0", "\ufeff",
		"<b>Why</b> & how", "a < b &amp; c", "e\u0301", "\u2028\u2029", "\U0001F600", "${why}", "%{if}", `\"`, "line\nline\ttab\r", "\u007f",
	}),
	rapid.Map(rapid.StringN(0, 20, -1), func(s string) string { return strings.ReplaceAll(s, "\x00", "") }),
)

// names are texts that a thing can be called by.
var names = rapid.OneOf(rapid.SampledFrom([]string{"Why?", "How?"}),
	texts.Filter(func(s string) bool { return strings.TrimSpace(s) == s && s != "" }))

// words are the values of an enumeration, and one that only a newer service has.
func words(known ...string) drawn { return rapid.SampledFrom(append(known, "newer")).AsAny() }

// unknownKeys are names that the contract does not have. Some differ from one that
// it has in capitals alone.
var unknownKeys = rapid.OneOf(
	rapid.SampledFrom([]string{"originalQuestionIndex", "brand_new", "Question", "TYPE", "responsevalues", "a.b", "ключ", "<&>"}),
	rapid.StringMatching(`[a-z_]{1,8}X`),
)

// anything is JSON of any type, nested up to a depth.
func anything(depth int) drawn {
	all := []drawn{
		rapid.Just[any](nil), booleans, numbers, texts.AsAny(), rapid.Just[any]([]any{}), rapid.Just[any](object{}),
	}
	if depth > 0 {
		all = append(all, rapid.SliceOfN(anything(depth-1), 0, 3).AsAny(), objects(depth))
	}
	return rapid.OneOf(all...)
}

// objects are JSON objects, nested up to a depth of at least 1.
func objects(depth int) drawn {
	return rapid.MapOfN(rapid.OneOf(unknownKeys, texts), anything(depth-1), 0, 3).AsAny()
}

// document draws an object in which known fields may be absent and unknown ones be
// there. Where odd is given, a known field may hold null, or what that draws.
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

// whole draws an object of all known fields and no others.
func whole(t *rapid.T, known fields) object {
	out := object{}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		out[name] = known[name].Draw(t, name)
	}
	return out
}
