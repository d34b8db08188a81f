package importapp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The configuration that is generated for an app says nothing of defaults, and plans no
// change.
func TestGeneratedConfig(t *testing.T) {
	t.Parallel()

	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(`{"organizations":[{"id":"018d4b5c-0000-7000-8000-000000000001","name":"Acme"}],
			"pipeline_import_apps":[{"organization_id":"018d4b5c-0000-7000-8000-000000000001","id":7,"name":"Tickets","plugin_type":"local",
				"url":"file:/apps/tickets","capabilities":{"scheduled_tasks":["runEveryHour"]}}]}`))
		o := env.Resource(t, typeName)
		require.Empty(t, o.Import("7").Errors().Text())
		config, plan := o.PlanGenerated()
		require.Empty(t, plan.Diagnostics.Errors().Text())
		require.True(t, o.IsEmpty(plan))

		var names []string
		for name, value := range config {
			if value != nil {
				names = append(names, name)
			}
		}
		assert.Subset(t, []string{"name", "plugin_type", "url", "capabilities"}, names, profile)
	}
}
