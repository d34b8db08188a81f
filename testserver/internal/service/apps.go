package service

import (
	"net/http"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// apps returns the import apps that the organization can see. In the documented profile, these are its own
// apps. In the hosted profile, they include global apps of other organizations, and exclude apps that don't
// import data.
func (x *Call) apps() *store.Timeline[*store.App] {
	if !x.Installs {
		return x.Store.OrganizationApps(x.organization.ID)
	}
	timeline := &store.Timeline[*store.App]{}
	for _, app := range x.Store.Apps.Sorted() {
		if x.sees(app) {
			timeline.Items = append(timeline.Items, app)
		}
	}
	return timeline
}

// sees reports whether the organization can see an app through the import app routes.
func (x *Call) sees(app *store.App) bool {
	isOwn := app.Organization == x.organization.ID
	if !x.Installs {
		return isOwn
	}
	return (isOwn || app.IsTrue(store.AppTable, "is_global")) && importsData(app.Value("capabilities"))
}

// importsData reports whether an app with these capabilities is an import app. The capabilities must contain scheduled
// tasks, or list methods, none of which handles events.
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
func listApps(x *Call) (wire.Response, *wire.Failure) {
	apps, page := x.apps(), x.window()
	return respondPage(x, page, len(apps.Items), apps.Page(page.offset, page.limit), x.responses().App)
}

// retrieveApp responds with an app.
func retrieveApp(x *Call, app *store.App) (wire.Response, *wire.Failure) {
	return x.respond(http.StatusOK, x.responses().App(app))
}

// createApp stores a new app. In the hosted profile, it installs the app from its URL unless the request
// contains the code. It does not check whether the app is an import app. Clients cannot find other apps
// through the import app routes.
func createApp(x *Call) (wire.Response, *wire.Failure) {
	// PostHog does not check the URL here.
	body, input, f := x.appFields(!x.Installs)
	if f != nil {
		return wire.Response{}, f
	}
	fields := input
	if x.Installs {
		f := wire.FirstFailure(
			func() *wire.Failure { return x.checkGlobal(input["is_global"].Is("true")) },
			func() *wire.Failure { return installApp(x.Store, body.Get("url"), fields) },
		)
		if f != nil {
			return wire.Response{}, f
		}
	}

	app := &store.App{Object: store.NewObject(store.AppTable, fields, nil), ID: x.Store.NextApp(), Organization: x.organization.ID}
	x.Store.AddApp(app)
	return x.respond(http.StatusCreated, x.responses().App(app))
}

// updateApp changes the fields in the request. null clears a field. PUT has the same effect.
func updateApp(x *Call, previous *store.App) (wire.Response, *wire.Failure) {
	if f := x.checkAppOwner(previous); f != nil {
		return wire.Response{}, f
	}
	_, input, f := x.appFields(false)
	if f != nil {
		return wire.Response{}, f
	}
	_, setsGlobal := input["is_global"]
	if f := x.checkGlobal(setsGlobal && x.Installs); f != nil {
		return wire.Response{}, f
	}

	updated := *previous
	updated.Object = previous.With(store.AppTable, input)
	x.Store.ReplaceApp(&updated)
	return x.respond(http.StatusOK, x.responses().App(&updated))
}

// deleteApp deletes an app permanently. The hosted profile refuses to delete a global app.
func deleteApp(x *Call, app *store.App) (wire.Response, *wire.Failure) {
	if f := x.checkAppOwner(app); f != nil {
		return wire.Response{}, f
	}
	if x.Installs && app.IsTrue(store.AppTable, "is_global") {
		return wire.Response{}, wire.Refusal("", "This plugin is marked as global! Make it local before uninstallation")
	}
	x.Store.RemoveApp(app)
	return wire.Response{Status: http.StatusNoContent}, nil
}

// checkAppOwner refuses changes to a global app of another organization.
func (c *caller) checkAppOwner(app *store.App) *wire.Failure {
	if app.Organization != c.organization.ID {
		return wire.Forbidden("This plugin installation is managed by another organization")
	}
	return nil
}

// checkGlobal refuses to make an app global, or to revert this, if the organization's access level is too low.
func (c *caller) checkGlobal(isAsked bool) *wire.Failure {
	if isAsked && c.organization.AccessLevel < RootLevel {
		return wire.Forbidden("This organization can't manage global plugins!")
	}
	return nil
}

// withoutBody responds to a request about an existing app. checkedWithoutBody also checks the request's app
// fields.
func withoutBody(*Call, *store.App) (wire.Response, *wire.Failure) {
	return wire.Response{Status: http.StatusOK}, nil
}

func checkedWithoutBody(x *Call, _ *store.App) (wire.Response, *wire.Failure) {
	_, _, f := x.appFields(false)
	return wire.Response{Status: http.StatusOK}, f
}

// appFields reads and checks the body as the fields of an app.
func (x *Call) appFields(creating bool) (body wire.Value, input wire.Fields, f *wire.Failure) {
	if body, f = x.read(); f != nil {
		return body, nil, f
	}
	input, f = store.AppTable.Read(body, wire.Reading{Creating: creating, Verbatim: !x.Checks})
	return body, input, f
}
