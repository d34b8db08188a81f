package reconcile_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Names of apps aren't unique: an app with the same name that another run just created replaces the planned one. Apps
// that existed during the plan don't count.
func TestAnAppOfAnotherRun(t *testing.T) {
	t.Parallel()
	s := newTarget(t, testserver.Documented)
	desired := app(t, `"name": "Tickets", "plugin_type": "source"`)
	first, second := s.plan(desired), s.plan(desired)
	require.Len(t, first.Actions, 1)

	s.run(&first)
	require.Equal(t, reconcile.Done, first.Actions[0].Outcome, "%v", first.Actions[0].Reason)
	requests := s.run(&second)
	assert.Equal(t, reconcile.Skipped, second.Actions[0].Outcome)
	assert.Contains(t, second.Actions[0].Reason, "created since this was planned, with id "+first.Actions[0].ID+";")
	for _, request := range requests {
		assert.Equal(t, http.MethodGet, request.Method)
	}
	assert.Len(t, s.live(), 1)
}

// If two runs create an app at the same time, the one with the higher ID deletes its app, and the other keeps it. One
// app is left, whichever was first.
func TestADuplicateIsWithdrawn(t *testing.T) {
	t.Parallel()
	for _, isFirst := range []bool{true, false} {
		s := newTarget(t, testserver.Documented)
		plan := s.plan(app(t, `"name": "Tickets", "plugin_type": "source"`))
		require.Len(t, plan.Actions, 1)

		// The other run acts between the search before the create and the search after it.
		theirs := ""
		act := func(request *http.Request) {
			if request.Method == http.MethodPost {
				theirs = fmt.Sprint(s.srv.CreateApp(testserver.Object{"name": "Tickets", "plugin_type": "source"})["id"])
			}
		}
		if isFirst {
			s.after = act
		} else {
			s.before = act
		}
		s.run(&plan)

		action := plan.Actions[0]
		require.NotEmpty(t, theirs)
		if isFirst {
			assert.Equal(t, reconcile.Done, action.Outcome, "%v", action.Reason)
			assert.Len(t, s.live(), 2, "the other run withdraws its own")
			continue
		}
		assert.Equal(t, reconcile.Skipped, action.Outcome)
		assert.Contains(t, action.Reason, "created since this was planned, with id "+theirs+";")
		assert.Empty(t, action.ID)
		require.Len(t, s.live(), 1)
		assert.Equal(t, theirs, s.live()[0].ID)
	}
}
