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

// withoutBody checks the app and the request; its response has no body.
func (x *exchange) withoutBody(id int64, withRequest bool) (response, *field.Failure) {
	if _, f := x.app(id); f != nil {
		return response{}, f
	}
	if withRequest {
		if _, f := x.fields(store.AppTable, false); f != nil {
			return response{}, f
		}
	}
	return response{status: http.StatusOK}, nil
}

// PipelineImportAppsCheckForUpdatesRetrieve responds for an app that exists.
func (o *operations) PipelineImportAppsCheckForUpdatesRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		return x.withoutBody(id, false)
	})
}

// PipelineImportAppsSourceRetrieve responds for an app that exists.
func (o *operations) PipelineImportAppsSourceRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		return x.withoutBody(id, false)
	})
}

// PipelineImportAppsUpdateSourcePartialUpdate serves a request about an app that exists.
func (o *operations) PipelineImportAppsUpdateSourcePartialUpdate(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		return x.withoutBody(id, true)
	})
}

// PipelineImportAppsUpgradeCreate serves a request about an app that exists.
func (o *operations) PipelineImportAppsUpgradeCreate(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		return x.withoutBody(id, true)
	})
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
