package client

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// onAllAppRoutes returns faults for every operation on import apps, existing or not.
func onAllAppRoutes(fault testserver.Fault) []testserver.Fault {
	var all []testserver.Fault
	for _, op := range api.AllOperations() {
		if strings.HasPrefix(op.ID, "pipeline_import_apps_") {
			fault.Operation = op.ID
			all = append(all, fault)
		}
	}
	return all
}

// eachAppOperation sends a request of each kind.
func eachAppOperation(ctx context.Context, apps *PipelineImportApps) map[string]error {
	errs := map[string]error{}
	_, errs["retrieve"] = apps.Retrieve(ctx, 7)
	_, errs["read"] = apps.Read(ctx, 7)
	_, errs["create"] = apps.CreateOnce(ctx, api.PipelineImportAppRequest{}, true)
	_, errs["update"] = apps.Update(ctx, 7, api.PipelineImportAppRequest{})
	errs["delete"] = apps.Delete(ctx, 7)
	_, errs["source"] = apps.Source(ctx, 7)
	_, errs["unused"] = apps.UnusedIDs(ctx)
	_, errs["upgrade"] = apps.Upgrade(ctx, 7, api.PipelineImportAppRequest{})
	for _, err := range apps.List(ctx, ListOptions{}) {
		errs["list"] = err
	}
	errs["check"] = apps.CheckRemoval(ctx)
	return errs
}

const oneApp = `{"pipeline_import_apps": [{"organization_id": "` + testserver.DefaultOrganizationID + `", "id": 7, "name": "GeoIP", "plugin_type": "local",
	"capabilities": {"methods": ["runEveryHour"]}}]}`

// PostHog has removed import apps if none of their routes exists but surveys do. Finding out takes three requests in
// total, and doesn't make an app count as deleted.
func TestL15RemovedImportApps(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(*testserver.Instance){
		"endpoint not found": func(srv *testserver.Instance) { srv.SetRemoved(testserver.RemovedImportApps) },
		"410": func(srv *testserver.Instance) {
			srv.SetFaults(onAllAppRoutes(testserver.Fault{Status: http.StatusGone})...)
		},
		"410, a page": func(srv *testserver.Instance) {
			srv.SetFaults(onAllAppRoutes(testserver.Fault{Status: http.StatusGone, HTML: true})...)
		},
		"404, a page": func(srv *testserver.Instance) {
			srv.SetFaults(onAllAppRoutes(testserver.Fault{Status: http.StatusNotFound, HTML: true})...)
		},
	} {
		for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
			t.Run(name+" "+string(profile), func(t *testing.T) {
				t.Parallel()
				srv := testserver.Start(t, testserver.Options{Profile: profile})
				remove(srv)

				apps := of(t, srv).PipelineImportApps(srv.OrganizationID)
				for what, err := range eachAppOperation(t.Context(), apps) {
					require.Error(t, err, what)
					assert.True(t, IsRemoved(err), "%s: %v", what, err)
					assert.False(t, IsNotFound(err), what)
				}

				assert.Len(t, srv.Journal(), 3)
			})
		}
	}
}

// If surveys can't be reached either, PostHog has removed nothing: the URL is wrong, or a proxy can't reach the
// service. The same is true if only one route or one app is missing.
func TestL15NotRemoved(t *testing.T) {
	t.Parallel()
	everything := func(f testserver.Fault) func(*testserver.Instance) {
		return func(srv *testserver.Instance) { srv.SetFaults(f) }
	}

	for name, lose := range map[string]func(*testserver.Instance){
		"a page for everything":       everything(testserver.Fault{Status: http.StatusNotFound, HTML: true}),
		"410 for everything":          everything(testserver.Fault{Status: http.StatusGone}),
		"no endpoint at all":          everything(testserver.Fault{Status: http.StatusNotFound, Body: map[string]any{"type": "invalid_request", "code": "not_found", "detail": "Endpoint not found.", "attr": nil}}),
		"no JSON of the service":      everything(testserver.Fault{Status: http.StatusNotFound, Body: map[string]any{"message": "no Route matched"}}),
		"a login page":                everything(testserver.Fault{HTML: true}),
		"another page for everything": everything(testserver.Fault{Status: http.StatusForbidden, HTML: true}),
		"a wrong key and removed": func(srv *testserver.Instance) {
			srv.SetFixtures(`{"api_keys": [{"key": "phx_another"}]}`)
			srv.SetRemoved(testserver.RemovedImportApps)
		},
		"surveys that are removed too": func(srv *testserver.Instance) {
			srv.SetRemoved(testserver.RemovedImportApps)
			srv.SetFaults(testserver.Fault{Operation: "surveys_list", Status: http.StatusNotFound, HTML: true})
		},
		"surveys that fail": func(srv *testserver.Instance) {
			srv.SetRemoved(testserver.RemovedImportApps)
			srv.SetFaults(testserver.Fault{Operation: "surveys_list", Status: http.StatusTeapot})
		},
		"one app that is gone": func(srv *testserver.Instance) {
			srv.SetFaults(testserver.Fault{Operation: "pipeline_import_apps_retrieve", Status: http.StatusGone})
		},
		"a deleted app": func(*testserver.Instance) {},
		"a page for one app": func(srv *testserver.Instance) {
			srv.SetFaults(testserver.Fault{Operation: "pipeline_import_apps_retrieve", Status: http.StatusNotFound, HTML: true})
		},
		"an organization that is not there": func(srv *testserver.Instance) { srv.OrganizationID = orgID },
		"a key without the scope": func(srv *testserver.Instance) {
			srv.SetFixtures(`{"api_keys": [{"key": "` + srv.APIKey + `", "scopes": ["survey:read"]}]}`)
		},
	} {
		for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
			t.Run(name+" "+string(profile), func(t *testing.T) {
				t.Parallel()
				srv := testserver.Start(t, testserver.Options{Profile: profile})
				key := srv.APIKey
				lose(srv)
				srv.APIKey = key

				apps := of(t, srv).PipelineImportApps(srv.OrganizationID)
				for what, err := range eachAppOperation(t.Context(), apps) {
					assert.False(t, IsRemoved(err), "%s: %v", what, err)
				}
			})
		}
	}
}

// The removal of import apps is detected even with a key that may not list surveys, because the refusal proves that the
// survey routes exist.
func TestL15RemovedForAKeyOfAppsAlone(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, testserver.Options{Profile: profile})
			srv.SetFixtures(`{"removed": ["pipeline_import_apps"], "api_keys": [{"key": "` + srv.APIKey + `", "scopes": ["plugin:read"]}]}`)
			_, err := of(t, srv).PipelineImportApps(srv.OrganizationID).Retrieve(t.Context(), 7)
			assert.True(t, IsRemoved(err), "%v", err)
			srv.SetRemoved()
			_, err = of(t, srv).PipelineImportApps(srv.OrganizationID).Retrieve(t.Context(), 7)
			assert.False(t, IsRemoved(err), "%v", err)
		})
	}
}

// A long-running process notices after a minute that the routes are back.
func TestL15RoutesComeBack(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetFixtures(oneApp)
	now := time.Now()
	c, err := New(Options{BaseURL: srv.URL, APIKey: srv.APIKey, Now: func() time.Time { return now }})
	require.NoError(t, err)
	apps := c.PipelineImportApps(srv.OrganizationID)
	is := func(want bool) {
		t.Helper()
		_, err := apps.Retrieve(t.Context(), 7)
		assert.Equal(t, want, IsRemoved(err), "%v", err)
		assert.Equal(t, want, IsRemoved(apps.CheckRemoval(t.Context())))
		assert.Equal(t, want, apps.IsKnownRemoved())
	}

	is(false)
	srv.SetRemoved(testserver.RemovedImportApps)
	is(true)
	srv.SetRemoved()
	is(true)
	now = now.Add(time.Minute)
	is(false)
	srv.SetRemoved(testserver.RemovedImportApps)
	is(true)
}

// Many objects share one check. A caller that checks before it reads sends only one as well.
func TestL15ManyAskOnce(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetRemoved(testserver.RemovedImportApps)
	apps := of(t, srv).PipelineImportApps(srv.OrganizationID)
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			for range 20 {
				assert.True(t, IsRemoved(apps.CheckRemoval(t.Context())))
			}
		})
	}
	wg.Wait()
	asked := 0
	for _, seen := range srv.Journal() {
		if strings.Contains(seen.Path, "/surveys/") {
			asked++
		}
	}
	assert.Equal(t, 1, asked)
	assert.LessOrEqual(t, len(srv.Journal()), 11, "only requests that were already sent may follow")

	there := testserver.Start(t)
	apps = of(t, there).PipelineImportApps(there.OrganizationID)
	for range 3 {
		require.NoError(t, apps.CheckRemoval(t.Context()))
	}
	assert.Len(t, there.Journal(), 1)
}
