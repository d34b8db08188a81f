package terraform_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// The state of another provider has the id of the flag that the service created for a
// survey. Filters in its place are those of the same flag, which stays.
func TestFiltersTakeThePlaceOfTheIDOfTheOwnFlag(t *testing.T) {
	t.Parallel()
	const stored, others = `{"groups":[{"rollout_percentage":5}]}`, `{"groups":[{"rollout_percentage":7}]}`
	for _, profile := range profiles {
		for filters, sent := range map[string]string{stored: "", others: `{"targeting_flag_filters":` + others + `}`} {
			t.Run(string(profile)+" "+filters, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(`{"surveys":[{"project_id":"1","id":"`+surveyID+`","name":"Quiet","type":"popover",
					"targeting_flag":{"id":63,"key":"survey-targeting-c30e0ddcd6","filters":`+stored+`}}]}`))
				survey := env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Import("1/"+surveyID).Text())
				require.Empty(t, survey.Upgrade(func(attributes map[string]any) {
					attributes["targeting_flag_id"], attributes["targeting_flag_filters"] = 63, nil
				}).Text())
				require.Empty(t, survey.Refresh().Text())
				require.True(t, survey.IsEmpty(survey.Plan(with(object{"targeting_flag_id": 63}))), "the id stays possible")

				env.ResetJournal()
				config := with(object{"targeting_flag_filters": filters})
				require.Empty(t, survey.Apply(config).Text())
				var written string
				for _, request := range env.Journal() {
					if request.Method == http.MethodPatch {
						written += string(request.Body)
					}
				}
				if sent == "" {
					assert.Empty(t, written)
				} else {
					assert.JSONEq(t, sent, written)
				}

				flag, _ := only(t, env)["targeting_flag"].(map[string]any)
				assert.EqualValues(t, "63", flag["id"])
				assert.Equal(t, "survey-targeting-c30e0ddcd6", flag["key"])
				require.Empty(t, survey.Refresh().Text())
				assert.True(t, survey.IsEmpty(survey.Plan(config)))
			})
		}
	}
}
