package testserver

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// The plugins_access_level that an organization needs to see apps, to change them, and to
// make them global; 0 allows nothing.
const (
	configLevel  = 3
	installLevel = 6
)

// hostedAppRequest are the fields of a request about an app in the order in which
// they are checked. The address is not among them: it is taken as it is.
var hostedAppRequest = func() *field.Table {
	columns := slices.DeleteFunc(slices.Clone(store.AppTable.Columns), func(c field.Column) bool { return c.Name == "url" })
	for i, c := range columns {
		if c.Name == "plugin_type" {
			columns[i].Known = func(s string) bool { return s == "" || c.Known(s) }
		}
	}
	return field.NewTable(columns...)
}()

// hostedAppFields reads a request: body is everything that was sent, sent are the checked
// fields.
func (x *exchange) hostedAppFields() (body, sent rawjson.Fields, f *field.Failure) {
	if body, f = x.parse(); f != nil {
		return nil, nil, f
	}
	sent, f = hostedAppRequest.Read(body, field.Reading{Value: field.Column.Accept})
	return body, sent, f
}

// hostedAppKeys are the keys of an app on the hosted service: one is computed, and a blank URL
// reads null.
var hostedAppKeys = func() []key[*store.App] {
	keys := slices.Clone(appKeys)
	for i, k := range keys {
		switch k.name {
		case "hog_function_migration_available":
			keys[i] = newKey(k.name, func(b []byte, _ encoding, a *store.App) []byte {
				return append(b, rawjson.Encode(slices.Contains(migratable, a.Text(store.AppTable, "url")))...)
			})
		case "url":
			keys[i] = newKey(k.name, func(b []byte, w encoding, a *store.App) []byte {
				if a.Text(store.AppTable, "url") == "" && !w.asEntry {
					return append(b, "null"...)
				}
				return appendAppURL(b, w, a)
			})
		}
	}
	return keys
}()

// migratable are the URLs of the apps that have a successor on the service.
var migratable = []string{
	"https://github.com/PostHog/customerio-plugin",
	"https://github.com/PostHog/hubspot-plugin",
	"https://github.com/PostHog/posthog-avo-plugin",
	"https://github.com/PostHog/posthog-engage-so-plugin",
	"https://github.com/PostHog/posthog-gcs-plugin",
	"https://github.com/PostHog/posthog-loops-plugin",
	"https://github.com/PostHog/posthog-plugin-replicator",
	"https://github.com/PostHog/pubsub-plugin",
	"https://github.com/PostHog/rudderstack-posthog-plugin",
	"https://github.com/PostHog/sendgrid-plugin",
}

// hostedApps are the apps of an organization on the path of import apps: its own and the
// global ones, if their capabilities are those of an import app.
func hostedApps(st *store.Store, o *store.Organization) *store.Timeline[*store.App] {
	found := &store.Timeline[*store.App]{}
	for _, a := range st.Apps.Sorted() {
		if seesHostedApp(o, a) {
			found.Items = append(found.Items, a)
		}
	}
	return found
}

func seesHostedApp(o *store.Organization, a *store.App) bool {
	return (a.Organization == o.ID || a.IsTrue(store.AppTable, "is_global")) && importsData(a.Values[store.AppTable.Index["capabilities"]])
}

// importsData reports whether capabilities are those of an import app: it has scheduled
// tasks, or it names its methods and handles events with none of them.
func importsData(capabilities json.RawMessage) bool {
	if capabilities[0] != '{' {
		return false
	}

	can := rawjson.Members(capabilities)
	if tasks, ok := can["scheduled_tasks"]; ok && string(tasks) != "[]" {
		return true
	}

	methods, ok := can["methods"]
	if !ok {
		return false
	}

	handles := func(raw json.RawMessage) bool {
		return slices.Contains([]string{"onEvent", "composeWebhook", "processEvent"}, rawjson.Unquote(raw))
	}
	if methods[0] == '[' {
		for _, method := range rawjson.Items(methods) {
			if handles(method) {
				return false
			}
		}
	}
	return !handles(methods)
}

// checkLevel checks the organization's plugins_access_level, except on paths of a project.
func (c *caller) checkLevel(method string) *field.Failure {
	if c.organization == nil || c.project != nil {
		return nil
	}
	needs := int64(installLevel)
	if slices.Contains([]string{http.MethodGet, http.MethodHead}, method) {
		needs = configLevel
	}
	if c.organization.AccessLevel < needs {
		return field.Forbidden("Your organization's plugin access level is insufficient.")
	}
	return nil
}

// checkOwner refuses to change a global app of another organization.
func (c *caller) checkOwner(a *store.App) *field.Failure {
	if a.Organization != c.organization.ID {
		return field.Forbidden("This plugin installation is managed by another organization")
	}
	return nil
}

// checkGlobal refuses a request that makes an app global, or no longer so, where the organization
// may not.
func (c *caller) checkGlobal(isAsked bool) *field.Failure {
	if isAsked && c.organization.AccessLevel < rootLevel {
		return field.Forbidden("This organization can't manage global plugins!")
	}
	return nil
}

// createApp stores a new app, installed from its URL unless its code is written on
// the service. Whether it is an import app is not checked: any other app cannot be found on
// this path.
func (hostedProfile) createApp(x *exchange) (response, *field.Failure) {
	st := x.store
	body, sent, f := x.hostedAppFields()
	if f != nil {
		return response{}, f
	}

	f = field.FirstOf(
		func() *field.Failure { return x.checkGlobal(string(sent["is_global"]) == "true") },
		func() *field.Failure { return installApp(st, body["url"], sent) },
	)
	if f != nil {
		return response{}, f
	}

	a := &store.App{Object: store.NewObject(store.AppTable, sent, nil), ID: st.NextApp(), Organization: x.organization.ID}
	st.AddApp(a)
	return x.withApp(http.StatusCreated, a), nil
}

// updateApp changes the fields that were sent. Only organizations that may manage
// global apps may send is_global.
func (hostedProfile) updateApp(x *exchange, before *store.App) (response, *field.Failure) {
	if f := x.checkOwner(before); f != nil {
		return response{}, f
	}
	_, sent, f := x.hostedAppFields()
	if f != nil {
		return response{}, f
	}
	_, named := sent["is_global"]
	if f := x.checkGlobal(named); f != nil {
		return response{}, f
	}

	after := *before
	after.Object = before.With(store.AppTable, sent)
	x.store.ReplaceApp(&after)
	return x.withApp(http.StatusOK, &after), nil
}

// deleteApp deletes an app for good unless it is global.
func (hostedProfile) deleteApp(x *exchange, a *store.App) (response, *field.Failure) {
	if f := x.checkOwner(a); f != nil {
		return response{}, f
	}
	if a.IsTrue(store.AppTable, "is_global") {
		return response{}, field.Invalid("invalid_input", "", "This plugin is marked as global! Make it local before uninstallation")
	}

	x.store.RemoveApp(a)
	return response{status: http.StatusNoContent}, nil
}
