package past_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/answers"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Whatever teammates and scripts save, a repair moves no answers to another question. With the activity log, a repair
// reattaches the answers to every question that the log identifies.
func TestRepairKeepsAnswersAtRandom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		profile testserver.Profile
		hasLog  bool
	}{{testserver.Hosted, true}, {testserver.Hosted, false}, {testserver.Documented, false}} {
		t.Run(fmt.Sprint(c.profile, " log=", c.hasLog), func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, testserver.Options{Profile: c.profile})
			service, err := client.New(client.Options{BaseURL: srv.URL, APIKey: srv.APIKey})
			require.NoError(t, err)
			answers.Check(t, func(*rapid.T) answers.Adapter {
				return &repairAnswers{Server: answers.NewServer(srv, c.profile), surveys: service.Surveys(srv.ProjectID), hasLog: c.hasLog}
			})
		})
	}
}

// repairAnswers plans and carries out repairs.
type repairAnswers struct {
	*answers.Server

	surveys *client.Surveys
	hasLog  bool
}

// Commands implements [answers.Adapter].
func (r *repairAnswers) Commands() []answers.Command { return []answers.Command{answers.Repair} }

// Run implements [answers.Adapter].
func (r *repairAnswers) Run(t *rapid.T, command answers.Command, code []answers.Question) answers.Report {
	if command == answers.Apply {
		r.create(t, code)
		return answers.Report{}
	}

	now, err := r.surveys.Retrieve(t.Context(), r.SurveyID())
	require.NoError(t, err)
	raws, err := now.Questions.Get()
	require.NoError(t, err)
	live, ok := past.ParseQuestionList(raws)
	require.True(t, ok)
	var feed past.Feed
	if r.hasLog {
		feed, err = past.ReadFeed(t.Context(), func(ctx context.Context, page, _ int64) (json.RawMessage, error) {
			return r.surveys.ActivityPage(ctx, r.SurveyID(), page, 3)
		})
		require.NoError(t, err)
	}

	counter := &past.ServiceCounter{Surveys: r.surveys, SurveyID: r.SurveyID(), FirstLaunch: feed.FirstLaunch(time.Time{})}
	plan, err := past.PlanRepair(t.Context(), r.SurveyID(), raws, past.Follow(live, feed), counter, past.RepairOptions{})
	require.NoError(t, err)
	past.Repair(t.Context(), r.surveys, counter, &plan)

	report := answers.Report{HasLog: r.hasLog}
	for _, q := range plan.Questions {
		for _, choice := range q.Choices() {
			report.Messages = append(report.Messages, fmt.Sprintf("%s: %s %s was %s %s: %s", q.Outcome, q.ID, q.Text, choice.ID, choice.Text, q.Reason))
		}
	}
	return report
}

// create creates the survey, running.
func (r *repairAnswers) create(t *rapid.T, code []answers.Question) {
	var raws []json.RawMessage
	for _, q := range code {
		raw, err := json.Marshal(q.Wire())
		require.NoError(t, err)
		raws = append(raws, raw)
	}
	_, err := r.surveys.CreateOnce(t.Context(), api.SurveyRequest{
		Name: nullable.NewNullableWithValue("NPS"), Type: nullable.NewNullableWithValue(api.Popover), Questions: nullable.NewNullableWithValue(raws),
		StartDate: nullable.NewNullableWithValue("2026-03-01T00:00:00Z"),
	})
	require.NoError(t, err)
}
