package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// Every command prints the questions with detached answers, and one working command for each group of questions.
func TestDetachedNotes(t *testing.T) {
	t.Parallel()
	counts := func(before, since int64) identity.Counts {
		return identity.Counts{Before: &before, Since: &since, Stays: since > 0}
	}
	certain := identity.Detached{Position: 0, Text: "A", ID: "x", OldID: "a", Counts: counts(2, 0)}
	both := identity.Detached{Position: 1, Text: "B", ID: "y", OldID: "b", Counts: counts(2, 1)}
	possible := identity.Detached{Position: 2, Text: "C", ID: "z", OldID: "c", OldText: "D", Counts: counts(2, 0), IsPossible: true}
	harmless := identity.Detached{Position: 0, Text: "A", ID: "x", OldID: "a", Counts: counts(0, 1)}
	const lineOfA = `questions[0] "A": detached answers (at most 2 answers under the old ID a, no answers under the new ID x)`
	for name, c := range map[string]struct {
		list identity.DetachedList
		how  repairing
		want []string
	}{
		"certain": {identity.DetachedList{certain}, repairing{}, []string{lineOfA, "To restore the old IDs, run:", "posthog-sync repair NPS --yes"}},
		"of another environment": {identity.DetachedList{certain}, repairing{flags: []string{"--env", "my prod"}}, []string{
			lineOfA, "To restore the old IDs, run:", "posthog-sync repair NPS --env 'my prod' --yes",
		}},
		"all kinds": {identity.DetachedList{certain, both, possible, harmless}, repairing{}, []string{
			lineOfA,
			`questions[1] "B": detached answers (at most 2 answers under the old ID b, 1 answer under the new ID y)`,
			`questions[2] "C": possibly detached answers of "D" (at most 2 answers under the old ID c, no answers under the new ID z)`,
			"To restore the old IDs, run:", "posthog-sync repair NPS --yes",
			"There are or may be answers under both IDs. To restore the old IDs, which detaches the answers under the new ones, run:", "posthog-sync repair NPS --question y=b --yes",
			"If a question is the same, restore its old ID:", "posthog-sync repair NPS --question z=c --yes",
		}},
		"stated, without a log": {identity.DetachedList{certain}, repairing{isUnlogged: true, stating: "The file states the old IDs."}, []string{lineOfA, "The file states the old IDs."}},
		"from a state, without a log": {identity.DetachedList{certain}, repairing{isUnlogged: true, flags: []string{"--state", "."}}, []string{
			lineOfA, "To restore the old IDs, run:", "posthog-sync repair NPS --state . --question x=a --yes",
		}},
		"from YAML, without a log": {identity.DetachedList{certain}, repairing{isUnlogged: true, otherwise: "posthog-sync sync file:a.yaml live --yes"}, []string{
			lineOfA, "To restore the old IDs, run:", "posthog-sync sync file:a.yaml live --yes",
		}},
		"harmless": {identity.DetachedList{harmless}, repairing{}, []string{"Question IDs were replaced. No answers are affected."}},
	} {
		assert.Equal(t, c.want, newDetachedSurvey("1", "NPS", c.list, c.how).notes(), name)
	}
	assert.Equal(t, "posthog-sync repair 1 --yes", newDetachedSurvey("1", "--help", nil, repairing{}).command(nil), "the command must use the ID of a survey whose name looks like a flag")
}
