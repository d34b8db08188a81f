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

// replyEmpty checks the app and the request, and answers without a body.
func (x *exchange) replyEmpty(id int64, withRequest bool) *field.Failure {
	_, f := x.app(id)
	if f == nil && withRequest {
		_, f = x.fields(store.AppTable, false)
	}
	if f != nil {
		return f
	}
	x.reply(http.StatusOK, nil)
	return nil
}

// PipelineImportAppsCheckForUpdatesRetrieve answers for an app that exists.
func (o *operations) PipelineImportAppsCheckForUpdatesRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	exchangeOf(w).respond(func(x *exchange) *field.Failure {
		return x.replyEmpty(id, false)
	})
}

// PipelineImportAppsSourceRetrieve answers for an app that exists.
func (o *operations) PipelineImportAppsSourceRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	exchangeOf(w).respond(func(x *exchange) *field.Failure {
		return x.replyEmpty(id, false)
	})
}

// PipelineImportAppsUpdateSourcePartialUpdate answers a request about an app that exists.
func (o *operations) PipelineImportAppsUpdateSourcePartialUpdate(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	exchangeOf(w).respond(func(x *exchange) *field.Failure {
		return x.replyEmpty(id, true)
	})
}

// PipelineImportAppsUpgradeCreate answers a request about an app that exists.
func (o *operations) PipelineImportAppsUpgradeCreate(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, id api.AppID) {
	exchangeOf(w).respond(func(x *exchange) *field.Failure {
		return x.replyEmpty(id, true)
	})
}

// PipelineImportAppsAllActivityRetrieve answers for the organization.
func (o *operations) PipelineImportAppsAllActivityRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID, _ api.PipelineImportAppsAllActivityRetrieveParams) {
	exchangeOf(w).reply(http.StatusOK, nil)
}

// PipelineImportAppsExportsUnsubscribeConfigsRetrieve answers for the organization.
func (o *operations) PipelineImportAppsExportsUnsubscribeConfigsRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID) {
	exchangeOf(w).reply(http.StatusOK, nil)
}

// PipelineImportAppsRepositoryRetrieve answers for the organization.
func (o *operations) PipelineImportAppsRepositoryRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID) {
	exchangeOf(w).reply(http.StatusOK, nil)
}

// PipelineImportAppsUnusedRetrieve answers for the organization.
func (o *operations) PipelineImportAppsUnusedRetrieve(w http.ResponseWriter, _ *http.Request, _ api.OrganizationID) {
	exchangeOf(w).reply(http.StatusOK, nil)
}
