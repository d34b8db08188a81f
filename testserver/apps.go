package testserver

import (
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// app finds an app that the organization can see.
func (x *exchange) app(id int64) (*store.App, *field.Failure) {
	a := x.store.Apps.Get(id)
	if a == nil || !x.profile.seesApp(x.organization, a) {
		return nil, field.ObjectNotFound()
	}
	return a, nil
}

func (x *exchange) withApp(status int, a *store.App) response {
	enc := x.encoding()
	return x.encode(status, func(b []byte) []byte {
		return appendObject(b, enc, "PipelineImportApp", enc.profile.traits().appKeys, a, a.Extra)
	})
}

// PipelineImportAppsList responds with a page of the organization's apps, newest first.
func (o *operations) PipelineImportAppsList(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, params api.PipelineImportAppsListParams) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		apps := x.profile.apps(x.store, x.organization)
		enc := x.encoding()
		page := windowOf(params.Limit, params.Offset)
		return x.encode(http.StatusOK, func(b []byte) []byte {
			return appendPage(x.request, b, page, len(apps.Items), apps.Page(page.offset, page.limit), func(b []byte, a *store.App) []byte {
				return appendObject(b, enc, "PipelineImportApp", enc.profile.traits().appKeys, a, a.Extra)
			})
		}), nil
	})
}

// PipelineImportAppsCreate stores a new app.
func (o *operations) PipelineImportAppsCreate(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		return x.profile.createApp(x)
	})
}

// createApp stores a new app as it was sent.
func (documentedProfile) createApp(x *exchange) (response, *field.Failure) {
	st := x.store
	sent, f := x.fields(store.AppTable, true)
	if f != nil {
		return response{}, f
	}
	a := &store.App{Object: store.NewObject(store.AppTable, sent, nil), ID: st.NextApp(), Organization: x.organization.ID}
	st.AddApp(a)
	return x.withApp(http.StatusCreated, a), nil
}

// PipelineImportAppsRetrieve responds with an app.
func (o *operations) PipelineImportAppsRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	serveAbout(w, id, (*exchange).app, func(x *exchange, a *store.App) (response, *field.Failure) {
		return x.withApp(http.StatusOK, a), nil
	})
}

// PipelineImportAppsPartialUpdate changes the fields that were sent: an absent field stays,
// null clears.
func (o *operations) PipelineImportAppsPartialUpdate(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	serveAbout(w, id, (*exchange).app, byProfile(profile.updateApp))
}

// PipelineImportAppsUpdate is [operations.PipelineImportAppsPartialUpdate] under another
// method: nothing is required.
func (o *operations) PipelineImportAppsUpdate(w http.ResponseWriter, r *http.Request, organization api.OrganizationID, id api.AppID) {
	o.PipelineImportAppsPartialUpdate(w, r, organization, id)
}

// updateApp stores the fields as they were sent.
func (documentedProfile) updateApp(x *exchange, before *store.App) (response, *field.Failure) {
	sent, f := x.fields(store.AppTable, false)
	if f != nil {
		return response{}, f
	}
	after := *before
	after.Object = before.With(store.AppTable, sent)
	x.store.ReplaceApp(&after)
	return x.withApp(http.StatusOK, &after), nil
}

// PipelineImportAppsDestroy deletes an app for good.
func (o *operations) PipelineImportAppsDestroy(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	serveAbout(w, id, (*exchange).app, byProfile(profile.deleteApp))
}

// deleteApp deletes an app of any kind.
func (documentedProfile) deleteApp(x *exchange, a *store.App) (response, *field.Failure) {
	x.store.RemoveApp(a)
	return response{status: http.StatusNoContent}, nil
}

// apps are those that belong to an organization.
func (documentedProfile) apps(st *store.Store, o *store.Organization) *store.Timeline[*store.App] {
	return st.AppsOf(o.ID)
}

func (documentedProfile) seesApp(o *store.Organization, a *store.App) bool {
	return a.Organization == o.ID
}
