package evaluation

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// testTime is the time at which tests evaluate.
var testTime = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// newFlag is an active flag with some filters.
func newFlag(t testing.TB, id int64, key, filters string) *Flag {
	t.Helper()
	return NewFlag(Definition{ID: id, Key: key, Active: true, Filters: compact(t, filters)})
}

// asking is a flag with one condition for everybody who has some properties.
func asking(t testing.TB, properties string) *Flag {
	t.Helper()
	return newFlag(t, 1, "asking", `{"groups":[{"rollout_percentage":100,"properties":`+properties+`}]}`)
}

func compact(t testing.TB, text string) json.RawMessage {
	t.Helper()
	raw, err := rawjson.Compact([]byte(text))
	require.NoError(t, err, text)
	return raw
}

// somebody has some properties, given as an object.
func somebody(t testing.TB, properties string) *Person {
	t.Helper()
	return &Person{DistinctID: "user-123", Properties: rawjson.Members(compact(t, properties))}
}

// projectOf has some flags.
func projectOf(flags ...*Flag) *Project {
	p := &Project{Flags: map[int64]*Flag{}, Cohorts: map[int64]*Cohort{}}
	for _, flag := range flags {
		p.Flags[flag.ID] = flag
	}
	return p
}

// evaluate decides about a flag of a project of its own.
func evaluate(flag *Flag, person *Person) Result {
	return projectOf(flag).Evaluate(flag, person, testTime)
}

// said is a result in one line: its value and its reason.
func said(r Result) string {
	text := "off"
	switch {
	case r.Variant != nil:
		text = *r.Variant
	case r.Enabled:
		text = "on"
	}
	return text + " " + string(r.Reason.Code)
}

func TestEvaluateAll(t *testing.T) {
	t.Parallel()
	first := newFlag(t, 1, "first", `{"groups":[{"rollout_percentage":100}]}`)
	second := newFlag(t, 2, "second", `{"groups":[{"properties":[{"key":"1","type":"flag","operator":"flag_evaluates_to","value":true}]}]}`)
	p := projectOf(first, second)

	var lines []string
	for flag, r := range p.EvaluateAll(slices.Values([]*Flag{second, first}), somebody(t, `{}`), testTime) {
		lines = append(lines, flag.Key+" "+said(r))
	}
	require.Equal(t, []string{"second on condition_match", "first on condition_match"}, lines)
}

func TestValueOf(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`"a\u00e9"`: "aé", `1`: "1", `-0`: "-0.0", `1.50`: "1.5", `1.0`: "1.0", `1e3`: "1000.0", `1e15`: "1000000000000000.0",
		`1e16`: "1e16", `1.25e20`: "1.25e20", `1e-5`: "0.00001", `1e-6`: "1e-6", `0.1`: "0.1", `18446744073709551615`: "18446744073709551615",
		`18446744073709551616`: "1.8446744073709552e19", `true`: "true", `null`: "null",
		`["a\"\n\u0001/",1.0]`: `["a\"\n\u0001/",1.0]`, `{"b":1,"a":[null]}`: `{"a":[null],"b":1}`,
	} {
		require.Equal(t, want, valueOf(compact(t, raw)).text, raw)
	}
}

func TestLower(t *testing.T) {
	t.Parallel()
	require.Equal(t, "i̇stanbul οδος σαν", lower("İstanbul ΟΔΟΣ ΣΑΝ"))
	require.Equal(t, "Éa", lowerASCII("ÉA"))
}

// Each code has the words of the service.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	descriptions := map[Code]string{}
	for _, code := range []Code{Disabled, MissingDependency, EarlyAccess, Holdout, ConditionMatch, NoMatch, OutOfRollout, NoGroup, Inconclusive} {
		descriptions[code] = Reason{Code: code, Condition: -1}.Description()
	}
	require.Len(t, slices.Compact(slices.Sorted(maps.Values(descriptions))), 9)
	require.Equal(t, "Matched condition set 3", Reason{Code: ConditionMatch, Condition: 2}.Description())
	require.Contains(t, Reason{Code: NoMatch, skipsGroups: true}.Description(), "no group type was provided")
}
