package reconcile_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// target is a server on which tests execute plans.
type target struct {
	*testing.T
	srv    *testserver.Instance
	client *client.Client
	reconcile.Target
	*meanwhile
}

// meanwhile lets another client send requests before and after a run's requests.
type meanwhile struct{ before, after func(*http.Request) }

// RoundTrip implements http.RoundTripper.
func (m *meanwhile) RoundTrip(request *http.Request) (*http.Response, error) {
	if m.before != nil {
		m.before(request)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if m.after != nil {
		m.after(request)
	}
	return response, err
}

func newTarget(t *testing.T, profile testserver.Profile) *target {
	t.Helper()
	srv := testserver.Start(t, testserver.Options{Profile: profile})
	var mu sync.Mutex
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	others := &meanwhile{}
	wait := func(_ context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(d)
		return nil
	}
	c, err := client.New(client.Options{BaseURL: srv.URL, APIKey: srv.APIKey, UserAgent: "test", Now: clock, Sleep: wait, Transport: others})
	require.NoError(t, err)
	return &target{t, srv, c, reconcile.Target{Client: c, ProjectID: srv.ProjectID, OrganizationID: srv.OrganizationID}, others}
}

// live returns the server's objects.
func (s *target) live() []source.Object {
	s.Helper()
	var objects []source.Object
	for wire, err := range s.client.Surveys(s.srv.ProjectID).List(s.Context(), client.ListOptions{PageSize: 100}) {
		require.NoError(s, err)
		o, err := source.FromSurvey(s.Context(), wire, s.srv.ProjectID)
		require.NoError(s, err)
		objects = append(objects, o)
	}
	for wire, err := range s.client.PipelineImportApps(s.srv.OrganizationID).List(s.Context(), client.ListOptions{PageSize: 100}) {
		require.NoError(s, err)
		o, err := source.FromApp(s.Context(), wire, s.srv.OrganizationID)
		require.NoError(s, err)
		objects = append(objects, o)
	}
	return objects
}

// plan returns a plan that makes the server equal to the desired objects and deletes all other objects.
func (s *target) plan(desired ...source.Object) reconcile.Plan {
	s.Helper()
	surveys := s.client.Surveys(s.srv.ProjectID)
	plan, err := reconcile.NewPlan(s.Context(), desired, s.live(), reconcile.Options{
		ProjectID: s.srv.ProjectID, OrganizationID: s.srv.OrganizationID, Delete: reconcile.DeleteUnanswered, MaxDeletes: 9, NewID: uuid.NewString,
		Responses: responses.NewCounter(surveys, nil).Of,
	})
	require.NoError(s, err)
	return plan
}

// run executes a plan and returns its requests.
func (s *target) run(plan *reconcile.Plan) []testserver.Request {
	s.Helper()
	s.srv.ResetJournal()
	done := 0
	s.Run(s.Context(), plan, func() { done++ })
	assert.Equal(s, len(plan.Actions), done)
	return s.srv.Journal()
}

// Run shadows the Run method of testing.T.
func (s *target) Run(ctx context.Context, plan *reconcile.Plan, done func()) {
	s.Target.Run(ctx, plan, done)
}

func wanted(t *testing.T, text string) source.Object {
	t.Helper()
	var wire api.Survey
	require.NoError(t, json.Unmarshal([]byte(`{"id": "a", "type": "popover", `+text+`}`), &wire))
	o, err := source.FromSurvey(t.Context(), wire, "elsewhere")
	require.NoError(t, err)
	return o
}

func app(t *testing.T, text string) source.Object {
	t.Helper()
	var wire api.PipelineImportApp
	require.NoError(t, json.Unmarshal([]byte(`{"id": 900, "organization_id": "elsewhere", `+text+`}`), &wire))
	o, err := source.FromApp(t.Context(), wire, "elsewhere")
	require.NoError(t, err)
	return o
}

// outcomes maps names to the outcomes of actions.
func outcomes(plan reconcile.Plan) map[string]reconcile.Outcome {
	all := map[string]reconcile.Outcome{}
	for _, action := range plan.Actions {
		all[action.Name] = action.Outcome
	}
	return all
}

// Run reads every object immediately before it writes the object, and a second plan is empty.
func TestReadsBeforeEachWrite(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		s := newTarget(t, profile)
		s.srv.CreateSurvey(testserver.Object{"name": "Changed", "type": "popover"})
		s.srv.CreateSurvey(testserver.Object{"name": "Deleted", "type": "popover"})
		s.srv.CreateApp(testserver.Object{"name": "Tickets", "url": "https://example.com/tickets", "plugin_type": "custom"})
		desired := []source.Object{wanted(t, `"name": "Changed", "description": "new"`), wanted(t, `"name": "Created"`)}

		plan := s.plan(desired...)
		removed := map[testserver.Profile]int{testserver.Documented: 2, testserver.Hosted: 1}[profile] // the hosted profile hides the app
		require.Len(t, plan.Actions, 2+removed, profile)
		requests := s.run(&plan)
		for name, outcome := range outcomes(plan) {
			assert.Equal(t, reconcile.Done, outcome, "%s: %s: %v", profile, name, plan.Actions)
		}

		written := map[string]bool{}
		for i, request := range requests {
			if request.Method == http.MethodGet || request.Method == http.MethodPost {
				continue
			}
			assert.False(t, written[request.Path], "%s was written more than once", request.Path)
			written[request.Path] = true
			isRead := false
			for _, earlier := range requests[:i] {
				isRead = isRead || earlier.Method == http.MethodGet && earlier.Path == request.Path
			}
			assert.True(t, isRead, "%s %s was sent without reading the object first", request.Method, request.Path)
		}
		assert.Len(t, written, 1+removed)
		assert.Empty(t, s.plan(desired...).Actions, "%s: the plan after a sync must be empty", profile)
	}
}

// If an object was edited after planning, its action writes nothing, and all other actions run.
func TestAnEditSinceThePlanIsKept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		meanwhile func(s *target, id string)
		want      string
	}{
		"changed": {func(s *target, id string) { s.srv.PatchSurvey(id, testserver.Object{"description": "theirs"}) }, "it changed after the plan"},
		"renamed": {func(s *target, id string) { s.srv.PatchSurvey(id, testserver.Object{"name": "Theirs"}) }, "it changed after the plan"},
		"deleted": {func(s *target, id string) { s.srv.DeleteSurvey(id) }, "it was deleted after the plan"},
		"launched": {func(s *target, id string) {
			s.srv.PatchSurvey(id, testserver.Object{"start_date": "2026-05-01T00:00:00Z"})
		}, "it changed after the plan"},
	} {
		for _, isRemoved := range []bool{false, true} {
			s := newTarget(t, testserver.Documented)
			id, _ := s.srv.CreateSurvey(testserver.Object{"name": "Raced", "type": "popover"})["id"].(string)
			s.srv.CreateSurvey(testserver.Object{"name": "Other", "type": "popover"})
			desired := []source.Object{wanted(t, `"name": "Other", "description": "new"`)}
			if !isRemoved {
				desired = append(desired, wanted(t, `"name": "Raced", "description": "mine"`))
			}

			plan := s.plan(desired...)
			require.Len(t, plan.Actions, 2)
			c.meanwhile(s, id)
			requests := s.run(&plan)
			for _, action := range plan.Actions {
				if action.Name == "Other" {
					assert.Equal(t, reconcile.Done, action.Outcome, name)
					continue
				}
				assert.Equal(t, reconcile.Skipped, action.Outcome, name)
				assert.Contains(t, action.Reason, c.want, name)
			}
			for _, request := range requests {
				assert.False(t, strings.Contains(request.Path, id) && request.Method != http.MethodGet, "%s: %s", name, request.Method)
			}
		}
	}
}

// L11: the same is true for an edit that is made while a write waits for PostHog.
func TestL11AnEditDuringAWaitIsKept(t *testing.T) {
	t.Parallel()
	for operation, c := range map[string]struct {
		fault testserver.Fault
		want  string
	}{
		"surveys_partial_update": {testserver.Fault{Operation: "surveys_retrieve", From: 2, Edit: testserver.Object{"description": "theirs"}}, "it changed after the plan; run again to see the difference"},
		"surveys_destroy":        {testserver.Fault{Operation: "surveys_responses_count_retrieve", From: 2, Status: http.StatusOK, Body: map[string]int{raced: 9}}, "9 responses arrived after the plan; run again"},
	} {
		s := newTarget(t, testserver.Documented)
		s.srv.CreateSurvey(testserver.Object{"id": raced, "name": "Raced", "type": "popover"})
		var desired []source.Object
		if operation == "surveys_partial_update" {
			desired = append(desired, wanted(t, `"name": "Raced", "description": "mine"`))
		}
		plan := s.plan(desired...)
		require.Len(t, plan.Actions, 1)

		s.srv.SetFaults(testserver.Fault{Operation: operation, To: 1, RetryAfter: "4"}, c.fault)
		s.run(&plan)
		assert.Equal(t, reconcile.Skipped, plan.Actions[0].Outcome)
		assert.Equal(t, c.want, plan.Actions[0].Reason)
	}

	s := newTarget(t, testserver.Documented)
	s.srv.CreateApp(testserver.Object{"name": "Tickets", "plugin_type": "source"})
	plan := s.plan(app(t, `"name": "Tickets", "plugin_type": "source", "description": "mine"`))
	require.Len(t, plan.Actions, 1)
	s.srv.SetFaults(
		testserver.Fault{Operation: "pipeline_import_apps_partial_update", To: 1, RetryAfter: "4"},
		testserver.Fault{Operation: "pipeline_import_apps_retrieve", From: 2, Edit: testserver.Object{"description": "theirs"}},
	)
	s.run(&plan)
	assert.Contains(t, plan.Actions[0].Reason, "it changed after the plan")
}

// raced is the ID of a survey that other clients change.
const raced = "018f2a3b-0000-4000-8000-0000000000aa"

// A name that was taken after planning does not cause a failure. The next plan shows which survey has the name.
func TestANameTakenSinceThePlan(t *testing.T) {
	t.Parallel()
	s := newTarget(t, testserver.Documented)
	plan := s.plan(wanted(t, `"name": "NPS"`))
	taken := s.srv.CreateSurvey(testserver.Object{"name": "NPS", "type": "popover"})
	s.run(&plan)
	require.Len(t, plan.Actions, 1)
	assert.Equal(t, reconcile.Skipped, plan.Actions[0].Outcome)
	assert.Contains(t, plan.Actions[0].Reason, "created after the plan, with ID "+taken["id"].(string))
	assert.Len(t, s.live(), 1)
}

// After a failure, independent actions still run, except deletions.
func TestAfterAFailure(t *testing.T) {
	t.Parallel()
	s := newTarget(t, testserver.Documented)
	failing, _ := s.srv.CreateSurvey(testserver.Object{"name": "Failing", "type": "popover"})["id"].(string)
	s.srv.CreateSurvey(testserver.Object{"name": "Deleted", "type": "popover"})
	plan := s.plan(wanted(t, `"name": "Failing", "description": "new"`), wanted(t, `"name": "Other"`))
	s.srv.SetFaults(testserver.Fault{Method: http.MethodPatch, Status: http.StatusForbidden})
	requests := s.run(&plan)

	assert.Equal(t, map[string]reconcile.Outcome{"Failing": reconcile.Failed, "Other": reconcile.Done, "Deleted": reconcile.NotRun}, outcomes(plan))
	for _, action := range plan.Actions {
		if action.ID == failing {
			assert.Contains(t, action.Reason, "403 Forbidden")
		}
		if action.Name == "Deleted" {
			assert.Equal(t, "objects are not deleted or archived after a failure; run again", action.Reason)
		}
	}
	for _, request := range requests {
		assert.NotEqual(t, http.MethodDelete, request.Method)
	}
}

// If an action did not run, actions that depend on it directly or indirectly do not start.
func TestWhatWaitsIsNotRun(t *testing.T) {
	t.Parallel()
	s := newTarget(t, testserver.Documented)
	plan := reconcile.Plan{AppIDs: map[string]bool{}}
	for i, name := range []string{"A", "B", "C"} {
		action := reconcile.Action{Kind: source.Survey, Verb: reconcile.Update, Name: name, ID: uuid.NewString(), Outcome: reconcile.Planned}
		if i > 0 {
			action.After = []int{i - 1}
		}
		plan.Actions = append(plan.Actions, action)
	}
	s.run(&plan)
	assert.Equal(t, map[string]reconcile.Outcome{"A": reconcile.Skipped, "B": reconcile.NotRun, "C": reconcile.NotRun}, outcomes(plan))
	assert.Equal(t, `update survey "B" must succeed first; run again`, plan.Actions[2].Reason)
}

// After the context ends, no action starts. Refused actions never start.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	s := newTarget(t, testserver.Documented)
	plan := s.plan(wanted(t, `"name": "One"`), wanted(t, `"name": "Two"`), wanted(t, `"name": "Three"`))
	for i := range plan.Actions {
		if plan.Actions[i].Name == "One" {
			plan.Actions[i].Outcome = reconcile.Refused
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	started := 0
	s.Run(ctx, &plan, func() {
		if started++; started == 2 {
			cancel()
		}
	})

	byOutcome := map[reconcile.Outcome]int{}
	for _, action := range plan.Actions {
		byOutcome[action.Outcome]++
		if action.Outcome == reconcile.NotRun {
			assert.Equal(t, "interrupted", action.Reason)
		}
	}
	assert.Equal(t, map[reconcile.Outcome]int{reconcile.Refused: 1, reconcile.Done: 1, reconcile.NotRun: 1}, byOutcome)
	assert.Len(t, s.live(), 1)
}
