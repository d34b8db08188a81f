package importapp_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A token in url is rejected, because a plan prints url. Neither the error nor the configuration line that Terraform
// prints below the error contains the token.
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

// PostHog responds with a server error if the URL has no scheme.
func TestURLNeedsAScheme(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"github.com/o/app", "//github.com/o/app", "app", "https:", "/srv/app"} {
		plan := acctest.Start(t).Resource(t, typeName).Plan(object{"url": address})
		assert.Contains(t, plan.Diagnostics.Errors().Text(), fmt.Sprintf("url is %q, which has no scheme", address))
	}
}

// The create sends the query. Neither the plan's nor the state's url contains it.
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

		// A changed token does not affect an existing app.
		config["url_query"] = "private_token=another"
		assert.True(t, app.IsEmpty(app.Plan(config)), "a rotated token must not change an existing app")

		imported := env.Resource(t, typeName)
		require.False(t, imported.Import(env.OrganizationID+"/1").HasError())
		assert.Equal(t, "https://github.com/o/app", imported.State("url"))
		env.ResetJournal()
		taken := imported.Plan(config)
		assert.Empty(t, taken.RequiresReplace)
		require.Empty(t, imported.ApplyPlan(taken).Text())
		assert.Empty(t, env.RequestBodies(t, http.MethodPatch), "an imported app must not cause an update")
		assert.True(t, imported.IsEmpty(imported.Plan(config)))
	}
}

func TestB11OneQuery(t *testing.T) {
	t.Parallel()
	app := acctest.Start(t).Resource(t, typeName)
	assert.True(t, app.Plan(object{"url": "https://a/b?ref=x", "url_query": "private_token=y"}).Diagnostics.HasError(), "a plan must reject url_query if url already contains a query")
	assert.True(t, app.Validate(object{"url_query": "private_token=y"}).HasError(), "validation must reject url_query without url")
}

// For an app without a URL, PostHog responds with an unspecific error.
func TestB11MissingAddressIsExplained(t *testing.T) {
	t.Parallel()
	capabilities := `{"scheduled_tasks":["runEveryHour"]}`
	failed := acctest.Start(t, acctest.Profile(testserver.Hosted)).Resource(t, typeName).Apply(object{"name": "Orders", "capabilities": capabilities})
	require.True(t, failed.HasError())
	assert.Contains(t, failed.Text(), `Set url to the URL that the app is installed from`)

	diags := acctest.Start(t).Resource(t, typeName).Apply(object{"name": "Orders", "capabilities": capabilities})
	assert.Empty(t, diags.Errors().Text(), "the documented profile must accept an app without url")
	assert.Contains(t, diags.Text(), "The import app has no url")
}

// PostHog repeats the request, but no error contains the token, whether it comes from url_query or from url in an older
// state.
func TestErrorsHideTheTokenOfAnApp(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	app := env.Resource(t, typeName)
	env.SetFaults(testserver.Fault{
		Operation: "pipeline_import_apps_create", Status: http.StatusBadRequest,
		Body: object{"type": "x", "code": "y", "attr": "url", "detail": "Could not fetch https://github.com/a/b?private_token=TOK%26SECRET, TOK&SECRET"},
	})
	// A leading question mark is refused.
	diags := app.Apply(object{"url": "https://github.com/a/b", "url_query": "?private_token=TOK%26SECRET"})
	require.True(t, diags.HasError())
	assert.Contains(t, diags.Text(), "Could not fetch https://github.com/a/b?[sensitive value]")
	assert.NotContains(t, diags.Text(), "SECRET")
	assert.Contains(t, env.RequestBodies(t, http.MethodPost)[0], `"url":"https://github.com/a/b?private_token=TOK%26SECRET"`)
}

// private returns an app whose token is only in the configuration.
func private(token any, version any) object {
	return object{
		"url": "https://github.com/o/app", "url_query_wo": token, "url_query_wo_version": version,
		"name": "Private", "capabilities": `{"scheduled_tasks":["runEveryHour"]}`,
	}
}

// The create sends the query, and neither the plan nor the state contains it. A changed version replaces the app, and
// a changed value does not.
func TestWriteOnlyQuery(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		env := acctest.Start(t, acctest.Profile(profile))
		app := env.Resource(t, typeName)
		plan := app.Plan(private("?private_token=t0k3n", 1))
		require.Empty(t, plan.Diagnostics.Text())
		assert.NotContains(t, plan.Planned.String(), "t0k3n")
		require.Empty(t, app.ApplyPlan(plan).Errors().Text())
		assert.Contains(t, env.RequestBodies(t, http.MethodPost)[0], `"url":"https://github.com/o/app?private_token=t0k3n"`)
		assert.Nil(t, app.State("url_query_wo"))
		assert.Equal(t, "https://github.com/o/app", app.State("url"))

		require.Empty(t, app.Refresh().Text())
		assert.True(t, app.IsEmpty(app.Plan(private("private_token=t0k3n", 1))))
		assert.True(t, app.IsEmpty(app.Plan(private("private_token=another", 1))), "a write-only value that changes without its version must not cause a change")
		assert.Empty(t, app.PlanBeforeRead(private("private_token=t0k3n", 1)))

		next := app.Plan(private("private_token=another", 2))
		assert.Equal(t, []*tftypes.AttributePath{tftypes.NewAttributePath().WithAttributeName("url_query_wo_version")}, next.RequiresReplace)
		require.Empty(t, app.Destroy().Text())
		require.Empty(t, app.Apply(private("private_token=another", 2)).Errors().Text())
		assert.Contains(t, env.RequestBodies(t, http.MethodPost)[1], `"url":"https://github.com/o/app?private_token=another"`)
	}
}

// Changes without a new token replace nothing and send no request. Such changes are the first version, a removed
// version, and a move from url_query or back.
func TestWriteOnlyQueryMovesInTheStateAlone(t *testing.T) {
	t.Parallel()
	plain := private(nil, nil)
	plain["url_query"] = "private_token=t0k3n"
	steps := []object{
		private("private_token=t0k3n", 1), private(nil, nil), private("private_token=another", 3), plain,
		private(tftypes.UnknownValue, 7), private("private_token=t0k3n", 4),
	}

	env := acctest.Start(t)
	app := env.Resource(t, typeName)
	require.Empty(t, app.Apply(plain).Errors().Text())
	imported := env.Resource(t, typeName)
	require.Empty(t, imported.Import("1").Text())
	env.ResetJournal()

	for name, o := range map[string]*acctest.Resource{"created": app, "imported": imported} {
		for i, config := range steps {
			plan := o.Plan(config)
			require.Empty(t, plan.Diagnostics.Errors().Text(), "%s, step %d", name, i)
			assert.Empty(t, plan.RequiresReplace, "%s, step %d", name, i)
			if config["url_query_wo"] == tftypes.UnknownValue {
				continue // the value is known at apply
			}
			require.Empty(t, o.ApplyPlan(plan).Text(), "%s, step %d", name, i)
			assert.Equal(t, config["url_query"], o.State("url_query"), "%s, step %d", name, i)
			assert.Equal(t, fmt.Sprint(config["url_query_wo_version"]), fmt.Sprint(o.State("url_query_wo_version")), "%s, step %d", name, i)
			assert.Nil(t, o.State("url_query_wo"), "%s, step %d", name, i)
			assert.True(t, o.IsEmpty(o.Plan(config)), "%s, step %d", name, i)
		}
	}
	assert.Empty(t, env.Journal())

	// An edit in the same apply is sent without the query.
	edited := private("private_token=t0k3n", 1)
	edited["name"] = "Another"
	require.Empty(t, app.Apply(edited).Text())
	assert.Equal(t, []string{`{"name":"Another"}`}, env.RequestBodies(t, http.MethodPatch))
}

func TestWriteOnlyQueryIsValidated(t *testing.T) {
	t.Parallel()
	app := acctest.Start(t).Resource(t, typeName)
	both := private("private_token=t0k3n", 1)
	both["url_query"] = "private_token=t0k3n"
	noAddress := private("private_token=t0k3n", 1)
	noAddress["url"] = nil

	for name, c := range map[string]struct {
		config      object
		title, says string
	}{
		"no number":  {private("private_token=t0k3n", nil), "Missing url_query_wo_version", "url_query_wo is set, and url_query_wo_version is not"},
		"no value":   {private(nil, 1), "Missing url_query_wo", "url_query_wo_version is set, and url_query_wo is not"},
		"no address": {noAddress, "Missing url", "url_query_wo is set, and url is not"},
		"both":       {both, "url_query conflicts with url_query_wo", "Remove one of them"},
	} {
		errs := app.Validate(c.config).Errors()
		require.Len(t, errs, 1, name)
		assert.Equal(t, c.title, errs[0].Summary, name)
		assert.Contains(t, errs[0].Detail, c.says, name)
		assert.NotContains(t, errs.Text(), "t0k3n", name)
	}

	// An unknown value may turn out to be null.
	for _, config := range []object{private(tftypes.UnknownValue, 1), private("private_token=t0k3n", tftypes.UnknownValue)} {
		assert.Empty(t, app.Validate(config).Text())
	}

	queries := private("private_token=t0k3n", 1)
	queries["url"] = "https://github.com/o/app?ref=main"
	refused := app.Plan(queries).Diagnostics.Errors()
	require.Len(t, refused, 1)
	assert.Equal(t, "Query in both url and url_query_wo", refused[0].Summary)
	assert.NotContains(t, refused.Text(), "t0k3n")
}

// Terraform before 1.11 would put the value into the state.
func TestWriteOnlyQueryNeedsAnewTerraform(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	server, err := env.Factories()["posthog"]()
	require.NoError(t, err)
	app := env.Resource(t, typeName)
	for _, capabilities := range []*tfprotov6.ValidateResourceConfigClientCapabilities{nil, {}} {
		resp, err := server.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
			TypeName: typeName, Config: app.Encode(private("private_token=t0k3n", 1)), ClientCapabilities: capabilities,
		})
		require.NoError(t, err)
		errs := acctest.Diagnostics(resp.Diagnostics).Errors()
		require.Len(t, errs, 1)
		assert.Contains(t, errs[0].Detail, "Write-only attributes are only supported in Terraform 1.11 and later")
		assert.NotContains(t, errs.Text(), "t0k3n")
	}
}

// PostHog repeats the requests of a create and of an update, but no error contains the query.
func TestErrorsHideTheWriteOnlyQuery(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	app := env.Resource(t, typeName)
	echo := object{"type": "x", "code": "y", "attr": "url", "detail": "Could not fetch https://github.com/o/app?private_token=TOK%26SECRET, TOK&SECRET"}
	config := private("private_token=TOK%26SECRET", 1)

	env.SetFaults(testserver.Fault{Operation: "pipeline_import_apps_create", Status: http.StatusBadRequest, Body: echo})
	diags := app.Apply(config)
	require.True(t, diags.HasError())
	assert.Contains(t, diags.Text(), "https://github.com/o/app?[sensitive value]")
	assert.NotContains(t, diags.Text(), "SECRET")

	env.SetFaults(testserver.Fault{Operation: "pipeline_import_apps_partial_update", Status: http.StatusBadRequest, Body: echo})
	require.Empty(t, app.Apply(config).Errors().Text())
	config["name"] = "Another"
	diags = app.Apply(config)
	require.True(t, diags.HasError())
	assert.NotContains(t, diags.Text(), "SECRET")
}

// Terraform plans an update if the schema's sensitive attributes differ from those of the version that wrote the
// state.
func TestL12SensitiveAttributes(t *testing.T) {
	t.Parallel()
	var sensitive []string
	for name, attribute := range importapp.ResourceSchema().Attributes {
		if attribute.IsSensitive() {
			sensitive = append(sensitive, name)
		}
	}
	assert.Equal(t, []string{"url_query"}, sensitive)
}
