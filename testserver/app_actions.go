package testserver

import (
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// The operations on apps beyond create, list, retrieve, update and delete. The document has
// no response body for them and no effect on stored data, so they check the caller and the
// request, and do not change the store.

// withoutBody is the response of an operation without effect: it has no body.
func (x *exchange) withoutBody(*store.App) (response, *field.Failure) {
	return response{status: http.StatusOK}, nil
}

// checkedWithoutBody checks the request, too.
func (x *exchange) checkedWithoutBody(*store.App) (response, *field.Failure) {
	_, f := x.fields(store.AppTable, false)
	return response{status: http.StatusOK}, f
}

// PipelineImportAppsCheckForUpdatesRetrieve responds for an app that exists.
func (o *operations) PipelineImportAppsCheckForUpdatesRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	serveAbout(w, id, (*exchange).app, (*exchange).withoutBody)
}

// PipelineImportAppsSourceRetrieve responds for an app that exists.
func (o *operations) PipelineImportAppsSourceRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	serveAbout(w, id, (*exchange).app, (*exchange).withoutBody)
}

// PipelineImportAppsUpdateSourcePartialUpdate serves a request about an app that exists.
func (o *operations) PipelineImportAppsUpdateSourcePartialUpdate(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	serveAbout(w, id, (*exchange).app, (*exchange).checkedWithoutBody)
}

// PipelineImportAppsUpgradeCreate serves a request about an app that exists.
func (o *operations) PipelineImportAppsUpgradeCreate(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	serveAbout(w, id, (*exchange).app, (*exchange).checkedWithoutBody)
}

// emptyBody is the handler of an operation without effect and without a body.
func emptyBody(*exchange) (response, *field.Failure) {
	return response{status: http.StatusOK}, nil
}

// PipelineImportAppsAllActivityRetrieve responds for the organization.
func (o *operations) PipelineImportAppsAllActivityRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, _ api.PipelineImportAppsAllActivityRetrieveParams) {
	exchangeOf(w).serveWith(emptyBody)
}

// PipelineImportAppsExportsUnsubscribeConfigsRetrieve responds for the organization.
func (o *operations) PipelineImportAppsExportsUnsubscribeConfigsRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID) {
	exchangeOf(w).serveWith(emptyBody)
}

// PipelineImportAppsRepositoryRetrieve responds for the organization.
func (o *operations) PipelineImportAppsRepositoryRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID) {
	exchangeOf(w).serveWith(emptyBody)
}

// PipelineImportAppsUnusedRetrieve responds for the organization.
func (o *operations) PipelineImportAppsUnusedRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID) {
	exchangeOf(w).serveWith(emptyBody)
}
