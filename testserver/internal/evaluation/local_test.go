package evaluation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// known is a person of whom an SDK knows some properties alone.
func known(t testing.TB, properties string) *Person {
	t.Helper()
	p := somebody(t, properties)
	p.Partial = true
	return p
}

// What the specification of the SDKs asks of local evaluation.
func TestLocalEvaluation(t *testing.T) {
	t.Parallel()
	variants := `"multivariate":{"variants":[{"key":"blue","rollout_percentage":100}]},"payloads":{"blue":"{\"copy\": \"new\"}"}`
	person := known(t, `{"email":"Admin@Example.com","plan":"enterprise","$os":"Linux"}`)

	for name, c := range map[string]struct{ filters, want string }{
		"on for an id in the rollout":     {`{"groups":[{"rollout_percentage":100}]}`, "on condition_match"},
		"a variant":                       {`{"groups":[{}],` + variants + `}`, "blue condition_match"},
		"a group that is not given":       {`{"groups":[{}],"aggregation_group_type_index":0}`, "off inconclusive"},
		"starts_with":                     {`{"groups":[{"properties":[{"key":"email","operator":"starts_with","value":"admin@"}]}]}`, "on condition_match"},
		"starts_with of an unknown value": {`{"groups":[{"properties":[{"key":"phone","operator":"starts_with","value":"+49"}]}]}`, "off inconclusive"},
		"an operator of the future":       {`{"groups":[{"properties":[{"key":"plan","operator":"rhymes_with","value":"x"}]}]}`, "off inconclusive"},
		"a rollout of everybody":          {`{"groups":[{"rollout_percentage":100.0}]}`, "on condition_match"},
		"a rollout of nobody":             {`{"groups":[{"rollout_percentage":0.0}]}`, "off out_of_rollout_bound"},
		"a rollout without a percentage":  {`{"groups":[{"rollout_percentage":null}]}`, "on condition_match"},
		"is_not_set of an unknown value":  {`{"groups":[{"properties":[{"key":"phone","operator":"is_not_set"}]}]}`, "off inconclusive"},
		"a first value that is not known": {`{"groups":[{"properties":[{"key":"$initial_os","operator":"is_set"}]}]}`, "off inconclusive"},
		"the next condition matches": {`{"groups":[{"properties":[{"key":"phone","operator":"is_set"}]},
			{"properties":[{"key":"plan","value":"enterprise"}]}]}`, "on condition_match"},
		"a cohort that only the service knows": {`{"groups":[{"properties":[{"key":"id","type":"cohort","value":7}]},{}]}`, "off inconclusive"},
		"an enrollment that is not known":      {`{"feature_enrollment":true,"groups":[{}]}`, "off inconclusive"},
		"a gate that is not known": {`{"super_groups":[{"properties":[{"key":"$feature_enrollment/beta-ui","value":["true"]}]}],
			"groups":[{}]}`, "off inconclusive"},
		"a gate that is known in part": {`{"super_groups":[{"properties":[{"key":"plan","value":"enterprise"},
			{"key":"phone","operator":"is_set"}]}],"groups":[{}]}`, "off inconclusive"},
	} {
		p := projectOf(newFlag(t, 1, "beta-ui", c.filters))
		p.GroupTypes = []string{"company"}
		require.Equal(t, c.want, said(p.Evaluate(p.Flags[1], person, testTime)), name)
	}
}

func TestLocalEvaluationOfPayloads(t *testing.T) {
	t.Parallel()
	flag := newFlag(t, 1, "checkout", `{"groups":[{}],"multivariate":{"variants":[{"key":"blue","rollout_percentage":100}]},
		"payloads":{"blue":"{\"copy\": \"new\"}","true":"1"}}`)
	r := evaluate(flag, known(t, `{}`))
	require.JSONEq(t, `{"copy": "new"}`, rawjson.Unquote(r.Payload))
}

// A flag that is off has that value whatever is known, and one that keeps the experience
// is for the service to decide.
func TestLocalEvaluationOfWholeFlags(t *testing.T) {
	t.Parallel()
	person := known(t, `{}`)
	require.Equal(t, "off flag_disabled", said(evaluate(NewFlag(Definition{ID: 1}), person)))
	require.Equal(t, "off inconclusive", said(evaluate(NewFlag(Definition{ID: 1, Active: true, KeepsExperience: true}), person)))
	require.Equal(t, "off inconclusive", said(evaluate(
		NewFlag(Definition{ID: 1, Active: true, ByDevice: true, Filters: compact(t, `{"groups":[{}]}`)}), person)))
}

// One flag that cannot be decided leaves the others as they are.
func TestLocalEvaluationOfOtherFlags(t *testing.T) {
	t.Parallel()
	future := newFlag(t, 1, "future", `{"groups":[{"properties":[{"key":"plan","operator":"rhymes_with","value":"x"}]}]}`)
	beta := newFlag(t, 2, "beta-ui", `{"groups":[{}]}`)
	asks := newFlag(t, 3, "asks", `{"groups":[{"properties":[{"key":"1","type":"flag","operator":"flag_evaluates_to","value":false}]}]}`)
	p := projectOf(future, beta, asks)

	var lines []string
	person := known(t, `{"plan":"enterprise"}`)
	for _, flag := range []*Flag{future, beta, asks} {
		lines = append(lines, said(p.Evaluate(flag, person, testTime)))
	}
	require.Equal(t, []string{"off inconclusive", "on condition_match", "off inconclusive"}, lines)

	// The service decides what an SDK does not.
	person.Partial = false
	require.Equal(t, "on condition_match", said(p.Evaluate(asks, person, testTime)))
}

// A fraction of a percent is not rounded: a share just above the hash takes the person in.
func TestFractionalRollout(t *testing.T) {
	t.Parallel()
	flag := newFlag(t, 1, "fractional-rollout", `{"groups":[{"rollout_percentage":0.1}]}`)
	in, out := 0, 0
	for n := range 20_000 {
		id := "user-" + string(rune('a'+n%26)) + numberText(string(rawjson.Encode(n)))
		isIn := Hash("fractional-rollout", id, "") <= 0.001
		require.Equal(t, isIn, evaluate(flag, &Person{DistinctID: id, Partial: true}).Enabled, id)
		if isIn {
			in++
		} else {
			out++
		}
	}
	require.Positive(t, in)
	require.Greater(t, out, 19_000)
}
