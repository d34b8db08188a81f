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

// App names are not unique. If another run just created an app with the same name, the plan does not create a second
// app. Apps that existed during planning do not count.
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
	assert.Contains(t, second.Actions[0].Reason, "created after the plan, with ID "+first.Actions[0].ID+";")
	for _, request := range requests {
		assert.Equal(t, http.MethodGet, request.Method)
	}
	assert.Len(t, s.live(), 1)
}

// If two runs create an app at the same time, the run whose app has the higher ID deletes its app. One app is left,
// no matter which run was first.
func TestADuplicateIsWithdrawn(t *testing.T) {
	t.Parallel()
	for _, isFirst := range []bool{true, false} {
		s := newTarget(t, testserver.Documented)
		plan := s.plan(app(t, `"name": "Tickets", "plugin_type": "source"`))
		require.Len(t, plan.Actions, 1)

		// The other run acts between this run's searches before and after the create request.
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
			assert.Len(t, s.live(), 2, "the other run must delete its own app")
			continue
		}
		assert.Equal(t, reconcile.Skipped, action.Outcome)
		assert.Contains(t, action.Reason, "created after the plan, with ID "+theirs+";")
		assert.Empty(t, action.ID)
		require.Len(t, s.live(), 1)
		assert.Equal(t, theirs, s.live()[0].ID)
	}
}
