package testserver

import (
	"net/http"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

func (x *exchange) withApp(status int, a *store.App) response {
	enc := x.encoding()
	return x.encode(status, func(b []byte) []byte {
		return appendObject(b, enc, "PipelineImportApp", enc.profile.appKeys, a, a.Extra)
	})
}

// apps are the import apps that an organization can see: its own ones, on the hosted service also
// global ones of others, and only those that import data.
func (p *profile) apps(st *store.Store, o *store.Organization) *store.Timeline[*store.App] {
	if !p.installs {
		return st.AppsOf(o.ID)
	}
	found := &store.Timeline[*store.App]{}
	for _, a := range st.Apps.Sorted() {
		if p.sees(o, a) {
			found.Items = append(found.Items, a)
		}
	}
	return found
}

// sees reports whether an organization can see an app on the path of import apps.
func (p *profile) sees(o *store.Organization, a *store.App) bool {
	if !p.installs {
		return a.Organization == o.ID
	}
	return (a.Organization == o.ID || a.IsTrue(store.AppTable, "is_global")) && importsData(wire.Decode(a.Value("capabilities")))
}

// importsData reports whether capabilities are those of an import app: it has scheduled
// tasks, or it names its methods and handles events with none of them.
func importsData(capabilities wire.Value) bool {
	if tasks := capabilities.Get("scheduled_tasks"); !tasks.IsAbsent() && !tasks.Is("[]") {
		return true
	}
	methods := capabilities.Get("methods")
	return !methods.IsAbsent() && !handlesEvents(methods) && !slices.ContainsFunc(methods.Items(), handlesEvents)
}

func handlesEvents(method wire.Value) bool {
	return slices.Contains([]string{"onEvent", "composeWebhook", "processEvent"}, method.Text())
}

// listApps responds with a page of the organization's apps, newest first.
func listApps(x *exchange) (response, *wire.Failure) {
	apps, enc, page := x.profile.apps(x.store, x.organization), x.encoding(), x.window()
	return x.encode(http.StatusOK, func(b []byte) []byte {
		return appendPage(x.request, b, page, len(apps.Items), apps.Page(page.offset, page.limit), func(b []byte, a *store.App) []byte {
			return appendObject(b, enc, "PipelineImportApp", enc.profile.appKeys, a, a.Extra)
		})
	}), nil
}

// retrieveApp responds with an app.
func retrieveApp(x *exchange, a *store.App) (response, *wire.Failure) {
	return x.withApp(http.StatusOK, a), nil
}

// createApp stores a new app, on the hosted service installed from its URL unless its code is
// written there. Whether it is an import app is not checked: any other app cannot be found on
// this path.
func createApp(x *exchange) (response, *wire.Failure) {
	// The hosted service takes the URL as it is.
	body, sent, f := x.fields(store.AppTable, !x.profile.installs)
	if f != nil {
		return response{}, f
	}
	fields := sent.Raw()
	if x.profile.installs {
		f := wire.FirstOf(
			func() *wire.Failure { return x.checkGlobal(sent["is_global"].Is("true")) },
			func() *wire.Failure { return service.InstallApp(x.store, body.Get("url"), fields) },
		)
		if f != nil {
			return response{}, f
		}
	}

	a := &store.App{Object: store.NewObject(store.AppTable, fields, nil), ID: x.store.NextApp(), Organization: x.organization.ID}
	x.store.AddApp(a)
	return x.withApp(http.StatusCreated, a), nil
}

// updateApp changes the fields that were sent: an absent field stays, null clears. PUT does the
// same.
func updateApp(x *exchange, before *store.App) (response, *wire.Failure) {
	if f := x.checkAppOwner(before); f != nil {
		return response{}, f
	}
	_, sent, f := x.fields(store.AppTable, false)
	if f != nil {
		return response{}, f
	}
	_, named := sent["is_global"]
	if f := x.checkGlobal(named && x.profile.installs); f != nil {
		return response{}, f
	}

	after := *before
	after.Object = before.With(store.AppTable, sent.Raw())
	x.store.ReplaceApp(&after)
	return x.withApp(http.StatusOK, &after), nil
}

// deleteApp deletes an app for good; on the hosted service unless it is global.
func deleteApp(x *exchange, a *store.App) (response, *wire.Failure) {
	if f := x.checkAppOwner(a); f != nil {
		return response{}, f
	}
	if x.profile.installs && a.IsTrue(store.AppTable, "is_global") {
		return response{}, wire.Refused("", "This plugin is marked as global! Make it local before uninstallation")
	}
	x.store.RemoveApp(a)
	return response{status: http.StatusNoContent}, nil
}

// checkAppOwner refuses to change a global app of another organization.
func (c *caller) checkAppOwner(a *store.App) *wire.Failure {
	if a.Organization != c.organization.ID {
		return wire.Forbidden("This plugin installation is managed by another organization")
	}
	return nil
}

// checkGlobal refuses a request that makes an app global, or no longer so, where the organization
// may not.
func (c *caller) checkGlobal(isAsked bool) *wire.Failure {
	if isAsked && c.organization.AccessLevel < rootLevel {
		return wire.Forbidden("This organization can't manage global plugins!")
	}
	return nil
}

// withoutBody is the response about an app that exists, and checkedWithoutBody that to a request
// with fields of one.
func withoutBody(*exchange, *store.App) (response, *wire.Failure) {
	return response{status: http.StatusOK}, nil
}

func checkedWithoutBody(x *exchange, _ *store.App) (response, *wire.Failure) {
	_, _, f := x.fields(store.AppTable, false)
	return response{status: http.StatusOK}, f
}
