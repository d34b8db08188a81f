package terraform_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// takenOver takes the first n surveys of a server over, as one state of Terraform.
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

// A refresh takes a handful of requests, changes nothing, and sees what others did.
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
				refreshed(t, objects)
				assert.LessOrEqual(t, len(env.Journal()), c.most)
				assert.Equal(t, "by hand", last.State("description"))
				assert.Equal(t, before.Attributes(t), objects[0].Plan(config).Attributes(t))
			})
		}
	}
}

// What is gone from the lists is taken out of the state by its own 404 alone; with
// read_mode single there are no lists.
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
