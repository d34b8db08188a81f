package terraform_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// The title of what is refused names the attribute, in data sources and lists too.
func TestTitlesNameTheAttribute(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	for name, c := range map[string]struct {
		dataSource string
		config     object
		want       string
	}{
		"neither":      {"posthog_survey", nil, "Give one of id and name"},
		"both":         {"posthog_survey", object{"id": surveyID, "name": "N"}, "Give one of id and name"},
		"neither, app": {"posthog_pipeline_import_app", nil, "Give one of id and name"},
		"status":       {"posthog_surveys", object{"status": "live"}, "Invalid status"},
		"limit":        {"posthog_surveys_activity", object{"limit": 0}, "Invalid limit"},
	} {
		_, diags := env.ReadDataSource(t, c.dataSource, c.config)
		errs := diags.Errors()
		require.Len(t, errs, 1, "%s: %s", name, diags.Text())
		assert.Equal(t, c.want, errs[0].Summary, name)
		assert.NotEmpty(t, errs[0].Detail, name)
	}

	_, diags := env.List(t, "posthog_survey", object{"status": "live"}, false, 1)
	require.Len(t, diags.Errors(), 1)
	assert.Equal(t, "Invalid status", diags.Errors()[0].Summary)

	app := env.Resource(t, "posthog_pipeline_import_app").Validate(object{"name": "A", "url_query": "token=1"}).Errors()
	require.Len(t, app, 1, app.Text())
	assert.Equal(t, "Invalid url_query", app[0].Summary)
	assert.Empty(t, env.Journal())
}
