package testserver

import (
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// app finds an app of the organization.
func (x *exchange) app(id int64) (*app, *failure) {
	a := x.server.store.apps[id]
	if a == nil || a.organization != x.organization.id {
		return nil, missing()
	}
	return a, nil
}

func (x *exchange) replyApp(status int, a *app) {
	how := answering{profile: x.server.profile, store: x.server.store}
	x.reply(status, func(b []byte) []byte {
		return appendObject(b, how, "PipelineImportApp", how.profile.app, a, a.extra)
	})
}

// PipelineImportAppsList answers a page of the organization's apps, newest first.
func (o *operations) PipelineImportAppsList(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, params api.PipelineImportAppsListParams) {
	x := exchangeOf(w)
	rack := o.server.store.racks[x.organization.id]
	how := answering{profile: o.server.profile, store: o.server.store}
	page := windowOf(params.Limit, params.Offset)
	x.reply(http.StatusOK, func(b []byte) []byte {
		return x.appendPage(b, page, len(rack.items), func(b []byte) []byte {
			for i, a := range rack.page(page) {
				if i > 0 {
					b = append(b, ',')
				}
				b = appendObject(b, how, "PipelineImportApp", how.profile.app, a, a.extra)
			}
			return b
		})
	})
}

// PipelineImportAppsCreate stores a new app.
func (o *operations) PipelineImportAppsCreate(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID) {
	x, st := exchangeOf(w), o.server.store
	sent, f := x.fields(appTable, true)
	if f != nil {
		x.refuse(f)
		return
	}
	a := &app{object: newObject(appTable, sent, nil), id: st.lastApp + 1, organization: x.organization.id}
	st.addApp(a)
	x.replyApp(http.StatusCreated, a)
}

// PipelineImportAppsRetrieve answers one app.
func (o *operations) PipelineImportAppsRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	x := exchangeOf(w)
	a, f := x.app(id)
	if f != nil {
		x.refuse(f)
		return
	}
	x.replyApp(http.StatusOK, a)
}

// PipelineImportAppsPartialUpdate changes what was sent: absent keeps, null clears.
func (o *operations) PipelineImportAppsPartialUpdate(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	x := exchangeOf(w)
	before, f := x.app(id)
	var sent fields
	if f == nil {
		sent, f = x.fields(appTable, false)
	}
	if f != nil {
		x.refuse(f)
		return
	}
	after := *before
	after.object = before.with(appTable, sent)
	o.server.store.replaceApp(&after)
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
	o.server.store.removeApp(a)
	x.reply(http.StatusNoContent, nil)
}
