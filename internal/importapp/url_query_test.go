package importapp_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A plan prints url, so a token in it is refused, and not repeated by the refusal: neither in
// its text, nor in the line of the configuration that Terraform prints below an error of an
// attribute.
func TestB11TokenInURLIsRefused(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"https://github.com/o/app?private_token=t0k3n", "https://github.com/o/app?ref=main&ACCESS_TOKEN=t0k3n",
		"https://github.com/o/app?api_key=t0k3n", "https://github.com/o/app?%zzt0k3n",
		"https://oauth2:t0k3n@github.com/o/app", "https://t0k3n@github.com/o/app", "https://github.com/o/app#token=t0k3n",
		"https://github.com/o/app?ref=main#glpat-t0k3n",
	} {
		plan := acctest.Start(t).Resource(t, typeName).Plan(object{"url": address})
		errs := plan.Diagnostics.Errors()
		require.Len(t, errs, 1, address)
		assert.Empty(t, errs[0].Attribute.Steps())
		assert.Contains(t, errs.Text(), "url_query")
		assert.NotContains(t, errs.Text(), "t0k3n")
	}
	for _, address := range []string{"https://github.com/o/app?ref=main", "https://github.com/o/app#readme", "ssh://git@github.com/o/app", "file:/srv/@a/app"} {
		plan := acctest.Start(t).Resource(t, typeName).Plan(object{"url": address})
		assert.Empty(t, plan.Diagnostics.Errors().Text(), address)
	}
}

// The query goes to the service with the create, and no plan or state has it in url.
func TestB11QueryIsSentAndNotShown(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		env := acctest.Start(t, acctest.Profile(profile))
		app := env.Resource(t, typeName)
		config := object{"url": "https://github.com/o/app", "url_query": "private_token=t0k3n", "capabilities": `{"scheduled_tasks":["runEveryHour"]}`}
		diags := app.Apply(config)
		require.False(t, diags.HasError(), diags.Text())
		assert.Contains(t, env.RequestBodies(t, http.MethodPost)[0], `"url":"https://github.com/o/app?private_token=t0k3n"`)
		assert.Equal(t, "https://github.com/o/app", app.State("url"))

		require.False(t, app.Refresh().HasError())
		assert.Equal(t, "https://github.com/o/app", app.State("url"))
		assert.True(t, app.IsEmpty(app.Plan(config)), "%s", profile)

		// Another token has no effect on an app that is there.
		config["url_query"] = "private_token=another"
		assert.True(t, app.IsEmpty(app.Plan(config)), "a rotated token")

		imported := env.Resource(t, typeName)
		require.False(t, imported.Import(env.OrganizationID+"/1").HasError())
		assert.Equal(t, "https://github.com/o/app", imported.State("url"))
		env.ResetJournal()
		taken := imported.Plan(config)
		assert.Empty(t, taken.RequiresReplace)
		require.Empty(t, imported.ApplyPlan(taken).Text())
		assert.Empty(t, env.RequestBodies(t, http.MethodPatch), "an imported app has nothing to send")
		assert.True(t, imported.IsEmpty(imported.Plan(config)))
	}
}

func TestB11OneQuery(t *testing.T) {
	t.Parallel()
	app := acctest.Start(t).Resource(t, typeName)
	assert.True(t, app.Plan(object{"url": "https://a/b?ref=x", "url_query": "private_token=y"}).Diagnostics.HasError(), "two queries")
	assert.True(t, app.Validate(object{"url_query": "private_token=y"}).HasError(), "no url")
}

// The hosted service fails on an app without an address, with an error that says nothing.
func TestB11MissingAddressIsExplained(t *testing.T) {
	t.Parallel()
	capabilities := `{"scheduled_tasks":["runEveryHour"]}`
	failed := acctest.Start(t, acctest.Profile(testserver.Hosted)).Resource(t, typeName).Apply(object{"name": "Orders", "capabilities": capabilities})
	require.True(t, failed.HasError())
	assert.Contains(t, failed.Text(), `set the url that it is installed from`)

	diags := acctest.Start(t).Resource(t, typeName).Apply(object{"name": "Orders", "capabilities": capabilities})
	assert.Empty(t, diags.Errors().Text(), "the documented interface takes it")
	assert.Contains(t, diags.Text(), "The import app has no address")
}

// The service repeats what it was sent, and the token is in no error: neither one of
// url_query nor, in a state that has it already, one of url.
func TestErrorsHideTheTokenOfAnApp(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	app := env.Resource(t, typeName)
	env.SetFaults(testserver.Fault{
		Operation: "pipeline_import_apps_create", Status: http.StatusBadRequest,
		Body: object{"type": "x", "code": "y", "attr": "url", "detail": "Could not fetch https://github.com/a/b?private_token=TOK%26SECRET, TOK&SECRET"},
	})
	// A leading question mark is one too many.
	diags := app.Apply(object{"url": "https://github.com/a/b", "url_query": "?private_token=TOK%26SECRET"})
	require.True(t, diags.HasError())
	assert.Contains(t, diags.Text(), "Could not fetch https://github.com/a/b?[sensitive value]")
	assert.NotContains(t, diags.Text(), "SECRET")
	assert.Contains(t, env.RequestBodies(t, http.MethodPost)[0], `"url":"https://github.com/a/b?private_token=TOK%26SECRET"`)
}
