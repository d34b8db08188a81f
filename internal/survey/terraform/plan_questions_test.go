package terraform_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// A list with an element that is not known yet is planned as it is: nothing is matched, and
// what is known of the other elements stays. Terraform refuses a plan that says more.
func TestPartlyUnknownQuestionsArePlannedAsTheyAre(t *testing.T) {
	t.Parallel()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(asking(open(nil), open(object{"question": "And why?"}))).Errors().Text())

	plan := survey.Plan(asking(open(nil), tftypes.UnknownValue, open(object{"question": "And why?", "description": tftypes.UnknownValue})))
	assert.Empty(t, plan.Diagnostics.Errors().Text())
	questions, ok := plan.Attribute(t, "questions").([]any)
	require.True(t, ok)
	require.Len(t, questions, 3)
	assert.Equal(t, "Why?", questions[0].(map[string]any)["question"])
	assert.Equal(t, tftypes.UnknownValue, questions[1])
	assert.Equal(t, "And why?", questions[2].(map[string]any)["question"])
	assert.Equal(t, tftypes.UnknownValue, questions[2].(map[string]any)["description"])
}

// A question may turn out to be null after terraform validate, when what it depends on is
// known: the plan refuses it, for a new survey and for one that exists.
func TestNullQuestionIsRefusedInAPlan(t *testing.T) {
	t.Parallel()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	config := asking(open(nil), nil)
	assertPlaced(t, "questions[1]", survey.Plan(config).Diagnostics)

	require.Empty(t, survey.Apply(asking(open(nil))).Errors().Text())
	assertPlaced(t, "questions[1]", survey.Plan(config).Diagnostics)
}
