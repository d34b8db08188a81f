package importapp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// No file is no change: nothing is sent.
func TestUpdateOfNoSourceIsRefused(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	_, diags := env.Invoke(t, "posthog_pipeline_import_app_update_source", object{"app_id": 1, "source": object{}})
	assert.Contains(t, diags.Errors().Text(), "source is empty")
	assert.Empty(t, env.Journal())
}
