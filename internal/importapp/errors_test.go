package importapp_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A refusal contains the object and PostHog's response, and is reported on the attribute that PostHog names. The
// state stays empty.
func TestRefusedCreate(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	env.SetFaults(testserver.Fault{Method: http.MethodPost, Status: http.StatusBadRequest, Body: object{
		"type": "validation_error", "code": "invalid_input", "detail": "This tag is odd.", "attr": "tag",
	}})
	app := env.Resource(t, typeName)
	found := app.Apply(object{"name": "Orders", "tag": "odd"}).Errors()
	require.Len(t, found, 1)
	assert.Equal(t, tftypes.NewAttributePath().WithAttributeName("tag"), found[0].Attribute)
	assert.Equal(t, `Could not create pipeline import app "Orders"`, found[0].Summary)
	assert.Contains(t, found[0].Detail, "This tag is odd.")
	assert.Nil(t, app.State("id"))
	assert.Empty(t, env.Apps(t))
}

// An app without a name is identified by its URL, without the token.
func TestNameOfTheNameless(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	env.SetFaults(testserver.Fault{Method: http.MethodPost, Status: http.StatusForbidden})
	found := env.Resource(t, typeName).Apply(object{"url": "https://example.com/a", "url_query": "private_token=t0k3n"})
	assert.Contains(t, found.Text(), `Could not create pipeline import app "https://example.com/a"`)
	assert.NotContains(t, found.Text(), "t0k3n")
}

// Failures after the create leave the state unchanged.
func TestRefusedLater(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	app := env.Resource(t, typeName)
	require.Empty(t, app.Apply(object{"name": "Orders"}).Errors().Text())
	env.SetFaults(testserver.Fault{Status: http.StatusInternalServerError})
	for verb, found := range map[string]acctest.Diagnostics{
		"read": app.Refresh(), "update": app.Apply(object{"name": "Refunds"}), "delete": app.Destroy(),
	} {
		require.True(t, found.HasError(), verb)
		assert.Contains(t, found.Text(), fmt.Sprintf("Could not %s pipeline import app %q", verb, "Orders"))
		assert.Contains(t, found.Text(), "with id 1 in organization "+env.OrganizationID)
	}
	assert.Equal(t, "Orders", app.State("name"))
}

// Destroying an app that is already deleted succeeds.
func TestDestroyOfWhatIsGone(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	app := env.Resource(t, typeName)
	require.Empty(t, app.Apply(object{"name": "Orders"}).Errors().Text())
	require.NoError(t, env.Server.DeleteApp(1))
	require.Empty(t, app.Destroy().Text())
	assert.Zero(t, env.Operations()["pipeline_import_apps_destroy"], "no delete request may be sent for an app that does not exist")
}

// A 404 that is not about the app keeps the app in the state.
func TestOrganizationIsGone(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	app := env.Resource(t, typeName)
	require.Empty(t, app.Apply(object{"name": "Orders"}).Errors().Text())
	env.SetFaults(testserver.Fault{Status: http.StatusNotFound, Body: object{
		"type": "invalid_request", "code": "not_found", "detail": "Organization not found.", "attr": nil,
	}})
	assert.True(t, app.Refresh().HasError())
	assert.Equal(t, "Orders", app.State("name"))

	// A 404 that does not come from PostHog also keeps the app in the state. The error shows what to check.
	env.SetFaults(testserver.Fault{Status: http.StatusNotFound, Body: ""})
	diags := app.Refresh()
	assert.Contains(t, diags.Errors().Text(), "404 Not Found, with no reason given")
	assert.Contains(t, diags.Errors().Text(), "Check base_url (POSTHOG_BASE_URL)")
	assert.Equal(t, "Orders", app.State("name"))
}

// Every malformed import ID is one error, without a request.
func TestImportOfWrongForm(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	for _, id := range []string{"orders", "1/", "/1", "a/b/1", env.OrganizationID, "0", "01", "-1"} {
		app := env.Resource(t, typeName)
		found := app.Import(id)
		require.Len(t, found, 1, id)
		assert.Equal(t, fmt.Sprintf("Could not import pipeline import app %q", id), found[0].Summary)
		assert.Contains(t, found[0].Detail, "ORGANIZATION/ID or ID")
	}
	assert.Empty(t, env.Journal())
}

// Importing an app that does not exist is an error that contains its ID.
func TestImportOfNothing(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	for _, id := range []string{"4711", env.OrganizationID + "/4711"} {
		found := env.Resource(t, typeName).Import(id)
		require.Len(t, found, 1, id)
		assert.Equal(t, "Could not import pipeline import app 4711", found[0].Summary)
	}
	found := env.Resource(t, typeName).Import(elsewhere + "/1")
	require.Len(t, found, 1)
	assert.Contains(t, found.Text(), "Organization not found")

	delete(env.Environment, "POSTHOG_ORGANIZATION_ID")
	found = env.Resource(t, typeName).Import("1")
	require.Len(t, found, 1)
	assert.Contains(t, found.Text(), "POSTHOG_ORGANIZATION_ID")
}
