package terraform_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A survey has the URLs of its pages after the first apply. The page for respondents is open while the survey runs,
// and exists only for one type.
func TestLinks(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	survey := env.Resource(t, "posthog_survey")
	config := object{"name": "NPS", "type": "external_survey", "status": "running", "questions": []any{object{"type": "open", "question": "Why?"}}}
	assert.Nil(t, survey.Plan(object{"name": "NPS", "type": "popover"}).Attribute(t, "public_url"), "a popover does not have a public page, so public_url must be null in the plan")
	require.Empty(t, survey.Apply(config).Errors().Text())

	page, public := survey.State("url").(string), survey.State("public_url").(string)
	assert.True(t, strings.HasSuffix(page, "/project/1/surveys/"+survey.State("id").(string)), page)
	assert.NotContains(t, strings.TrimPrefix(page, "http://"), "//")
	resp, err := http.Get(public) //nolint:noctx,gosec // the test server's own page
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, http.StatusOK, resp.StatusCode, public)

	for attribute, want := range map[string]any{"url": page, "public_url": public} {
		one, diags := env.ReadDataSource(t, "posthog_survey", object{"name": "NPS"})
		require.Empty(t, diags.Errors().Text())
		assert.Equal(t, want, one[attribute])
		all, diags := env.ReadDataSource(t, "posthog_surveys", object{})
		require.Empty(t, diags.Errors().Text())
		assert.Equal(t, want, all["surveys"].([]any)[0].(map[string]any)[attribute])
		assert.Equal(t, want, survey.Plan(config).Attribute(t, attribute))
	}

	for _, typ := range []string{"popover", "external_survey"} {
		var want any
		if config["type"] = typ; typ == "external_survey" {
			want = public
		}
		assert.Equal(t, page, survey.Plan(config).Attribute(t, "url"))
		require.Empty(t, survey.Apply(config).Errors().Text())
		assert.Equal(t, page, survey.State("url"))
		assert.Equal(t, want, survey.State("public_url"))
	}
}

// An import and a list return the URLs, like an apply does.
func TestLinksOfAnImport(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	id := env.CreateSurvey(testserver.Object{"project_id": env.ProjectID, "name": "NPS", "type": "external_survey"})["id"].(string)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Import(env.ProjectID+"/"+id).Errors().Text())
	page, public := env.URL+"/project/1/surveys/"+id, env.URL+"/external_surveys/"+id
	assert.Equal(t, []any{page, public}, []any{survey.State("url"), survey.State("public_url")})

	listed, diags := env.List(t, "posthog_survey", object{}, true, 10)
	require.Empty(t, diags.Errors().Text())
	require.Len(t, listed, 1)
	assert.Equal(t, []any{page, public}, []any{listed[0].Resource["url"], listed[0].Resource["public_url"]})
}

// A state from a version without these URLs plans no change, with or without a read. A read or a write adds them.
func TestStateWithoutLinks(t *testing.T) {
	t.Parallel()
	for how, next := range map[string]func(*acctest.Resource, object){
		"read": func(survey *acctest.Resource, _ object) { survey.Refresh() },
		"write": func(survey *acctest.Resource, config object) {
			config["description"] = "More"
			require.Empty(t, survey.Apply(config).Errors().Text())
		},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			survey := env.Resource(t, "posthog_survey")
			config := object{"name": "NPS", "type": "external_survey", "questions": []any{object{"type": "open", "question": "Why?"}}}
			require.Empty(t, survey.Apply(config).Errors().Text())
			survey.Refresh()
			page, public := survey.State("url"), survey.State("public_url")

			survey.Upgrade(func(attributes map[string]any) {
				delete(attributes, "url")
				delete(attributes, "public_url")
			})
			require.Nil(t, survey.State("url"))
			assert.True(t, survey.IsEmpty(survey.Plan(config)), "the plan before a refresh must be empty")

			next(survey, config)
			assert.Equal(t, []any{page, public}, []any{survey.State("url"), survey.State("public_url")})
			assert.True(t, survey.IsEmpty(survey.Plan(config)))
		})
	}
}

// If PostHog's base URL changes, a read updates the URLs, although the survey is unchanged.
func TestLinksOfAnotherAddress(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(full()).Errors().Text())
	survey.Refresh()
	survey.Refresh()

	env.Environment["POSTHOG_BASE_URL"] = strings.Replace(env.URL, "127.0.0.1", "localhost", 1) + "/"
	env.NextRun(t, survey)
	survey.Refresh()
	assert.Equal(t, env.Environment["POSTHOG_BASE_URL"]+"project/1/surveys/"+survey.State("id").(string), survey.State("url"))
}
