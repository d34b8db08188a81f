package audience

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// anyValue draws a JSON value of any form, and often one that has a meaning in filters.
func anyValue(depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.Int64().AsAny(), rapid.Float64Range(-1e300, 1e300).AsAny(), rapid.String().AsAny(),
		rapid.SampledFrom([]any{
			"", "true", "1", "-0", "inf", "7d", "99999999999999999999d", "2024-02-29", "0000-00-00", "1.2.3", "1.*", "x.x.x", "v", "-", "+",
			"(", "[^]]", `\`, `\U00110000`, "(?P<a", "(?P=a", "(a+)+$", "(?!", "İΣ", 0.1, 1e-300, 100,
		}).AsAny(),
	}
	if depth > 0 {
		leaves = append(leaves, rapid.SliceOfN(anyValue(depth-1), 0, 3).AsAny(), rapid.MapOfN(rapid.String(), anyValue(depth-1), 0, 3).AsAny())
	}
	return rapid.OneOf(leaves...)
}

// oneOf draws one of the likely values, and occasionally any other.
func oneOf(likely *rapid.Generator[any]) *rapid.Generator[any] {
	return rapid.Custom(func(rt *rapid.T) any {
		if rapid.IntRange(0, 9).Draw(rt, "sane") > 0 {
			return likely.Draw(rt, "likely")
		}
		return anyValue(2).Draw(rt, "any")
	})
}

func anyObject(members map[string]*rapid.Generator[any]) *rapid.Generator[any] {
	return rapid.Custom(func(rt *rapid.T) any {
		object := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if rapid.IntRange(0, 4).Draw(rt, "has "+name) > 0 {
				object[name] = oneOf(members[name]).Draw(rt, name)
			}
		}
		return object
	})
}

func anyList(items *rapid.Generator[any]) *rapid.Generator[any] {
	return rapid.SliceOfN(oneOf(items), 0, 3).AsAny()
}

// anyFilters draws filters in which any part may be wrong.
func anyFilters() *rapid.Generator[any] {
	index, share := rapid.IntRange(-1, 3).AsAny(), rapid.Float64Range(-1, 101).AsAny()
	names := append(slices.Sorted(maps.Keys(operators)), "min", "rhymes_with")
	property := anyObject(map[string]*rapid.Generator[any]{
		"key": rapid.SampledFrom([]string{"k", "distinct_id", "$initial_browser", "1", "2", "id", "$group_key"}).AsAny(), "value": anyValue(2),
		"type":     rapid.SampledFrom([]string{"person", "group", "cohort", "flag", "event"}).AsAny(),
		"operator": rapid.SampledFrom(names).AsAny(), "group_type_index": index,
	})
	group := anyObject(map[string]*rapid.Generator[any]{
		"properties": anyList(property), "rollout_percentage": share, "variant": rapid.SampledFrom([]string{"", "a", "b"}).AsAny(),
		"aggregation_group_type_index": index,
	})
	variant := anyObject(map[string]*rapid.Generator[any]{"key": rapid.SampledFrom([]string{"", "a", "b"}).AsAny(), "rollout_percentage": share})
	return anyObject(map[string]*rapid.Generator[any]{
		"groups": anyList(group), "super_groups": anyList(group), "feature_enrollment": rapid.Bool().AsAny(), "early_exit": rapid.Bool().AsAny(),
		"multivariate": anyObject(map[string]*rapid.Generator[any]{"variants": anyList(variant)}), "aggregation_group_type_index": index,
	})
}

// For any filters, evaluation ends and is deterministic. An enabled flag has a reason that says so, and a disabled flag
// has no variant.
func TestHostileFilters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string) any { return recoded(anyFilters().Draw(rt, name)) }
		first := Definition{ID: 1, Key: "first", Active: true, Filters: draw("first"), KeepsExperience: rapid.Bool().Draw(rt, "keeps"), ByDevice: rapid.Bool().Draw(rt, "devices")}
		p := projectOf(NewFlag(first), NewFlag(Definition{ID: 2, Key: "second", Active: true, Filters: draw("second")}))
		p.GroupTypes = []string{"company", "team"}
		p.Cohorts = map[int64]bool{1: false, 2: true}

		person := &Person{
			DistinctID: rapid.String().Draw(rt, "id"),
			Properties: map[string]any{"k": recoded(anyValue(2).Draw(rt, "k"))},
			Groups:     map[string]Group{"company": {Key: recoded(anyValue(1).Draw(rt, "group"))}},
		}
		for _, flag := range p.Flags {
			checkValue(rt, flag, valueIn(p, flag, person, testTime), valueIn(p, flag, person, testTime))
		}
	})
}

func checkValue(rt *rapid.T, flag *Flag, r, again Value) {
	isSure := !slices.ContainsFunc(r.Conditions, func(c Condition) bool { return c.Undecided != "" })
	switch code := r.Reason.Code; {
	case isSure && said(r) != said(again):
		rt.Fatalf("two evaluations of %s differ: %s and %s", flag.Filters, said(r), said(again))
	case !r.Enabled && r.Variant != nil:
		rt.Fatalf("%s is disabled, but has the variant %s", flag.Filters, *r.Variant)
	case r.Enabled && code != ConditionMatch && code != EarlyAccess:
		rt.Fatalf("%s is enabled, but the reason is %s", flag.Filters, code)
	case r.Reason.Condition >= 0 && code == ConditionMatch && r.Conditions[r.Reason.Condition].Code != ConditionMatch:
		rt.Fatalf("%s is enabled because of condition %d, which did not match", flag.Filters, r.Reason.Condition)
	case r.Reason.Description() == "":
		rt.Fatalf("the result of %s does not have a reason", flag.Filters)
	}
}

func FuzzEvaluate(f *testing.F) {
	f.Add([]byte(answeredOnce), []byte(`{"k":1}`))
	f.Add([]byte(`{"groups":[{"properties":[{"key":"k","operator":"regex","value":"(?=a)(?P<n>.)(?P=n)[]$]$"}]}]}`), []byte(`{"k":"aa]"}`))
	f.Add([]byte(`{"groups":[{"properties":[{"key":"k","operator":"is_date_before","value":"May 3, 2024 5:00 PM"}]}]}`), []byte(`{"k":1e9}`))
	f.Fuzz(func(t *testing.T, filters, properties []byte) {
		decoded, err := jsonvalue.Decode(filters)
		has, errHas := jsonvalue.Decode(properties)
		if err != nil || errHas != nil {
			return
		}
		flag := NewFlag(Definition{ID: 1, Key: "fuzz", Active: true, Filters: decoded})
		p := projectOf(flag)
		p.Cohorts[1] = false
		r := valueIn(p, flag, &Person{DistinctID: "a", Properties: members(has)}, testTime)
		if !r.Enabled && r.Variant != nil {
			t.Fatalf("%s is disabled, but has a variant", filters)
		}
	})
}

func BenchmarkEvaluate(b *testing.B) {
	for name, filters := range map[string]string{
		"internal": answeredOnce,
		"rollout":  `{"groups":[{"rollout_percentage":50}]}`,
		"targeted": `{"groups":[{"rollout_percentage":50,"properties":[{"key":"email","operator":"regex","value":"@example\\.com$"},
			{"key":"plan","value":["pro","team"]},{"key":"age","operator":"gt","value":"18"},
			{"key":"joined","operator":"is_date_after","value":"30d"}]}]}`,
	} {
		b.Run(name, func(b *testing.B) {
			flag := newFlag(b, 1, name, filters)
			p := projectOf(flag)
			person := somebody(b, `{"email":"a@example.com","plan":"pro","age":30,"joined":"2024-12-20T10:00:00Z"}`)
			b.ReportAllocs()
			for b.Loop() {
				valueIn(p, flag, person, testTime)
			}
		})
	}
}

// Evaluation uses only the time that it receives.
func TestClockIsGiven(t *testing.T) {
	t.Parallel()
	flag := asking(t, `[{"key":"joined","operator":"is_date_before","value":"30d"}]`)
	person := somebody(t, `{"joined":"2030-01-01"}`)
	decides := func(want bool, now time.Time) {
		if got := valueIn(projectOf(flag), flag, person, now).Enabled; got != want {
			t.Errorf("at %s: %v, want %v", now, got, want)
		}
	}
	decides(false, time.Date(2030, 1, 30, 0, 0, 0, 0, time.UTC))
	decides(true, time.Date(2030, 2, 1, 0, 0, 0, 0, time.UTC))
}

// Each regular expression has its own time limit, and there is one for all of them together.
func TestManyHostilePatterns(t *testing.T) {
	t.Parallel()
	const bomb = `{"groups":[{"properties":[{"key":"k","operator":"regex","value":"^(?=a)(a+)+$"}]}]}`
	p := projectOf()
	for id := range int64(1000) {
		p.Flags[id] = newFlag(t, id, "bomb", bomb)
	}
	person := somebody(t, `{"k":"`+strings.Repeat("a", 1000)+`!"}`)

	var why []string
	evaluator := p.Evaluator(person, testTime)
	for _, flag := range p.Flags {
		why = append(why, evaluator.Value(flag).Conditions[0].Undecided)
	}
	require.Len(t, why, 1000)
	require.Equal(t, "the regular expression of the filter on k takes too long", why[0])
	require.Equal(t, "the regular expressions of the flags together take too long", why[999])
}
