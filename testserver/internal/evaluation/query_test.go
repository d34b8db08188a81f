package evaluation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// answeredOnce is the flag that the service makes for a survey, which is off for whoever has
// answered or dismissed it.
const answeredOnce = `{"groups":[{"variant":"","rollout_percentage":100,"properties":[
	{"key":"$survey_dismissed/s1","type":"person","value":"is_not_set","operator":"is_not_set"},
	{"key":"$survey_responded/s1","type":"person","value":"is_not_set","operator":"is_not_set"}]}]}`

// Sessions of a person with one survey: it is offered until it was answered or dismissed.
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

// With a wait period a second condition asks when another survey was seen.
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

// The reason of a flag that is off is the nearest miss, and says where it was.
func TestReasons(t *testing.T) {
	t.Parallel()
	flag := newFlag(t, 1, "reasons", `{"groups":[
		{"rollout_percentage":0,"properties":[{"key":"plan","value":"pro"}]},
		{"properties":[{"key":"plan","value":"pro"},{"key":"age","operator":"gt","value":"18"}]},
		{"aggregation_group_type_index":0}]}`)
	p := projectOf(flag)
	p.GroupTypes = []string{"company"}

	r := p.Evaluate(flag, somebody(t, `{"plan":"pro","age":"old"}`), testTime)
	require.Equal(t, "off out_of_rollout_bound", said(r))
	require.Equal(t, 0, r.Reason.Condition)
	require.Len(t, r.Conditions, 3)
	require.Equal(t, Condition{Code: OutOfRollout, Property: -1, Hash: Hash("reasons", "user-123", "")}, r.Conditions[0])
	require.Equal(t, Condition{
		Code: NoMatch, Property: 1, Key: "age", Operator: "gt", Undecided: "the value of age is not a number", Rollout: 1,
	}, r.Conditions[1])
	require.Equal(t, NoGroup, r.Conditions[2].Code)

	r = p.Evaluate(flag, somebody(t, `{"plan":"free"}`), testTime)
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

// A condition names a variant, if the flag has it; otherwise the hash does.
func TestVariantOfACondition(t *testing.T) {
	t.Parallel()
	const variants = `"multivariate":{"variants":[{"key":"red","rollout_percentage":100},{"key":"blue","rollout_percentage":0}]}}`
	for variant, want := range map[string]string{`"blue"`: "blue", `"green"`: "red", `null`: "red", `""`: "red"} {
		flag := newFlag(t, 1, "colours", `{"groups":[{"variant":`+variant+`}],`+variants)
		require.Equal(t, want, *evaluate(flag, somebody(t, `{}`)).Variant, variant)
	}

	flag := newFlag(t, 1, "colours", `{"groups":[{}],"multivariate":{"variants":[]},"payloads":{"true":"{}"}}`)
	r := evaluate(flag, somebody(t, `{}`))
	require.Nil(t, r.Variant)
	require.Equal(t, `"{}"`, string(r.Payload))
}

// A group decides by its own properties, and is spread by its key.
func TestGroups(t *testing.T) {
	t.Parallel()
	flag := newFlag(t, 1, "companies", `{"aggregation_group_type_index":1,"groups":[
		{"rollout_percentage":50,"properties":[{"key":"size","type":"group","group_type_index":1,"operator":"gt","value":"10"}]}]}`)
	p := projectOf(flag)
	p.GroupTypes = []string{"team", "company"}

	seen := map[bool]bool{}
	for _, key := range []string{`"acme"`, `"beta"`, `"gamma"`, `"delta"`, `7`} {
		person := somebody(t, `{"size":1}`)
		person.Groups = map[string]Group{"company": {Key: compact(t, key), Properties: rawjson.Fields{"size": compact(t, `11`)}}}
		isOn := p.Evaluate(flag, person, testTime).Enabled
		require.Equal(t, Hash("companies", wordOf(compact(t, key)), "") <= 0.5, isOn, key)
		seen[isOn] = true

		person.Groups["company"] = Group{Key: compact(t, key), Properties: rawjson.Fields{"size": compact(t, `9`)}}
		require.Equal(t, "off no_condition_match", said(p.Evaluate(flag, person, testTime)))
	}
	require.Len(t, seen, 2)

	for _, groups := range []map[string]Group{nil, {"team": {Key: compact(t, `"acme"`)}}, {"company": {Key: compact(t, `""`)}}, {"company": {Key: compact(t, `[]`)}}} {
		person := somebody(t, `{"size":11}`)
		person.Groups = groups
		require.Equal(t, "off no_group_type", said(p.Evaluate(flag, person, testTime)))
	}
}

// A condition of persons and one of groups stand beside each other, and a condition of
// groups may ask for the person too.
func TestMixedTargeting(t *testing.T) {
	t.Parallel()
	flag := newFlag(t, 1, "mixed", `{"aggregation_group_type_index":null,"groups":[
		{"aggregation_group_type_index":0,"properties":[
			{"key":"$group_key","type":"group","group_type_index":0,"value":"acme"},{"key":"plan","type":"person","value":"pro"}]},
		{"aggregation_group_type_index":null,"properties":[{"key":"distinct_id","type":"person","value":"USER-123"}]}]}`)
	p := projectOf(flag)
	p.GroupTypes = []string{"company"}
	acme := map[string]Group{"company": {Key: compact(t, `"acme"`)}}

	require.Equal(t, 0, p.Evaluate(flag, &Person{DistinctID: "a", Groups: acme, Properties: rawjson.Fields{"plan": compact(t, `"pro"`)}}, testTime).Reason.Condition)
	require.Equal(t, 1, p.Evaluate(flag, &Person{DistinctID: "user-123", Groups: acme}, testTime).Reason.Condition)
	require.Equal(t, "off no_condition_match", said(p.Evaluate(flag, &Person{DistinctID: "a", Groups: acme}, testTime)))
}

// The first value of a property is the present one until it is stored.
func TestInitialProperties(t *testing.T) {
	t.Parallel()
	for properties, want := range map[string]bool{
		`{"$browser":"Firefox"}`: true, `{"$browser":"Firefox","$initial_browser":"Safari"}`: false,
		`{"browser":"Firefox"}`: false, `{}`: false,
	} {
		flag := asking(t, `[{"key":"$initial_browser","value":"Firefox"}]`)
		require.Equal(t, want, evaluate(flag, somebody(t, properties)).Enabled, properties)
	}
	require.True(t, evaluate(asking(t, `[{"key":"$initial_utm_source","value":"news"}]`), somebody(t, `{"utm_source":"news"}`)).Enabled)
	require.False(t, evaluate(asking(t, `[{"key":"$initial_email","operator":"is_set"}]`), somebody(t, `{"$email":"a"}`)).Enabled)
}
