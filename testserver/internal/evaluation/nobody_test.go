package evaluation

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reach"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// comparisons are operators with values that are near to each other and in several spellings.
var comparisons = []struct {
	operators string
	values    []any
}{
	{"exact exact is_not icontains not_icontains", []any{
		"a", "A", "ab", "b", "", "1", "İ", "i̇", "ΟΔΟΣ", "οδοσ", "K", "k", []any{"a"}, []any{"a", "b"}, []any{"A", "c"}, []any{"true", "a"}, []any{1, "2"}, []any{[]any{"a"}},
	}},
	{"exact exact is_not", []any{true, false, "true", "True", "false", []any{}, []any{"true"}, []any{"true", "false"}, "a", []any{"a", true}}},
	{"gt gte lt lte exact min max", []any{"1", "1.0", "1e0", "1.5", "-1", "5", 5, 1, 1.5, "five", "inf", "nan", "0x1", []any{"1", "5"}}},
	{"is_date_before is_date_after is_date_exact", []any{
		"2024-02-29", "2024-03-01", "2024-03-01T00:00:00Z", "2024-03-01T00:00:00+14:00", "2d", "48h", "49h", "1m", "2m", "28d", "30d", "60d", "1y", "12m", "365d", "-3w", "May 3, 2024",
	}},
	{"is_set is_not_set exact is_not icontains icontains_multi not_regex gt is_date_after semver_gt", []any{"a", nil, "1", "2d", "1.2.3", []any{}, []any{"a"}}},
}

// likelyFilters ask twice for one thing, so that they often contradict themselves.
func likelyFilters() *rapid.Generator[any] {
	return rapid.Custom(func(rt *rapid.T) any {
		c := rapid.SampledFrom(comparisons).Draw(rt, "comparison")
		kind := rapid.SampledFrom([]string{"person", "person", "person", "group", "cohort", "flag"}).Draw(rt, "type")
		property := func() any {
			p := map[string]any{"type": kind, "key": "k"}
			p["operator"], p["value"] = rapid.SampledFrom(strings.Fields(c.operators)).Draw(rt, "operator"), rapid.SampledFrom(c.values).Draw(rt, "value")
			switch kind {
			case "group":
				p["group_type_index"] = rapid.SampledFrom([]any{nil, 0, 1}).Draw(rt, "index")
			case "cohort":
				p["operator"], p["value"] = rapid.SampledFrom([]string{"in", "not_in"}).Draw(rt, "in"), rapid.IntRange(1, 2).Draw(rt, "cohort")
			case "flag":
				p["operator"], p["key"] = "flag_evaluates_to", rapid.SampledFrom([]string{"2", "3"}).Draw(rt, "flag")
				p["value"] = rapid.SampledFrom([]any{true, false, "x", "y"}).Draw(rt, "variant")
			}
			return p
		}

		group := map[string]any{"properties": []any{property(), property()}}
		if rollout := rapid.SampledFrom([]any{nil, nil, nil, 0, 0.5}).Draw(rt, "rollout"); rollout != nil {
			group["rollout_percentage"] = rollout
		}
		return map[string]any{"groups": []any{group}, "aggregation_group_type_index": rapid.SampledFrom([]any{nil, nil, 0, 1}).Draw(rt, "aggregation")}
	})
}

// peopleFor are people with each of the values that filters may name, with values beside
// those, and with none.
func peopleFor(more []any) []*Person {
	values := slices.Clone(more)
	for _, c := range comparisons {
		values = append(values, c.values...)
	}
	for _, value := range slices.Clone(values) {
		if list, ok := value.([]any); ok {
			values = append(values, list...)
		}
	}
	for _, value := range slices.Clone(values) {
		values = append(values, beside(value)...)
	}
	// Dates between those that filters name.
	for _, days := range []int{0, 1, 2, 3, 22, 29, 31, 45, 62, 300, 306, 364, 366, 400} {
		values = append(values, testTime.AddDate(0, 0, -days).Add(-time.Minute).Format(time.RFC3339))
	}

	people := []*Person{}
	for i, value := range values {
		has := rawjson.Fields{"k": rawjson.Encode(value)}
		groups := map[string]Group{"company": {Key: json.RawMessage(`"c"`), Properties: has}, "team": {Key: json.RawMessage(`"t"`), Properties: rawjson.Fields{}}}
		id := "person " + strconv.Itoa(i)
		people = append(people,
			&Person{DistinctID: id, Properties: has, Groups: groups, Cohorts: map[int64]bool{1: i%2 == 0}},
			&Person{DistinctID: id + "+", Groups: map[string]Group{"company": groups["team"], "team": groups["company"]}, Cohorts: map[int64]bool{1: i%3 == 0}})
	}
	return people
}

// beside are values near to one.
func beside(value any) []any {
	text, isText := value.(string)
	var near []any
	if isText {
		near = append(near, strings.ToUpper(text), strings.ToLower(text), "x"+text+"b", []any{text})
	}
	if number, err := json.Number(fmt.Sprint(value)).Float64(); err == nil && !math.IsNaN(number) && !math.IsInf(number, 0) {
		near = append(near, number, number+1, number-0.5, fmt.Sprint(number))
	}
	return append(near, fmt.Sprint(value))
}

// Of filters that the tools call impossible nobody is let in: neither somebody with the
// values that the filters name, nor somebody with others.
func TestFiltersForNobody(t *testing.T) {
	t.Parallel()
	called := 0
	rapid.Check(t, func(rt *rapid.T) {
		raw := rawjson.Encode(rapid.OneOf(likelyFilters(), likelyFilters(), likelyFilters(), anyFilters()).Draw(rt, "filters"))
		why, certain := reach.Nobody(decodedNumbers(t, raw))
		if !certain {
			return
		}

		called++
		flag := NewFlag(Definition{ID: 1, Key: "first", Active: true, Filters: raw})
		p := projectOf(flag, newFlag(t, 2, "half", `{"groups":[{"rollout_percentage":50}]}`), newFlag(t, 3, "parted",
			`{"groups":[{"rollout_percentage":90}],"multivariate":{"variants":[{"key":"x","rollout_percentage":50},{"key":"y","rollout_percentage":50}]}}`))
		p.GroupTypes = []string{"company", "team"}
		p.Cohorts = map[int64]*Cohort{1: NewCohort(1, true, nil), 2: NewCohort(2, false, json.RawMessage(`{"properties":{"type":"AND","values":[{"type":"person","key":"k","operator":"is_set"}]}}`))}
		for _, person := range peopleFor(rapid.SliceOfN(anyValue(1), 0, 3).Draw(rt, "values")) {
			if r := p.Evaluate(flag, person, testTime); r.Enabled {
				rt.Fatalf("%s: nobody, since %s; and %s is let in: %s", raw, why, rawjson.Encode(person), said(r))
			}
		}
	})
	require.Positive(t, called, "every filter that was drawn matches somebody")
}

// decodedNumbers decodes JSON as the tools do, with numbers as they are written.
func decodedNumbers(t testing.TB, raw json.RawMessage) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	var value any
	require.NoError(t, decoder.Decode(&value))
	return value
}
