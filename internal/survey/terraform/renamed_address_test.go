package terraform_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// N3: a survey whose resource address changes is destroyed and created. In any order of plans and reads, the plan
// reports this once, with the moved block that keeps the survey. If the create is certain to fail, the plan reports an
// error.
func TestN3ChangedAddress(t *testing.T) {
	t.Parallel()
	orders := map[string]string{
		"destroy first": "read destroy create", "create between": "read create destroy", "create first": "create read destroy",
		"without a refresh": "destroy create", "create first, without a refresh": "create destroy",
	}
	for policy, title := range map[string]string{
		"delete": `This plan deletes survey "NPS" and creates it again`, "archive": "The replacement would fail", "abandon": "The replacement would fail",
	} {
		for name, order := range orders {
			t.Run(policy+" "+name, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t)
				both := env.Resources(t, "posthog_survey", 2)
				config := object{"name": "NPS", "type": "popover", "deletion_policy": policy}
				require.Empty(t, both[0].Apply(config).Errors().Text())
				env.NextRun(t, both...)

				warnings := ""
				for step := range strings.FieldsSeq(order) {
					switch step {
					case "read":
						warnings += both[0].Refresh().Text()
					case "destroy":
						warnings += both[0].PlanDestroy().Diagnostics.Text()
					case "create":
						warnings += both[1].Plan(config).Diagnostics.Text()
					}
				}
				assert.Equal(t, 1, strings.Count(warnings, title), warnings)
				assert.Equal(t, 1, strings.Count(warnings, "moved {"), warnings)
				assert.Equal(t, policy != "delete", strings.Contains(warnings, "ERROR"), warnings)
			})
		}
	}
}

// N3: a create waits while the survey with its name is being deleted.
func TestN3CreateWaitsForTheDestroy(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Clock(time.Now))
	env.UseSynctest()
	synctest.Test(t, func(t *testing.T) {
		both := env.Resources(t, "posthog_survey", 2)
		config := object{"name": "NPS", "type": "popover"}
		require.Empty(t, both[0].Apply(config).Errors().Text())
		env.SetFaults(testserver.Fault{Operation: "surveys_destroy", DelayMS: 3000})

		destroyed := make(chan string)
		go func() { destroyed <- both[0].Destroy().Errors().Text() }()
		time.Sleep(time.Second) // this is the bubble's clock
		require.Empty(t, both[1].Apply(config).Errors().Text())
		require.Empty(t, <-destroyed)
		assert.Len(t, env.Surveys(t), 1)
	})
}

// N3: after a create failed because the name is taken, the survey is not destroyed, because that would be half of a
// replacement.
func TestN3DestroyAfterTheFailedCreate(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	both := env.Resources(t, "posthog_survey", 2)
	config := object{"name": "NPS", "type": "popover"}
	require.Empty(t, both[0].Apply(config).Errors().Text())

	assert.Contains(t, both[1].Apply(config).Errors().Text(), "Could not create survey")
	env.ResetJournal()
	refused := both[0].Destroy().Errors().Text()
	assert.Contains(t, refused, "Nothing was deleted")
	assert.Contains(t, refused, "moved {")
	assert.Empty(t, env.RequestBodies(t, http.MethodDelete))

	require.Empty(t, both[0].Destroy().Errors().Text(), "the second destroy must succeed")
	assert.Empty(t, env.Surveys(t))
}
