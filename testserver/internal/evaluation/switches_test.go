package evaluation

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// On an early access feature the choice of the person counts, and without one the
// conditions do.
func TestEarlyAccess(t *testing.T) {
	t.Parallel()
	const (
		newer = `{"feature_enrollment":true,"groups":[{"rollout_percentage":0}],"payloads":{"true":"1"}}`
		older = `{"super_groups":[{"properties":[{"key":"$feature_enrollment/early","type":"person","operator":"exact","value":["true"]}]}],
			"groups":[{"rollout_percentage":0}],"payloads":{"true":"1"}}`
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

// A holdout takes its share of people by a hash that is the same for all flags.
func TestHoldout(t *testing.T) {
	t.Parallel()
	const filters = `{"holdout":{"id":42,"exclusion_percentage":30},"groups":[{}],"multivariate":{"variants":[{"key":"control","rollout_percentage":100}]}}`
	first, second := newFlag(t, 1, "first", filters), newFlag(t, 2, "second", filters)
	held := 0
	for n := range 1000 {
		person := &Person{DistinctID: fmt.Sprintf("user%d", n), KeptIDs: map[string]string{"second": "kept"}}
		r := evaluate(first, person)
		require.Equal(t, said(r), said(evaluate(second, person)))
		if r.Reason.Code == Holdout {
			held++
			require.Equal(t, "holdout-42", *r.Variant)
		} else {
			require.Equal(t, "control", *r.Variant)
		}
	}
	require.InDelta(t, 300, held, 60)

	everybody := newFlag(t, 1, "first", `{"holdout":{"id":1,"exclusion_percentage":100},"groups":[{}]}`)
	require.Equal(t, "holdout-1 holdout_condition_value", said(evaluate(everybody, somebody(t, `{}`))))
	odd := newFlag(t, 1, "first", `{"holdout":{"id":"x"},"groups":[{}]}`)
	require.Equal(t, "on condition_match", said(evaluate(odd, somebody(t, `{}`))))
}

// A flag that keeps the experience spreads a person by the id that was kept, then by that
// before signing in; any other flag by the distinct id. Where devices are spread, the
// device counts, and without one nobody is in.
func TestSpreadID(t *testing.T) {
	t.Parallel()
	person := &Person{DistinctID: "signed-in", AnonymousID: "anonymous", DeviceID: "device", KeptIDs: map[string]string{"kept": "first"}}
	for _, c := range []struct {
		definition Definition
		want       string
	}{
		{Definition{Key: "plain"}, "signed-in"},
		{Definition{Key: "keeps", KeepsExperience: true}, "anonymous"},
		{Definition{Key: "kept", KeepsExperience: true}, "first"},
		{Definition{Key: "device", ByDevice: true, KeepsExperience: true}, "device"},
	} {
		c.definition.Active = true
		c.definition.Filters = compact(t, `{"groups":[{"rollout_percentage":99.99}]}`)
		r := evaluate(NewFlag(c.definition), person)
		require.InDelta(t, Hash(c.definition.Key, c.want, ""), r.Conditions[0].Hash, 0, c.want)
	}

	device := NewFlag(Definition{Key: "device", Active: true, ByDevice: true, Filters: compact(t, `{"groups":[{}]}`)})
	require.Equal(t, "off out_of_rollout_bound", said(evaluate(device, &Person{DistinctID: "a"})))
}
