package testserver_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// After the routes of import apps are removed, every request to them gets the response for an unknown path,
// with or without a key. This includes requests that never matched a route. Surveys still work, and the apps
// are not lost.
func TestRemovedImportApps(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, testserver.Options{Profile: profile, Fixtures: strings.NewReader(pageFixtures)})
			c := call(t, srv)
			before := srv.Apps(srv.OrganizationID)
			srv.SetRemoved(testserver.RemovedImportApps)
			assert.Equal(t, []string{testserver.RemovedImportApps}, srv.Removed())

			for _, op := range api.AllOperations() {
				if !strings.Contains(op.Path, "pipeline_import_apps") {
					continue
				}
				path := strings.NewReplacer("{organization_id}", srv.OrganizationID, "{id}", "7").Replace(op.Path)
				c.do(op.Method, path, "{}").fails(http.StatusNotFound, "not_found", "", "Endpoint not found.")
				c.with("Authorization", "").do(op.Method, path, "{}").fails(http.StatusNotFound, "not_found", "", "Endpoint not found.")
			}
			for _, seen := range srv.Journal() {
				assert.Empty(t, seen.Operation, "the journal must not contain an operation of a removed route")
			}
			c.get(surveys).is(http.StatusOK)
			assert.Equal(t, before, srv.Apps(srv.OrganizationID))

			srv.SetRemoved()
			assert.Empty(t, srv.Removed())
			c.get(apps).is(http.StatusOK)
		})
	}
}

// Removed routes are part of the store: of its dump, of fixtures, of a reset, and of each world separately.
// The dump of a server without removed routes omits the key.
func TestRemovedIsPartOfTheStore(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Worlds: true})
	c := call(t, srv)
	assert.NotContains(t, srv.Dump(), "removed")

	srv.SetRemoved(testserver.RemovedImportApps, testserver.RemovedImportApps)
	removed := srv.Dump()
	assert.Contains(t, removed, `"removed":["pipeline_import_apps"]`)
	other, err := srv.Server.World("other")
	require.NoError(t, err)
	assert.Empty(t, other.Removed(), "a world must start with the initial store")

	srv.Reset()
	c.get(apps).is(http.StatusOK)
	srv.SetFixtures(removed)
	c.get(apps).is(http.StatusNotFound)
	assert.Equal(t, removed, srv.Dump())

	require.ErrorContains(t, srv.Server.SetRemoved("surveys"), `removed: "surveys" cannot be removed. Use pipeline_import_apps`)
	require.ErrorContains(t, srv.Server.SetFixtures(strings.NewReader(`{"removed": ["plugins"]}`)), `"plugins" cannot be removed`)
	require.ErrorContains(t, srv.Server.SetFixtures(strings.NewReader(`{"removed": "pipeline_import_apps"}`)), "removed")
	c.get(apps).is(http.StatusNotFound)
}

// Tests in other processes can remove routes through the control interface at any time.
func TestRemovedByTheControlInterface(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Worlds: true})
	c := call(t, srv)
	const path = "/_testserver/removed"
	c.get(path).is(http.StatusOK)
	assert.JSONEq(t, `{"removed":[]}`, c.get(path).body)

	c.put(path, `{"removed":["pipeline_import_apps"]}`).is(http.StatusNoContent)
	assert.JSONEq(t, `{"removed":["pipeline_import_apps"]}`, c.get(path).body)
	c.get(apps).is(http.StatusNotFound)
	for _, bad := range []string{``, `[]`, `{}`, `{"removed":["surveys"]}`, `{"removed":[1]}`, `{"removed":[],"more":1}`} {
		c.put(path, bad).is(http.StatusBadRequest)
	}
	c.get(apps).is(http.StatusNotFound)

	c.delete(path).is(http.StatusNoContent)
	c.get(apps).is(http.StatusOK)

	c.put(path+"?world=checkout", `{"removed":["pipeline_import_apps"]}`).is(http.StatusNoContent)
	c.get(apps).is(http.StatusOK)
	c.as("phx_test_checkout").get(apps).is(http.StatusNotFound)
}

// A fault for the removed routes selects them by path, because they have no operation.
func TestRemovedRoutesWithAFault(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetRemoved(testserver.RemovedImportApps)
	srv.SetFaults(testserver.Fault{Path: apps, Status: http.StatusGone})
	call(t, srv).get(apps).is(http.StatusGone)
}

// The page has a button for removing the routes, next to the apps.
func TestPageRemovesImportApps(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures)})
	_, page := getPage(t, srv.URL+"/?tab=apps")
	assert.Contains(t, page, ">Remove the routes</button>")
	_, page = getPage(t, srv.URL+"/")
	assert.NotContains(t, page, "Remove the routes")

	_, page = postPage(t, srv, "removed", url.Values{"form": {"removed"}, "do": {"remove"}})
	assert.Contains(t, page, "The import app routes are removed.")
	assert.Contains(t, page, ">GeoIP</a>", "the apps must stay in the store")
	call(t, srv).get(apps).is(http.StatusNotFound)

	_, page = postPage(t, srv, "removed", url.Values{"form": {"removed"}, "do": {"bring-back"}})
	assert.Contains(t, page, ">Remove the routes</button>")
	call(t, srv).get(apps).is(http.StatusOK)
}
