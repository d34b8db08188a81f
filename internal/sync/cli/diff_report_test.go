package cli

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
)

// A diff prints a command for the IDs that it is certain of, and another one, with each pair of IDs,
// for those that are only possible.
func TestDetachedNotes(t *testing.T) {
	t.Parallel()
	certain := reconcile.Attribute{Path: "questions[0].id", A: "a", B: "x", Meaning: identity.DetachedAnswers, Answers: "at most 2 answers"}
	possible := reconcile.Attribute{Path: "questions[1].id", A: "b", B: "y", Meaning: identity.DetachedAnswers, Answers: "at most 3 answers", IsPossible: true}
	none := reconcile.Attribute{Path: "questions[0].id", A: "a", B: "x", Meaning: identity.DetachedAnswers, Answers: past.Known(0).UpTo()}
	notesOfCertain := []string{"detached answers: at most 2 answers under ID a. To restore the old IDs, run:", "posthog-sync repair NPS --yes"}
	notesOfPossible := []string{
		"possibly detached answers: at most 3 answers under ID b. If a question is the same, restore its old ID:",
		"posthog-sync repair NPS --question y=b --yes",
	}
	for name, c := range map[string]struct {
		attributes []reconcile.Attribute
		want       []string
	}{
		"nothing":  {},
		"certain":  {[]reconcile.Attribute{certain}, notesOfCertain},
		"possible": {[]reconcile.Attribute{possible}, notesOfPossible},
		"both":     {[]reconcile.Attribute{possible, certain}, slices.Concat(notesOfCertain, notesOfPossible)},
		"harmless": {[]reconcile.Attribute{none}, []string{"Question IDs were replaced. No answers are affected."}},
	} {
		assert.Equal(t, c.want, detachedNotes("NPS", c.attributes), name)
	}
}
