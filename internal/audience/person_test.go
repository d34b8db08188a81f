package audience

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// inCohort is the value of a flag for those in, or not in, cohort 1 of a project.
func inCohort(t *testing.T, operator string, person *Person, cohorts ...*Cohort) Value {
	t.Helper()
	p := projectOf(asking(t, `[{"key":"id","type":"cohort","operator":"`+operator+`","value":1}]`))
	for i, c := range cohorts {
		p.Cohorts[int64(i+1)] = c
	}
	return valueIn(p, p.Flags[1], person, testTime)
}

func TestStaticCohort(t *testing.T) {
	t.Parallel()
	static := NewCohort(true, nil)
	member, other := &Person{Cohorts: map[int64]bool{1: true}}, &Person{Cohorts: map[int64]bool{2: true}}
	require.True(t, inCohort(t, "in", member, static).Enabled)
	require.False(t, inCohort(t, "in", other, static).Enabled)
	require.False(t, inCohort(t, "not_in", member, static).Enabled)
	require.True(t, inCohort(t, "not_in", other, static).Enabled)
}

func TestDynamicCohort(t *testing.T) {
	t.Parallel()
	filters := decode(t, `{"properties":{"type":"OR","values":[
		{"type":"AND","values":[
			{"key":"email","type":"person","operator":"icontains","value":"@example.com"},
			{"key":"plan","type":"person","value":"free","negation":true}]},
		{"type":"OR","values":[
			{"key":"id","type":"cohort","value":"2"},
			{"type":"AND","values":[{"key":"age","type":"person","operator":"gt","value":"64"},{"type":"property","values":[]}]}]}]}}`)
	cohorts := []*Cohort{NewCohort(false, filters), NewCohort(true, nil)}

	for properties, want := range map[string]bool{
		`{"email":"a@example.com","plan":"pro"}`:  true,
		`{"email":"a@example.com"}`:               true,
		`{"email":"a@example.com","plan":"free"}`: false,
		`{"plan":"pro"}`:                          false,
		`{"age":65}`:                              true,
		`{"age":"unknown"}`:                       false,
	} {
		person := somebody(t, properties)
		require.Equal(t, want, inCohort(t, "in", person, cohorts...).Enabled, properties)
		require.Equal(t, !want, inCohort(t, "not_in", person, cohorts...).Enabled, properties)
		person.Cohorts = map[int64]bool{2: true}
		require.True(t, inCohort(t, "in", person, cohorts...).Enabled, properties)
	}
}

// A cohort that does not exist, asks for itself or has no filters has nobody, and nobody
// can be taken out of one that cannot be decided.
func TestCohortsWithoutPeople(t *testing.T) {
	t.Parallel()
	person := somebody(t, `{}`)
	circle := []*Cohort{
		NewCohort(false, decode(t, `{"properties":{"type":"AND","values":[{"key":"id","type":"cohort","value":2}]}}`)),
		NewCohort(false, decode(t, `{"properties":{"type":"AND","values":[{"key":"id","type":"cohort","value":1}]}}`)),
	}
	for _, operator := range []string{"in", "not_in"} {
		missing := inCohort(t, operator, person)
		require.Equal(t, "there is no cohort 1", missing.Conditions[0].Undecided)
		require.Contains(t, inCohort(t, operator, person, circle...).Conditions[0].Undecided, "asks for itself")
	}
	require.Contains(t, inCohort(t, "exact", person, NewCohort(true, nil)).Conditions[0].Undecided, "not for cohorts")

	events := NewCohort(false, decode(t, `{"properties":{"type":"OR","values":[
		{"key":"$pageview","type":"behavioral","value":"performed_event","negation":true}]}}`))
	require.Contains(t, inCohort(t, "in", person, events).Conditions[0].Undecided, "behavioral")

	for _, filters := range []string{`{}`, `null`, `[]`, `{"properties":{}}`, `{"properties":{"type":"XOR","values":[]}}`} {
		require.False(t, inCohort(t, "in", person, NewCohort(false, decode(t, filters))).Enabled, filters)
		require.True(t, inCohort(t, "not_in", person, NewCohort(false, decode(t, filters))).Enabled, filters)
	}
}
