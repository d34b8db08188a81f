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

// Parts that the documented API lacks are marked, but the client contains them.
func TestNeighboursAreMarked(t *testing.T) {
	t.Parallel()
	scopes := map[string]string{}
	for _, op := range api.AllOperations() {
		if op.Neighbour {
			scopes[op.ID] = op.Scope
		}
	}
	assert.Equal(t, map[string]string{
		"surveys_update": "survey:write", "surveys_launch_create": "survey:write", "surveys_stop_create": "survey:write",
		"surveys_stats_retrieve": "survey:read", "surveys_all_stats_retrieve": "survey:read",
		"pipeline_import_apps_update": "plugin:write", "projects_retrieve": "project:read", "projects_partial_update": "project:write",
		"actions_create": "action:write", "actions_retrieve": "action:read", "actions_partial_update": "action:write", "cohorts_retrieve": "cohort:read",
		"feature_flags_list": "feature_flag:read", "feature_flags_create": "feature_flag:write",
		"feature_flags_retrieve": "feature_flag:read", "feature_flags_partial_update": "feature_flag:write",
		"users_me_retrieve": "user:read", "personal_api_keys_current_retrieve": "",
	}, scopes)
}

func TestFieldsTellTheProfilesApart(t *testing.T) {
	t.Parallel()
	assert.Contains(t, api.HostedFields("Survey"), "schedule")
	assert.NotContains(t, api.HostedFields("Survey"), "conditions")
	assert.Contains(t, api.Fields("Survey"), "conditions")
	assert.Equal(t, []string{"url"}, api.HostedFields("PipelineImportAppRequest"))
}

// Dates, IDs, and enumerations have no empty value.
func TestPlainTexts(t *testing.T) {
	t.Parallel()
	texts := api.PlainTexts("Survey")
	assert.Subset(t, texts, []string{"base_language", "description", "name", "user_access_level"})
	for _, other := range []string{"id", "type", "start_date", "archived", "questions", "appearance"} {
		assert.NotContains(t, texts, other)
	}
	assert.Equal(t, []string{"description", "icon", "latest_tag", "name", "organization_name", "tag", "url"}, api.PlainTexts("PipelineImportApp"))
}
