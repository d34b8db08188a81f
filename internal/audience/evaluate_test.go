package audience

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// testTime is the time at which tests evaluate flags.
var testTime = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// newFlag returns an active flag with the given filters.
func newFlag(t testing.TB, id int64, key, filters string) *Flag {
	t.Helper()
	return NewFlag(Definition{ID: id, Key: key, Active: true, Filters: decode(t, filters)})
}

// asking returns a flag with one condition for all persons with the given properties.
func asking(t testing.TB, properties string) *Flag {
	t.Helper()
	return newFlag(t, 1, "asking", `{"groups":[{"rollout_percentage":100,"properties":`+properties+`}]}`)
}

func decode(t testing.TB, text string) any {
	t.Helper()
	value, err := jsonvalue.Decode(text)
	require.NoError(t, err, text)
	return value
}

// recoded returns a Go value as it is after it was sent as JSON.
func recoded(value any) any {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // every value has a JSON form
	}
	again, err := jsonvalue.Decode(text)
	if err != nil {
		panic(err) // it is not nested deeper than the limit
	}
	return again
}

// valueIn evaluates a flag in a project.
func valueIn(p *Project, flag *Flag, person *Person, now time.Time) Value {
	return p.Evaluator(person, now).Value(flag)
}

// somebody returns a person with the given properties, written as a JSON object.
func somebody(t testing.TB, properties string) *Person {
	t.Helper()
	return &Person{DistinctID: "user-123", Properties: members(decode(t, properties))}
}

// projectOf returns a project with the given flags.
func projectOf(flags ...*Flag) *Project {
	p := &Project{Flags: map[int64]*Flag{}, Cohorts: map[int64]bool{}}
	for _, flag := range flags {
		p.Flags[flag.ID] = flag
	}
	return p
}

// evaluate evaluates a flag in a project that contains only this flag.
func evaluate(flag *Flag, person *Person) Value {
	return valueIn(projectOf(flag), flag, person, testTime)
}

// said formats a result as one line with its value and its reason.
func said(r Value) string {
	text := "off"
	switch {
	case r.Variant != nil:
		text = *r.Variant
	case r.Enabled:
		text = "on"
	}
	return text + " " + string(r.Reason.Code)
}

func TestFlagsOfOnePerson(t *testing.T) {
	t.Parallel()
	first := newFlag(t, 1, "first", `{"groups":[{"rollout_percentage":100}]}`)
	second := newFlag(t, 2, "second", `{"groups":[{"properties":[{"key":"1","type":"flag","operator":"flag_evaluates_to","value":true}]}]}`)
	p := projectOf(first, second)

	var lines []string
	evaluator := p.Evaluator(somebody(t, `{}`), testTime)
	for _, flag := range []*Flag{second, first} {
		lines = append(lines, flag.Key+" "+said(evaluator.Value(flag)))
	}
	require.Equal(t, []string{"second on condition_match", "first on condition_match"}, lines)
}

// Each reason has its own description in PostHog's words.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	descriptions := map[Code]string{}
	for _, code := range []Code{Disabled, MissingDependency, EarlyAccess, ConditionMatch, NoMatch, OutOfRollout, NoGroup} {
		descriptions[code] = Reason{Code: code, Condition: -1}.Description()
	}
	require.Len(t, slices.Compact(slices.Sorted(maps.Values(descriptions))), 7)
	require.Equal(t, "Matched condition set 3", Reason{Code: ConditionMatch, Condition: 2}.Description())
	require.Contains(t, Reason{Code: NoMatch, skipsGroups: true}.Description(), "no group type was provided")
}

// answeredOnce is the flag that PostHog creates for a survey. It is off for persons who answered or dismissed the
// survey.
const answeredOnce = `{"groups":[{"variant":"","rollout_percentage":100,"properties":[
	{"key":"$survey_dismissed/s1","type":"person","value":"is_not_set","operator":"is_not_set"},
	{"key":"$survey_responded/s1","type":"person","value":"is_not_set","operator":"is_not_set"}]}]}`

// A survey is offered to a person in every session until they answer or dismiss it.
func TestInternalFlagOfASurvey(t *testing.T) {
	t.Parallel()
	flag := newFlag(t, 1, "survey-targeting-0123456789-custom", answeredOnce)
	for properties, want := range map[string]string{
		`{}`:                               "on condition_match",
		`{"email":"a@example.com"}`:        "on condition_match",
		`{"$survey_dismissed/s1":true}`:    "off no_condition_match",
		`{"$survey_responded/s1":true}`:    "off no_condition_match",
		`{"$survey_responded/s1":null}`:    "off no_condition_match",
		`{"$survey_responded/s1/2":true}`:  "on condition_match",
		`{"$survey_responded/other":true}`: "on condition_match",
	} {
		require.Equal(t, want, said(evaluate(flag, somebody(t, properties))), properties)
	}
}

// With a wait period, the flag has a second condition, which asks when the person saw another survey.
func TestInternalFlagWithAWaitPeriod(t *testing.T) {
	t.Parallel()
	flag := newFlag(t, 1, "survey-targeting-0123456789-custom", `{"groups":[
		{"properties":[{"key":"$survey_responded/s1","operator":"is_not_set","type":"person"},
			{"key":"$last_seen_survey_date","operator":"is_not_set","type":"person"}]},
		{"properties":[{"key":"$survey_responded/s1","operator":"is_not_set","type":"person"},
			{"key":"$last_seen_survey_date","operator":"is_date_before","value":"7d","type":"person"}]}]}`)
	for properties, want := range map[string]Reason{
		`{}`: {Code: ConditionMatch},
		`{"$last_seen_survey_date":"2024-12-20T00:00:00Z"}`:                             {Code: ConditionMatch, Condition: 1},
		`{"$last_seen_survey_date":"2024-12-30T00:00:00Z"}`:                             {Code: NoMatch, Condition: 1},
		`{"$last_seen_survey_date":"2024-12-20T00:00:00Z","$survey_responded/s1":true}`: {Code: NoMatch, Condition: 1},
	} {
		require.Equal(t, want, evaluate(flag, somebody(t, properties)).Reason, properties)
	}
}

// The reason for a flag that is off is the condition that came closest to matching, with its position.
func TestReasons(t *testing.T) {
	t.Parallel()
	flag := newFlag(t, 1, "reasons", `{"groups":[
		{"rollout_percentage":0,"properties":[{"key":"plan","value":"pro"}]},
		{"properties":[{"key":"plan","value":"pro"},{"key":"age","operator":"gt","value":"18"}]},
		{"aggregation_group_type_index":0}]}`)
	p := projectOf(flag)
	p.GroupTypes = []string{"company"}

	r := valueIn(p, flag, somebody(t, `{"plan":"pro","age":"old"}`), testTime)
	require.Equal(t, "off out_of_rollout_bound", said(r))
	require.Equal(t, 0, r.Reason.Condition)
	require.Len(t, r.Conditions, 3)
	require.Equal(t, Condition{Code: OutOfRollout, Property: -1, Hash: Hash("reasons", "user-123", "")}, r.Conditions[0])
	require.Equal(t, Condition{
		Code: NoMatch, Property: 1, Undecided: "the value of age is not a number", Rollout: 1,
	}, r.Conditions[1])
	require.Equal(t, NoGroup, r.Conditions[2].Code)

	r = valueIn(p, flag, somebody(t, `{"plan":"free"}`), testTime)
	require.Equal(t, "off no_condition_match", said(r))
	require.Contains(t, r.Reason.Description(), "group conditions were not evaluated")
}

func TestFlagsWithoutConditions(t *testing.T) {
	t.Parallel()
	for _, filters := range []string{`{}`, `[]`, `null`, `{"groups":[]}`, `{"groups":null}`, `{"groups":{}}`} {
		require.Equal(t, "off no_group_type", said(evaluate(newFlag(t, 1, "empty", filters), somebody(t, `{}`))), filters)
	}
}

func TestEarlyExit(t *testing.T) {
	t.Parallel()
	const groups = `"groups":[{"properties":[{"key":"plan","value":"pro"}],"rollout_percentage":0},{}]}`
	for properties, want := range map[string]string{`{"plan":"pro"}`: "off out_of_rollout_bound", `{}`: "on condition_match"} {
		require.Equal(t, want, said(evaluate(newFlag(t, 1, "exits", `{"early_exit":true,`+groups), somebody(t, properties))))
	}
	require.Equal(t, "on condition_match", said(evaluate(newFlag(t, 1, "goes-on", `{`+groups), somebody(t, `{"plan":"pro"}`))))
}

// A condition's variant applies if the flag has that variant. Otherwise, the hash decides.
func TestVariantOfACondition(t *testing.T) {
	t.Parallel()
	const variants = `"multivariate":{"variants":[{"key":"red","rollout_percentage":100},{"key":"blue","rollout_percentage":0}]}}`
	for variant, want := range map[string]string{`"blue"`: "blue", `"green"`: "red", `null`: "red", `""`: "red"} {
		flag := newFlag(t, 1, "colours", `{"groups":[{"variant":`+variant+`}],`+variants)
		require.Equal(t, want, *evaluate(flag, somebody(t, `{}`)).Variant, variant)
	}

	flag := newFlag(t, 1, "colours", `{"groups":[{}],"multivariate":{"variants":[]}}`)
	r := evaluate(flag, somebody(t, `{}`))
	require.Nil(t, r.Variant)
}

// A condition on a group evaluates the group's properties and hashes the group's key.
func TestGroups(t *testing.T) {
	t.Parallel()
	flag := newFlag(t, 1, "companies", `{"aggregation_group_type_index":1,"groups":[
		{"rollout_percentage":50,"properties":[{"key":"size","type":"group","group_type_index":1,"operator":"gt","value":"10"}]}]}`)
	p := projectOf(flag)
	p.GroupTypes = []string{"team", "company"}

	seen := map[bool]bool{}
	for _, key := range []string{`"acme"`, `"beta"`, `"gamma"`, `"delta"`, `7`} {
		person := somebody(t, `{"size":1}`)
		person.Groups = map[string]Group{"company": {Key: decode(t, key), Properties: map[string]any{"size": decode(t, `11`)}}}
		isOn := valueIn(p, flag, person, testTime).Enabled
		require.Equal(t, Hash("companies", toText(decode(t, key)), "") <= 0.5, isOn, key)
		seen[isOn] = true

		person.Groups["company"] = Group{Key: decode(t, key), Properties: map[string]any{"size": decode(t, `9`)}}
		require.Equal(t, "off no_condition_match", said(valueIn(p, flag, person, testTime)))
	}
	require.Len(t, seen, 2)

	for _, groups := range []map[string]Group{nil, {"team": {Key: decode(t, `"acme"`)}}, {"company": {Key: decode(t, `""`)}}, {"company": {Key: decode(t, `[]`)}}} {
		person := somebody(t, `{"size":11}`)
		person.Groups = groups
		require.Equal(t, "off no_group_type", said(valueIn(p, flag, person, testTime)))
	}
}

// A flag can have conditions on persons and on groups, and a condition on groups can also have person properties.
func TestMixedTargeting(t *testing.T) {
	t.Parallel()
	flag := newFlag(t, 1, "mixed", `{"aggregation_group_type_index":null,"groups":[
		{"aggregation_group_type_index":0,"properties":[
			{"key":"$group_key","type":"group","group_type_index":0,"value":"acme"},{"key":"plan","type":"person","value":"pro"}]},
		{"aggregation_group_type_index":null,"properties":[{"key":"distinct_id","type":"person","value":"USER-123"}]}]}`)
	p := projectOf(flag)
	p.GroupTypes = []string{"company"}
	acme := map[string]Group{"company": {Key: decode(t, `"acme"`)}}

	require.Equal(t, 0, valueIn(p, flag, &Person{DistinctID: "a", Groups: acme, Properties: map[string]any{"plan": decode(t, `"pro"`)}}, testTime).Reason.Condition)
	require.Equal(t, 1, valueIn(p, flag, &Person{DistinctID: "user-123", Groups: acme}, testTime).Reason.Condition)
	require.Equal(t, "off no_condition_match", said(valueIn(p, flag, &Person{DistinctID: "a", Groups: acme}, testTime)))
}

func dependingOn(key, value string) string {
	return `{"groups":[{"properties":[{"key":"` + key + `","type":"flag","operator":"flag_evaluates_to","value":` + value + `}]}]}`
}

func TestDependencies(t *testing.T) {
	t.Parallel()
	flags := []*Flag{
		newFlag(t, 1, "on", `{"groups":[{}]}`),
		newFlag(t, 2, "off", `{"groups":[{"rollout_percentage":0}]}`),
		newFlag(t, 3, "red", `{"groups":[{}],"multivariate":{"variants":[{"key":"red","rollout_percentage":100}]}}`),
		NewFlag(Definition{ID: 4, Key: "disabled"}),
		newFlag(t, 5, "chain", dependingOn("3", `"red"`)),
	}
	for _, c := range []struct {
		key, value string
		want       bool
	}{
		{"1", "true", true}, {"1", "false", false}, {"1", `"true"`, false},
		{"2", "true", false}, {"2", "false", true},
		{"3", "true", true}, {"3", `"red"`, true}, {"3", `"Red"`, false}, {"3", "false", false}, {"3", `["red"]`, false},
		{"4", "true", false}, {"4", "false", true},
		{"5", "true", true}, {"5", "null", false},
	} {
		p := projectOf(append(flags, newFlag(t, 9, "asks", dependingOn(c.key, c.value)))...)
		require.Equal(t, c.want, valueIn(p, p.Flags[9], somebody(t, `{}`), testTime).Enabled, "%+v", c)
	}
}

// A flag that depends on a missing flag, or directly or indirectly on itself, is off, and so are all flags that
// depend on it.
func TestMissingDependencies(t *testing.T) {
	t.Parallel()
	gone := NewFlag(Definition{ID: 3, Key: "gone", Active: true, Deleted: true})
	p := projectOf(gone,
		newFlag(t, 1, "asks-for-nothing", dependingOn("404", "false")),
		newFlag(t, 2, "asks-for-gone", dependingOn("3", "false")),
		newFlag(t, 4, "asks-for-itself", dependingOn("4", "false")),
		newFlag(t, 5, "circle", dependingOn("6", "false")),
		newFlag(t, 6, "circle-too", dependingOn("5", "false")),
		newFlag(t, 7, "asks-for-circle", dependingOn("5", "false")),
	)
	for id, flag := range p.Flags {
		if id != gone.ID {
			require.Equal(t, "off missing_dependency", said(valueIn(p, flag, somebody(t, `{}`), testTime)), flag.Key)
		}
	}

	wrong := newFlag(t, 8, "wrong", `{"groups":[{"properties":[{"key":"x","type":"flag","operator":"exact","value":true}]}]}`)
	require.Contains(t, evaluate(wrong, somebody(t, `{}`)).Conditions[0].Undecided, "no flag has the ID x")
}

// Flags that all depend on the same two flags are evaluated once each.
func TestManyDependencies(t *testing.T) {
	t.Parallel()
	p := projectOf(newFlag(t, 0, "first", `{"groups":[{}]}`), newFlag(t, 1, "second", `{"groups":[{}]}`))
	for id := int64(2); id < 200; id++ {
		p.Flags[id] = newFlag(t, id, fmt.Sprint("flag", id), fmt.Sprintf(`{"groups":[{"properties":[
			{"key":"%d","type":"flag","operator":"flag_evaluates_to","value":true},
			{"key":"%d","type":"flag","operator":"flag_evaluates_to","value":true}]}]}`, id-1, id-2))
	}
	require.True(t, valueIn(p, p.Flags[199], somebody(t, `{}`), testTime).Enabled)
}

// For an early access feature, the person's choice decides. Without a choice, the conditions do.
func TestEarlyAccess(t *testing.T) {
	t.Parallel()
	const (
		newer = `{"feature_enrollment":true,"groups":[{"rollout_percentage":0}]}`
		older = `{"super_groups":[{"properties":[{"key":"$feature_enrollment/early","type":"person","operator":"exact","value":["true"]}]}],
			"groups":[{"rollout_percentage":0}]}`
	)
	for _, filters := range []string{newer, older} {
		flag := newFlag(t, 1, "early", filters)
		for properties, want := range map[string]string{
			`{"$feature_enrollment/early":true}`:    "on super_condition_value",
			`{"$feature_enrollment/early":"true"}`:  "on super_condition_value",
			`{"$feature_enrollment/early":false}`:   "off super_condition_value",
			`{"$feature_enrollment/early":"maybe"}`: "off super_condition_value",
			`{"$feature_enrollment/other":true}`:    "off out_of_rollout_bound",
			`{}`:                                    "off out_of_rollout_bound",
		} {
			require.Equal(t, want, said(evaluate(flag, somebody(t, properties))), properties)
		}
	}
}

// A flag that persists across authentication hashes the ID that a person had before signing in. Any other flag uses the
// distinct ID. A flag that is rolled out by device uses the device ID, and without a device ID no person is in.
func TestSpreadID(t *testing.T) {
	t.Parallel()
	person := &Person{DistinctID: "signed-in", AnonymousID: "anonymous", DeviceID: "device"}
	for _, c := range []struct {
		definition Definition
		want       string
	}{
		{Definition{Key: "plain"}, "signed-in"},
		{Definition{Key: "keeps", KeepsExperience: true}, "anonymous"},
		{Definition{Key: "device", ByDevice: true, KeepsExperience: true}, "device"},
	} {
		c.definition.Active = true
		c.definition.Filters = decode(t, `{"groups":[{"rollout_percentage":99.99}]}`)
		r := evaluate(NewFlag(c.definition), person)
		require.InDelta(t, Hash(c.definition.Key, c.want, ""), r.Conditions[0].Hash, 0, c.want)
	}

	device := NewFlag(Definition{Key: "device", Active: true, ByDevice: true, Filters: decode(t, `{"groups":[{}]}`)})
	require.Equal(t, "off out_of_rollout_bound", said(evaluate(device, &Person{DistinctID: "a"})))
}
