package terraform_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// The list of surveys is filtered by their status.
func TestSurveysByStatus(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	for _, status := range []string{"draft", "running", "completed"} {
		require.Empty(t, env.Resource(t, "posthog_survey").Apply(with(object{"name": status, "status": status})).Errors().Text())
	}
	for _, status := range []string{"draft", "running", "completed"} {
		found, diags := env.ReadDataSource(t, "posthog_surveys", object{"status": status})
		require.Empty(t, diags.Text())
		surveys, _ := found["surveys"].([]any)
		require.Len(t, surveys, 1)
		assert.Contains(t, fmt.Sprint(surveys[0]), "name:"+status)
	}
}
