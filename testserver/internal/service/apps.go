package service

import (
	"net/http"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// apps returns the import apps that the organization can see: its own ones, in the hosted profile also
// global ones of others, and only those that import data.
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

// sees reports whether the organization can see an app on the path of import apps.
func (x *Call) sees(app *store.App) bool {
	isOwn := app.Organization == x.organization.ID
	if !x.Installs {
		return isOwn
	}
	return (isOwn || app.IsTrue(store.AppTable, "is_global")) && importsData(app.Value("capabilities"))
}

// importsData reports whether an app with these capabilities is an import app: it has scheduled tasks,
// or it lists its methods and none of them handles events.
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

// createApp stores a new app, in the hosted profile installed from its URL unless its code is
// written there. Whether it is an import app is not checked: any other app cannot be found on
// this path.
func createApp(x *Call) (wire.Response, *wire.Failure) {
	// PostHog takes the URL as it is.
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

// updateApp changes the fields that were sent: an absent field stays, null clears. PUT does the
// same.
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

// deleteApp deletes an app for good; in the hosted profile unless it is global.
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

// checkAppOwner refuses to change a global app of another organization.
func (c *caller) checkAppOwner(app *store.App) *wire.Failure {
	if app.Organization != c.organization.ID {
		return wire.Forbidden("This plugin installation is managed by another organization")
	}
	return nil
}

// checkGlobal refuses a request that makes an app global, or no longer so, where the organization
// may not.
func (c *caller) checkGlobal(isAsked bool) *wire.Failure {
	if isAsked && c.organization.AccessLevel < RootLevel {
		return wire.Forbidden("This organization can't manage global plugins!")
	}
	return nil
}

// withoutBody returns the response about an app that exists, and checkedWithoutBody that to a request
// with fields of one.
func withoutBody(*Call, *store.App) (wire.Response, *wire.Failure) {
	return wire.Response{Status: http.StatusOK}, nil
}

func checkedWithoutBody(x *Call, _ *store.App) (wire.Response, *wire.Failure) {
	_, _, f := x.appFields(false)
	return wire.Response{Status: http.StatusOK}, f
}

// appFields reads the body as the fields of an app; sent are the checked ones.
func (x *Call) appFields(creating bool) (body wire.Value, input wire.Fields, f *wire.Failure) {
	if body, f = x.read(); f != nil {
		return body, nil, f
	}
	input, f = store.AppTable.Read(body, wire.Reading{Creating: creating, Verbatim: !x.Checks})
	return body, input, f
}
