package reach_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reach"
)

// nobody is why filters match nobody; empty when they may match somebody.
func nobody(t *testing.T, filters string) string {
	t.Helper()
	decoded, err := jsonvalue.Decode(filters)
	require.NoError(t, err, filters)
	why, certain := reach.Nobody(decoded)
	assert.Equal(t, certain, why != "", filters)
	return why
}

// Each contradiction stands beside filters that are close to it and match somebody.
func TestProperties(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ contradiction, why, close string }{
		{`{"key":"email","operator":"is_set"},{"key":"email","operator":"is_not_set"}`, `"email" cannot be set and not set at once`,
			`{"key":"email","operator":"is_set"},{"key":"phone","operator":"is_not_set"}`},
		{`{"key":"plan","value":"free"},{"key":"plan","operator":"is_not_set"}`, `"plan" cannot be "free" and not set at once`,
			`{"key":"plan","operator":"is_not","value":"free"},{"key":"plan","operator":"is_not_set"}`},
		{`{"key":"plan","value":["free","trial"]},{"key":"plan","operator":"exact","value":"paid"}`, `"plan" cannot be one of "free", "trial" and "paid" at once`,
			`{"key":"plan","value":["free","trial"]},{"key":"plan","operator":"exact","value":"Trial"}`},
		{`{"key":"plan","value":"free"},{"key":"plan","operator":"is_not","value":["free","trial"]}`, `"plan" cannot be "free" and other than "free", "trial" at once`,
			`{"key":"plan","value":["free","paid"]},{"key":"plan","operator":"is_not","value":["free","trial"]}`},
		{`{"key":"beta","value":true},{"key":"beta","value":"false"}`, `"beta" cannot be true and "false" at once`,
			`{"key":"beta","value":"false"},{"key":"beta","value":"off"}`},
		{`{"key":"email","value":"a@b.c"},{"key":"email","operator":"icontains","value":"@acme"}`, `"email" cannot be "a@b.c" and a text with "@acme" at once`,
			`{"key":"email","value":"a@Acme.c"},{"key":"email","operator":"icontains","value":"@acme"}`},
		{`{"key":"age","operator":"gt","value":"40"},{"key":"age","operator":"lt","value":"30"}`, `"age" cannot be above "40" and below "30" at once`,
			`{"key":"age","operator":"gt","value":"30"},{"key":"age","operator":"lt","value":"40"}`},
		{`{"key":"age","operator":"gte","value":"40"},{"key":"age","operator":"max","value":"39.9"}`, `"age" cannot be at least "40" and at most "39.9" at once`,
			`{"key":"age","operator":"gte","value":"40"},{"key":"age","operator":"max","value":"40"}`},
		{`{"key":"age","value":["17","18"]},{"key":"age","operator":"gt","value":"18"}`, `"age" cannot be one of "17", "18" and above "18" at once`,
			`{"key":"age","value":["17","18"]},{"key":"age","operator":"gte","value":"18"}`},
		{`{"key":"age","operator":"gt","value":"adult"}`, `"age" is compared as a number with "adult"`, `{"key":"age","operator":"gt","value":"1e1"}`},
		{`{"key":"tag","operator":"icontains_multi","value":[]}`, `"tag" is compared with an empty list`, `{"key":"tag","operator":"not_icontains_multi","value":[]}`},
		{`{"key":"plan","operator":"is_not"}`, `"plan" is compared with no value`, `{"key":"plan","operator":"is_set"}`},
		{`{"key":"at","operator":"is_date_after","value":"2026-05-01"},{"key":"at","operator":"is_date_before","value":"2026-04-01"}`,
			`"at" cannot be after "2026-05-01" and before "2026-04-01" at once`,
			`{"key":"at","operator":"is_date_after","value":"2026-04-01"},{"key":"at","operator":"is_date_before","value":"2026-05-01"}`},
		{`{"key":"at","operator":"is_date_before","value":"60d"},{"key":"at","operator":"is_date_after","value":"30d"}`,
			`"at" cannot be before "60d" and after "30d" at once`,
			`{"key":"at","operator":"is_date_before","value":"30d"},{"key":"at","operator":"is_date_after","value":"60d"}`},
		{`{"key":"at","operator":"is_date_before","value":"32d"},{"key":"at","operator":"is_date_after","value":"1m"}`,
			`"at" cannot be before "32d" and after "1m" at once`,
			`{"key":"at","operator":"is_date_before","value":"30d"},{"key":"at","operator":"is_date_after","value":"1m"}`},
		{`{"type":"cohort","key":"id","value":7},{"type":"cohort","key":"id","operator":"not_in","value":7}`, "nobody is in cohort 7 and outside it",
			`{"type":"cohort","key":"id","value":7},{"type":"cohort","key":"id","operator":"not_in","value":8}`},
		{`{"type":"flag","key":"3","operator":"flag_evaluates_to","value":"blue"},{"type":"flag","key":"3","operator":"flag_evaluates_to","value":false}`,
			`flag 3 cannot be "blue" and false at once`,
			`{"type":"flag","key":"3","operator":"flag_evaluates_to","value":"blue"},{"type":"flag","key":"3","operator":"flag_evaluates_to","value":true}`},
		{`{"type":"group","group_type_index":0,"key":"n","operator":"is_set"},{"type":"group","group_type_index":0,"key":"n","operator":"is_not_set"}`,
			`"n" cannot be set and not set at once`,
			`{"type":"group","group_type_index":0,"key":"n","operator":"is_set"},{"type":"group","group_type_index":1,"key":"n","operator":"is_not_set"}`},
	} {
		filters := func(properties string) string { return `{"groups":[{"properties":[` + properties + `]}]}` }
		assert.Equal(t, "groups[0]: "+c.why, nobody(t, filters(c.contradiction)))
		assert.Empty(t, nobody(t, filters(c.close)))
	}
}

// Values that are equal in one program and not in another contradict nothing.
func TestOddSpellings(t *testing.T) {
	t.Parallel()
	for _, values := range [][2]string{{`"İ"`, `"i̇"`}, {`"ΟΔΟΣ"`, `"οδοσ"`}, {`1`, `"1.0"`}, {`1000`, `"1e3"`}, {`"a"`, `[["a"]]`}, {`[]`, `"a"`}, {`"x"`, `{"y":1}`}} {
		assert.Empty(t, nobody(t, `{"groups":[{"properties":[{"key":"k","value":`+values[0]+`},{"key":"k","value":`+values[1]+`}]}]}`), values)
	}
}

// All groups have to match nobody, and nobody may be let in besides them.
func TestGroups(t *testing.T) {
	t.Parallel()
	const contradiction = `{"properties":[{"key":"email","operator":"is_set"},{"key":"email","operator":"is_not_set"}]}`
	assert.Equal(t, `groups[0]: rollout_percentage is 0; groups[1]: "email" cannot be set and not set at once`,
		nobody(t, `{"groups":[{"rollout_percentage":0},`+contradiction+`],"super_groups":null,"feature_enrollment":false}`))
	assert.Equal(t, "groups is empty", nobody(t, `{"groups":[]}`))
	for _, filters := range []string{
		`{}`, `null`, `{"groups":null}`, `{"groups":[{}]}`, `{"groups":[{"rollout_percentage":0},{"rollout_percentage":0.01}]}`, `{"groups":["x"]}`,
		`{"groups":[{"rollout_percentage":"0"}]}`, `{"groups":[` + contradiction + `,{"properties":[{"key":"email","operator":"is_set"}]}]}`,
		`{"groups":[` + contradiction + `],"feature_enrollment":true}`, `{"groups":[],"super_groups":[{"rollout_percentage":100}]}`,
		`{"groups":[],"holdout":{"id":1,"exclusion_percentage":10}}`,
		`{"groups":[{"properties":[{"key":"email","operator":"rhymes_with","value":"a"},"odd",{"key":"n","type":"event","operator":"is_set"},{"key":"n","operator":7}]}]}`,
	} {
		assert.Empty(t, nobody(t, filters), filters)
	}
}
