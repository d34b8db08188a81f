package api_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

func TestOperationsAreTheDocumentedOnes(t *testing.T) {
	t.Parallel()
	scopes := map[string]string{}
	for _, op := range api.Operations() {
		scopes[op.ID] = op.Scope
		assert.NotEmpty(t, op.Method)
		assert.Regexp(t, `^/api/(projects|organizations)/.*/$`, op.Path)
	}
	assert.Len(t, scopes, 21)
	assert.Equal(t, "survey:read", scopes["surveys_list"])
	assert.Equal(t, "survey:write", scopes["surveys_destroy"])
	assert.Equal(t, "activity_log:read", scopes["surveys_all_activity_retrieve"])
	assert.Equal(t, "plugin:write", scopes["pipeline_import_apps_create"])
	assert.Empty(t, scopes["pipeline_import_apps_unused_retrieve"])
}

func TestFieldsTellTheProfilesApart(t *testing.T) {
	t.Parallel()
	assert.Contains(t, api.HostedFields("Survey"), "schedule")
	assert.NotContains(t, api.HostedFields("Survey"), "conditions")
	assert.Contains(t, api.Fields("Survey"), "conditions")
	assert.Equal(t, []string{"url"}, api.HostedFields("PipelineImportAppRequest"))
}

// Dates, ids and enumerations have no empty value.
func TestPlainTexts(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"base_language", "description", "name", "search_match_type", "user_access_level"}, api.PlainTexts("Survey"))
	assert.Equal(t, []string{"description", "icon", "latest_tag", "name", "organization_name", "tag", "url"}, api.PlainTexts("PipelineImportApp"))
}
