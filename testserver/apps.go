package testserver

import (
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// app finds an app that the organization can see.
func (x *exchange) app(id int64) (*store.App, *field.Failure) {
	a := x.server.store.Apps.Get(id)
	if a == nil || !x.server.profile.seesApp(x.organization, a) {
		return nil, field.ObjectNotFound()
	}
	return a, nil
}

func (x *exchange) replyApp(status int, a *store.App) {
	how := encoding{profile: x.server.profile, store: x.server.store}
	x.reply(status, func(b []byte) []byte {
		return appendObject(b, how, "PipelineImportApp", how.profile.appKeys, a, a.Extra)
	})
}

// PipelineImportAppsList answers with a page of the organization's apps, newest first.
func (o *operations) PipelineImportAppsList(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, params api.PipelineImportAppsListParams) {
	x := exchangeOf(w)
	apps := x.server.profile.apps(x.server.store, x.organization)
	how := encoding{profile: x.server.profile, store: x.server.store}
	page := windowOf(params.Limit, params.Offset)
	x.reply(http.StatusOK, func(b []byte) []byte {
		return x.appendPage(b, page, len(apps.Items), func(b []byte) []byte {
			for i, a := range apps.Page(page.offset, page.limit) {
				if i > 0 {
					b = append(b, ',')
				}
				b = appendObject(b, how, "PipelineImportApp", how.profile.appKeys, a, a.Extra)
			}
			return b
		})
	})
}

// PipelineImportAppsCreate stores a new app.
func (o *operations) PipelineImportAppsCreate(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID) {
	x := exchangeOf(w)
	x.server.profile.createApp(x)
}

// createApp stores a new app as it was sent.
func (x *exchange) createApp() {
	st := x.server.store
	sent, f := x.fields(store.AppTable, true)
	if f != nil {
		x.refuse(f)
		return
	}
	a := &store.App{Object: store.NewObject(store.AppTable, sent, nil), ID: st.NextApp(), Organization: x.organization.ID}
	st.AddApp(a)
	x.replyApp(http.StatusCreated, a)
}

// PipelineImportAppsRetrieve answers with an app.
func (o *operations) PipelineImportAppsRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	x := exchangeOf(w)
	a, f := x.app(id)
	if f != nil {
		x.refuse(f)
		return
	}
	x.replyApp(http.StatusOK, a)
}

// PipelineImportAppsPartialUpdate changes the fields that were sent: an absent field stays,
// null clears.
func (o *operations) PipelineImportAppsPartialUpdate(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	x := exchangeOf(w)
	before, f := x.app(id)
	if f != nil {
		x.refuse(f)
		return
	}
	x.server.profile.updateApp(x, before)
}

// PipelineImportAppsUpdate is [operations.PipelineImportAppsPartialUpdate] under another
// method: nothing is required.
func (o *operations) PipelineImportAppsUpdate(w http.ResponseWriter, r *http.Request, organization api.OrganizationID, id api.AppID) {
	o.PipelineImportAppsPartialUpdate(w, r, organization, id)
}

// updateApp stores the fields as they were sent.
func (x *exchange) updateApp(before *store.App) {
	sent, f := x.fields(store.AppTable, false)
	if f != nil {
		x.refuse(f)
		return
	}
	after := *before
	after.Object = before.With(store.AppTable, sent)
	x.server.store.ReplaceApp(&after)
	x.replyApp(http.StatusOK, &after)
}

// PipelineImportAppsDestroy deletes an app for good.
func (o *operations) PipelineImportAppsDestroy(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	x := exchangeOf(w)
	a, f := x.app(id)
	if f != nil {
		x.refuse(f)
		return
	}
	x.server.profile.deleteApp(x, a)
}

// deleteApp deletes an app of any kind.
func (x *exchange) deleteApp(a *store.App) {
	x.server.store.RemoveApp(a)
	x.reply(http.StatusNoContent, nil)
}

// ownApps are the apps that belong to an organization.
func ownApps(st *store.Store, o *store.Organization) *store.Timeline[*store.App] {
	return st.AppsOf(o.ID)
}

func ownsApp(o *store.Organization, a *store.App) bool { return a.Organization == o.ID }
