package terraform_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A survey that is created running and targeted in one apply is offered to whom its filters
// choose, until they have answered; other filters choose others.
func TestAccSurveyIsOfferedToWhomItTargets(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	env.SetFixtures(`{"feature_flags":[{"id":5,"project_id":1,"key":"colours","filters":{
			"groups":[{"variant":"blue","properties":[{"key":"blue","value":"yes","operator":"exact","type":"person"}]},{"variant":"red"}],
			"multivariate":{"variants":[{"key":"red","rollout_percentage":50},{"key":"blue","rollout_percentage":50}]}}}],
		"persons":[{"project_id":1,"distinct_ids":["pro"],"properties":{"plan":"pro"}},{"project_id":1,"distinct_ids":["again"],"properties":{"plan":"pro"}},
			{"project_id":1,"distinct_ids":["blue"],"properties":{"plan":"pro","blue":"yes"}},{"project_id":1,"distinct_ids":["free"],"properties":{"plan":"free"}}]}`)

	offeredTo := func() (id, persons string) {
		id, ok := env.Surveys(t)[0]["id"].(string)
		require.True(t, ok)
		var names []string
		for _, person := range env.SurveyPeople(id) {
			if person.Offered {
				names = append(names, person.DistinctIDs[0])
			}
		}
		return id, strings.Join(names, " ")
	}
	applied := func(plan, want string) resource.TestStep {
		return resource.TestStep{
			ConfigFile: file("offered.tf"), ConfigVariables: config.Variables{"plan": config.StringVariable(plan)},
			Check: func(*terraform.State) error {
				_, persons := offeredTo()
				assert.Equal(t, want, persons, plan)
				return nil
			},
		}
	}

	answered := applied("pro", "again")
	answered.PreConfig = func() {
		id, _ := offeredTo()
		reply, err := http.Post(env.URL+"/e/", "text/plain", strings.NewReader(`{"event":"survey sent","properties":{"token":"phc_test","distinct_id":"pro",
			"$survey_id":"`+id+`","$survey_completed":true},"$set":{"$survey_responded/`+id+`":true}}`)) //nolint:noctx // a test
		require.NoError(t, err)
		require.NoError(t, reply.Body.Close())
		require.Equal(t, http.StatusOK, reply.StatusCode)
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps:                    []resource.TestStep{applied("pro", "pro again"), answered, applied("free", "free"), applied("pro", "again")},
	})
}
