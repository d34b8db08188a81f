package faultmatrix

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A survey that was created, with a response that cannot be decoded, is in the state for
// Terraform to replace: it is not left over.
func TestUnreadableAnswerToACreate(t *testing.T) {
	t.Parallel()
	env, n := acctest.Start(t), nouns[0]
	id := n.createOutside(t, env)
	env.SetFaults(testserver.Fault{Method: http.MethodPost, To: 1, Status: http.StatusCreated, Body: testserver.Object{
		"id": id, "name": objectName, "questions": []any{"Why?"},
	}})

	survey := env.Resource(t, n.typeName)
	diags := survey.Apply(n.config)
	require.True(t, diags.HasError())
	assert.Equal(t, id, survey.State("id"))

	env.NextRun(t, survey)
	require.Empty(t, survey.Apply(n.config).Errors().Text())
	assert.NotEqual(t, id, survey.State("id"))
	assert.Len(t, n.ids(env), 1)
}
