package reconcile_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// namedSurveys generates surveys with unique names. The IDs come from a list.
func namedSurveys(t *testing.T, label string, ids []string) *rapid.Generator[[]source.Object] {
	t.Helper()
	return rapid.Custom(func(rt *rapid.T) []source.Object {
		names := rapid.Permutation([]string{"A", "B", "C", "D", "E", "F", "G", "H"}).Draw(rt, label+" names")
		var surveys []source.Object
		for i, id := range ids {
			if rapid.Bool().Draw(rt, label+" has "+id) {
				surveys = append(surveys, answered(t, "2", fmt.Sprintf(`{"id": %q, "name": %q, "type": "popover"}`, id, names[i])))
			}
		}
		return surveys
	})
}

// For any names in two sources, executing a plan in order never needs a name that is in use. Afterwards, each of A's
// surveys has its name in B, except surveys whose actions were refused. Dependencies run first, and a second plan is
// empty.
func TestPlanOfRandomNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		live := namedSurveys(t, "B", []string{"1", "2", "3", "4", "5", "6"}).Draw(rt, "B")
		desired := namedSurveys(t, "A", []string{"1", "2", "3", "4", "5", "8", "9"}).Draw(rt, "A")
		options := reconcile.Options{
			Match: rapid.SampledFrom([]reconcile.MatchBy{reconcile.ByID, reconcile.ByName}).Draw(rt, "match"), SameProject: true, MaxDeletes: 100,
			Delete: rapid.SampledFrom([]reconcile.Deletion{reconcile.KeepExtra, reconcile.DeleteWithResponses}).Draw(rt, "delete"),
		}

		applied := carriedOut(rt, desired, live, options)
		if applied.refused > 0 {
			require.Equal(rt, reconcile.KeepExtra, options.Delete, "only a survey that is not deleted may keep its name")
			return
		}
		for _, one := range desired {
			require.Contains(rt, applied.names, one.Name)
		}
		if options.Delete == reconcile.DeleteWithResponses {
			require.Len(rt, applied.names, len(desired))
		}

		var after []source.Object
		for name, id := range applied.names {
			after = append(after, answered(t, "2", fmt.Sprintf(`{"id": %q, "name": %q, "type": "popover"}`, id, name)))
		}
		require.Empty(rt, carriedOut(rt, desired, after, options).actions)
	})
}

// carried is a plan's result. It maps names to survey IDs.
type carried struct {
	names   map[string]string
	actions []reconcile.Action
	refused int
}

// carriedOut executes only a plan's name changes. Like PostHog, it rejects a name that is in use.
func carriedOut(t *rapid.T, desired, live []source.Object, options reconcile.Options) carried {
	options.ProjectID, options.NewID = "2", func() string { return "new" }
	p, err := reconcile.NewPlan(t.Context(), desired, live, options)
	require.NoError(t, err)

	c := carried{names: map[string]string{}, actions: p.Actions}
	for _, one := range live {
		c.names[one.Name] = one.ID
	}
	for i, action := range p.Actions {
		for _, first := range action.After {
			require.Less(t, first, i)
		}
		if action.Outcome == reconcile.Refused {
			c.refused++
			continue
		}
		name, err := action.SurveyRequest.Name.Get()
		if err == nil {
			require.NotContains(t, c.names, name, "%s needs the name of another survey: %s", action.Name, actionsIn(p))
		}
		for held, id := range c.names {
			if id == action.ID && (err == nil || action.Verb == reconcile.Delete) {
				delete(c.names, held)
			}
		}
		if err == nil {
			c.names[name] = map[bool]string{true: fmt.Sprint("new ", i), false: action.ID}[action.ID == ""]
		}
	}
	return c
}

func actionsIn(p reconcile.Plan) string {
	text, _ := json.Marshal(p.Actions) // contains only strings and numbers
	return string(text)
}
