package audience

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A static cohort contains the persons in its list. A cohort that does not exist, or has filters, contains no one,
// because filters aren't evaluated. A cohort can't be used to exclude persons.
func TestCohorts(t *testing.T) {
	t.Parallel()
	inCohort := func(operator string, person *Person, cohorts map[int64]bool) Value {
		p := projectOf(asking(t, `[{"key":"id","type":"cohort","operator":"`+operator+`","value":1}]`))
		p.Cohorts = cohorts
		return valueIn(p, p.Flags[1], person, testTime)
	}
	listed := map[int64]bool{1: true}
	member, other := &Person{Cohorts: map[int64]bool{1: true}}, &Person{Cohorts: map[int64]bool{2: true}}
	require.True(t, inCohort("in", member, listed).Enabled)
	require.False(t, inCohort("in", other, listed).Enabled)
	require.False(t, inCohort("not_in", member, listed).Enabled)
	require.True(t, inCohort("not_in", other, listed).Enabled)

	for _, operator := range []string{"in", "not_in"} {
		require.Equal(t, "no cohort has the ID 1", inCohort(operator, member, nil).Conditions[0].Undecided)
		require.Contains(t, inCohort(operator, member, map[int64]bool{1: false}).Conditions[0].Undecided, "which are not evaluated here")
	}
	require.Contains(t, inCohort("exact", member, listed).Conditions[0].Undecided, "not for cohorts")
}
