package terraform_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// profiles are the profiles of the test server in which surveys must behave the same.
var profiles = []testserver.Profile{testserver.Documented, testserver.Hosted}

// only returns the only survey on the server.
func only(t *testing.T, env *acctest.Env) map[string]any {
	t.Helper()
	surveys := env.Surveys(t)
	require.Len(t, surveys, 1)
	return surveys[0]
}

// dates describes the dates of the only survey.
func dates(t *testing.T, env *acctest.Env) string {
	t.Helper()
	survey := only(t, env)
	words := "never started"
	if survey["start_date"] != nil {
		words = "started"
	}
	if survey["end_date"] != nil {
		return words + ", ended"
	}
	return words + ", never ended"
}

// questionIDs returns the IDs of the questions in a survey or in a request body.
func questionIDs(t *testing.T, survey any) []string {
	t.Helper()
	raw, err := json.Marshal(survey)
	require.NoError(t, err)
	var read struct{ Questions []struct{ ID string } }
	require.NoError(t, json.Unmarshal(raw, &read))
	ids := []string{}
	for _, question := range read.Questions {
		require.NotEmpty(t, question.ID)
		ids = append(ids, question.ID)
	}
	return ids
}

// deleted deletes the only survey outside Terraform.
func deleted(t *testing.T, env *acctest.Env) {
	t.Helper()
	id, _ := only(t, env)["id"].(string)
	require.NoError(t, env.Server.DeleteSurvey(id))
}

// takenOver imports the first n surveys of a server into one state.
func takenOver(t *testing.T, env *acctest.Env, n int) []*acctest.Resource {
	t.Helper()
	objects := env.Resources(t, "posthog_survey", n)
	for i, one := range objects {
		require.Empty(t, one.Import(fmt.Sprintf("1/00000000-0000-4000-8000-%012d", i)).Errors().Text())
	}
	env.ResetJournal()
	return objects
}

// refreshed reads all objects, ten at a time as Terraform does.
func refreshed(t *testing.T, objects []*acctest.Resource) {
	t.Helper()
	acctest.Each(objects, func(_ int, one *acctest.Resource) {
		assert.Empty(t, one.Refresh().Text())
	})
}

// A refresh needs only a few requests, changes nothing, and detects edits.
func TestRefreshFromLists(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ inState, inProject, most int }{{1, 50, 1}, {20, 20, 2}} {
		for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
			t.Run(fmt.Sprint(c.inState, " of ", c.inProject, " ", profile), func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile), manySurveys(c.inProject))
				objects := takenOver(t, env, c.inState)
				last := objects[len(objects)-1]
				env.PatchSurvey(fmt.Sprintf("00000000-0000-4000-8000-%012d", c.inState-1), testserver.Object{"description": "by hand"})
				config := map[string]any{"name": "Survey 000", "type": "popover"}
				before := objects[0].Plan(config)
				require.Empty(t, before.Diagnostics.Errors().Text())
				env.ResetJournal() // the plan counts the answers of the questions that it removes
				refreshed(t, objects)
				assert.LessOrEqual(t, len(env.Journal()), c.most)
				assert.Equal(t, "by hand", last.State("description"))
				assert.Equal(t, before.Attributes(t), objects[0].Plan(config).Attributes(t))
			})
		}
	}
}

// A survey that is missing from the lists is removed from the state only after its own 404. With read_mode single,
// there are no lists.
func TestRefreshOfWhatIsGone(t *testing.T) {
	t.Parallel()

	for mode, want := range map[string]map[string]int{
		"auto":   {"surveys_retrieve": 2, "surveys_list": 1},
		"single": {"surveys_retrieve": 20},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()

			env := acctest.Start(t, manySurveys(20))
			env.Environment["POSTHOG_READ_MODE"] = mode
			objects := takenOver(t, env, 20)

			env.DeleteSurvey("00000000-0000-4000-8000-000000000007")

			for i, one := range objects {
				diags := one.Refresh()
				if i == 7 {
					assert.Contains(t, diags.Text(), "The survey no longer exists")
					continue
				}
				assert.Empty(t, diags.Text())
				assert.NotNil(t, one.State("id"))
			}

			assert.Equal(t, want, env.Operations())
		})
	}
}

// manySurveys starts the server with n surveys named Survey 000 and so on. Every second one is a widget, and every
// tenth is archived.
func manySurveys(n int) acctest.Option {
	surveys := make([]any, n)
	for i := range surveys {
		kind := "popover"
		if i%2 == 1 {
			kind = "widget"
		}
		surveys[i] = map[string]any{
			"project_id": "1", "id": fmt.Sprintf("00000000-0000-4000-8000-%012d", i), "name": fmt.Sprintf("Survey %03d", i),
			"type": kind, "archived": i%10 == 0, "created_at": time.Date(2026, 1, 1, 0, 0, i, 0, time.UTC).Format(time.RFC3339),
			"questions": []any{map[string]any{"type": "open", "question": fmt.Sprintf("Why %d?", i)}},
		}
	}

	document, err := json.Marshal(map[string]any{"surveys": surveys})
	if err != nil {
		panic(err) // plain maps can always be encoded
	}
	return acctest.Fixtures(string(document))
}
