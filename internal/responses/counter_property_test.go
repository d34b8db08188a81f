package responses_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

var begin = time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)

// step is an action on a survey in a script. There is one step per minute.
type step struct {
	what   string
	survey int
}

// life contains a script's surveys and their history.
type life struct {
	srv    *testserver.Instance
	client *client.Client
	ids    []string
	isOn   []bool
	isGone []bool
	// answered contains the times at which each survey could be answered.
	answered [][]time.Time
}

// live runs a script on a server with the given fixtures.
func live(t testing.TB, profile testserver.Profile, script []step, fixtures string) *life {
	t.Helper()
	l := &life{srv: testserver.Start(t, testserver.Options{Profile: profile, Fixtures: strings.NewReader(fixtures)})}
	c, err := client.New(client.Options{BaseURL: l.srv.URL, APIKey: l.srv.APIKey})
	require.NoError(t, err)
	l.client = c
	for i, s := range script {
		l.do(t, s, begin.Add(time.Duration(i)*time.Minute))
	}
	l.srv.SetClock(begin.Add(time.Duration(len(script)) * time.Minute))
	return l
}

func (l *life) do(t testing.TB, s step, now time.Time) {
	t.Helper()
	l.srv.SetClock(now)
	start := func(at nullable.Nullable[string]) api.SurveyRequest { return api.SurveyRequest{StartDate: at} }
	set := nullable.NewNullableWithValue(now.Format(time.RFC3339))
	ended := func(at nullable.Nullable[string]) api.SurveyRequest { return api.SurveyRequest{EndDate: at} }
	null := nullable.NewNullNullable[string]()

	if s.what == "create" || s.what == "create running" {
		body := api.SurveyRequest{Name: nullable.NewNullableWithValue(fmt.Sprint("Survey ", len(l.ids))), Type: nullable.NewNullableWithValue(api.Popover)}
		if s.what == "create running" {
			body.StartDate = set
		}
		created, err := l.client.Surveys("1").Create(t.Context(), body)
		require.NoError(t, err)
		l.ids, l.isOn, l.isGone, l.answered = append(l.ids, *created.ID), append(l.isOn, s.what == "create running"), append(l.isGone, false), append(l.answered, nil)
	} else if i := s.survey; i < len(l.ids) && !l.isGone[i] {
		requests := map[string][]api.SurveyRequest{
			"launch": {start(set), ended(null)}, "draft": {start(null), ended(null)}, "stop": {ended(set)},
			"archive": {{Archived: nullable.NewNullableWithValue(true)}}, "rename": {{Name: nullable.NewNullableWithValue(fmt.Sprint("Survey ", i, " at ", now))}},
		}[s.what]
		for _, request := range requests {
			_, err := l.client.Surveys("1").Update(t.Context(), l.ids[i], request)
			require.NoError(t, err)
		}
		switch s.what {
		case "delete":
			require.NoError(t, l.client.Surveys("1").Delete(t.Context(), l.ids[i]))
			l.isGone[i], l.isOn[i] = true, false
		case "launch", "rename":
			l.isOn[i] = l.isOn[i] || s.what == "launch"
		default:
			l.isOn[i] = false
		}
	}
	for i, isOn := range l.isOn {
		if isOn {
			l.answered[i] = append(l.answered[i], now.Add(30*time.Second))
		}
	}
}

// fixtures returns fixtures with a response for each time in answered that answers selects.
func (l *life) fixtures(t testing.TB, answers func(i int) bool) (document string, numbers []int64) {
	t.Helper()
	list := []map[string]any{}
	numbers = make([]int64, len(l.ids))
	for i, moments := range l.answered {
		for _, at := range moments {
			if answers(len(list)) {
				list = append(list, map[string]any{"project_id": 1, "survey_id": l.ids[i], "count": 1, "at": at.Format(time.RFC3339)})
				numbers[i]++
			}
		}
	}
	text, err := json.Marshal(map[string]any{"responses": list})
	require.NoError(t, err)
	return string(text), numbers
}

// A known number counts all responses that a survey ever received, whatever happened to it and to other
// surveys. If a number is unknown, there is a reason.
func TestKnownNumbersAreTrue(t *testing.T) {
	t.Parallel()
	verbs := []string{"create", "create", "create running", "launch", "launch", "draft", "draft", "stop", "archive", "rename", "delete"}
	steps := rapid.Custom(func(t *rapid.T) step {
		return step{rapid.SampledFrom(verbs).Draw(t, "what"), rapid.IntRange(0, 3).Draw(t, "survey")}
	})

	known, unknown := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		profile := rapid.SampledFrom([]testserver.Profile{testserver.Documented, testserver.Hosted}).Draw(r, "profile")
		script := rapid.SliceOfN(steps, 1, 12).Draw(r, "script")
		answers := rapid.SliceOfN(rapid.Bool(), 60, 60).Draw(r, "answers")
		feed := rapid.Bool().Draw(r, "the key may read the feed")

		document, numbers := live(t, profile, script, `{}`).fixtures(t, func(i int) bool { return i >= len(answers) || answers[i] })
		l := live(t, profile, script, document)
		if !feed {
			l.srv.SetFaults(testserver.Fault{Operation: "surveys_activity_retrieve", Status: 403})
		}
		counter := responses.NewCounter(l.client.Surveys("1"), nil)
		first := make([]responses.Number, len(l.ids))
		for i, id := range l.ids {
			number := counter.Of(t.Context(), id)
			first[i] = number
			switch {
			case l.isGone[i]:
				require.ErrorIs(r, number.Err, responses.ErrNoSuchSurvey)
			case number.IsKnown():
				known++
				require.Equal(r, numbers[i], number.Counted, "survey %d", i)
			default:
				unknown++
				require.Equal(r, testserver.Hosted, profile)
				require.LessOrEqual(r, number.Counted, numbers[i])
				require.NotEmpty(r, number.Reason)
			}
		}

		// A run that deletes surveys may delete the one with the earliest start_date, from which PostHog counts.
		for i, id := range l.ids {
			if !l.isGone[i] {
				require.Equal(r, first[i], counter.Now(t.Context(), id), "survey %d after others were deleted", i)
				l.srv.DeleteSurvey(id)
			}
		}
	})
	require.Greater(t, known, unknown, "most numbers must be known")
	t.Log(known, "known,", unknown, "unknown")
}
