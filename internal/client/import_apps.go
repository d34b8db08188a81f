package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// PipelineImportApps are the import apps of one organization.
type PipelineImportApps struct {
	client         *Client
	organizationID string
}

// PipelineImportApps returns the import apps of an organization, whose id is a UUID,
// or "@current" for the organization that the key's user has open.
func (c *Client) PipelineImportApps(organizationID string) *PipelineImportApps {
	return &PipelineImportApps{client: c, organizationID: organizationID}
}

// List iterates over all import apps that the service shows.
func (p *PipelineImportApps) List(ctx context.Context, o ListOptions) iter.Seq2[api.PipelineImportApp, error] {
	return pages[api.PipelineImportApp](ctx, p.client, "pipeline_import_apps_list", o, func() (*http.Request, error) {
		return api.NewPipelineImportAppsListRequest(p.client.server, p.organizationID, &api.PipelineImportAppsListParams{Limit: o.limit()})
	})
}

// Create creates an import app.
func (p *PipelineImportApps) Create(ctx context.Context, body api.PipelineImportAppRequest) (api.PipelineImportApp, error) {
	req, err := api.NewPipelineImportAppsCreateRequest(p.client.server, p.organizationID, body)
	return object[api.PipelineImportApp](p.client.do(ctx, "pipeline_import_apps_create", req, err))
}

// CreateOnce creates an import app and never a second one: when the response is lost, it
// looks for the app by its address, which is unique, or else by its name. An app has no
// date of creation, so one counts as new when its id is above all that existed when the
// client created its first app in the organization; that costs one list.
//
// shown reports whether the service certainly lists such an app, see its capabilities; for one
// that it may hide, not finding it proves nothing. Its errors are those of Create, an
// [AmbiguousCreateError], and a [ConflictError] for an address that is taken.
func (p *PipelineImportApps) CreateOnce(ctx context.Context, body api.PipelineImportAppRequest, shown bool) (api.PipelineImportApp, error) {
	highest, known := p.highestID(ctx)
	address, _ := body.URL.Get()
	return creation[api.PipelineImportApp]{
		client: p.client, isConflict: isURLConflict, lookupIsComplete: shown || address != "", keyIsUnique: address != "",
		post: func(ctx context.Context) (api.PipelineImportApp, error) { return p.Create(ctx, body) },
		find: func(ctx context.Context) ([]api.PipelineImportApp, time.Time, error) {
			return listMatching(ctx, p.client, "pipeline_import_apps_list", p.listRequest, func(one api.PipelineImportApp) bool {
				return one.ID != nil && hasNaturalKey(one, body)
			})
		},
		isOurs: func(one api.PipelineImportApp, _ time.Time) bool {
			return known && *one.ID > highest && matchesRequest(one, body, fieldsFromCode(address))
		},
		id: func(one api.PipelineImportApp) string { return strconv.FormatInt(*one.ID, 10) },
	}.run(ctx)
}

// Retrieve reads one import app. The hosted service also reports that it is not found
// when its capabilities hide it.
func (p *PipelineImportApps) Retrieve(ctx context.Context, id int64) (api.PipelineImportApp, error) {
	return object[api.PipelineImportApp](p.retrieve(ctx, id))
}

func (p *PipelineImportApps) retrieve(ctx context.Context, id int64) (*response, error) {
	req, err := api.NewPipelineImportAppsRetrieveRequest(p.client.server, p.organizationID, id)
	return p.client.do(ctx, "pipeline_import_apps_retrieve", req, err)
}

// Read reads an import app, from a list if many are read: see [Options.SingleReads]. Use
// Retrieve for an app that is about to be changed.
func (p *PipelineImportApps) Read(ctx context.Context, id int64) (api.PipelineImportApp, error) {
	return decoded(ctx, id, p.ReadRaw, p.Retrieve)
}

// ReadRaw is Read for a caller that may need no more than the bytes of the JSON object.
func (p *PipelineImportApps) ReadRaw(ctx context.Context, id int64) (json.RawMessage, error) {
	single := func(ctx context.Context) (json.RawMessage, error) {
		return object[json.RawMessage](p.retrieve(ctx, id))
	}
	if p.client.singleReads {
		return single(ctx)
	}

	return p.client.importApps.of(p.organizationID, source[int64]{
		client: p.client, operation: "pipeline_import_apps_list", first: p.listRequest,
		id: idOf[int64],
	}).read(ctx, id, single)
}

// Change updates an import app by what is there, as [Surveys.Change] does a survey.
func (p *PipelineImportApps) Change(
	ctx context.Context, id int64, decide func(ctx context.Context, live api.PipelineImportApp) (api.PipelineImportAppRequest, error),
) (api.PipelineImportApp, error) {
	return p.change(ctx, id, nil, decide)
}

// ChangeCreated is Change for an app that the service has just returned: it is not read before
// the first attempt.
func (p *PipelineImportApps) ChangeCreated(
	ctx context.Context, created api.PipelineImportApp, decide func(ctx context.Context, live api.PipelineImportApp) (api.PipelineImportAppRequest, error),
) (api.PipelineImportApp, error) {
	return p.change(ctx, *created.ID, &created, decide)
}

func (p *PipelineImportApps) change(
	ctx context.Context, id int64, seen *api.PipelineImportApp, decide func(context.Context, api.PipelineImportApp) (api.PipelineImportAppRequest, error),
) (api.PipelineImportApp, error) {
	defer p.client.importApps.writes.writing(id)()
	return change[api.PipelineImportApp, api.PipelineImportAppRequest]{
		client: p.client, operation: "pipeline_import_apps_partial_update", decide: decide, seen: seen,
		retrieve: func(ctx context.Context) (*response, error) { return p.retrieve(ctx, id) },
		build: func(body api.PipelineImportAppRequest) (*http.Request, error) {
			return api.NewPipelineImportAppsPartialUpdateRequest(p.client.server, p.organizationID, id, body)
		},
	}.run(ctx)
}

// Remove deletes an import app for good, unless check returns an error for what is there.
func (p *PipelineImportApps) Remove(ctx context.Context, id int64, check func(ctx context.Context, live api.PipelineImportApp) error) error {
	defer p.client.importApps.writes.writing(id)()
	req, err := api.NewPipelineImportAppsDestroyRequest(p.client.server, p.organizationID, id)
	return removal[api.PipelineImportApp]{
		client: p.client, operation: "pipeline_import_apps_destroy", check: check,
		retrieve: func(ctx context.Context) (*response, error) { return p.retrieve(ctx, id) },
	}.run(ctx, req, err)
}

// Update changes only the fields that the body has, whatever is there. null clears a field if
// the service allows it.
func (p *PipelineImportApps) Update(ctx context.Context, id int64, body api.PipelineImportAppRequest) (api.PipelineImportApp, error) {
	defer p.client.importApps.writes.writing(id)()
	req, err := api.NewPipelineImportAppsPartialUpdateRequest(p.client.server, p.organizationID, id, body)
	return object[api.PipelineImportApp](p.client.do(ctx, "pipeline_import_apps_partial_update", req, err))
}

// Delete deletes an import app for good, whatever it has become.
func (p *PipelineImportApps) Delete(ctx context.Context, id int64) error {
	defer p.client.importApps.writes.writing(id)()
	req, err := api.NewPipelineImportAppsDestroyRequest(p.client.server, p.organizationID, id)
	return noContent(p.client.do(ctx, "pipeline_import_apps_destroy", req, err))
}

// CheckForUpdates has the service look for a newer version of the app's code. Nil
// when its response is empty, as for all operations below.
func (p *PipelineImportApps) CheckForUpdates(ctx context.Context, id int64) (json.RawMessage, error) {
	req, err := api.NewPipelineImportAppsCheckForUpdatesRetrieveRequest(p.client.server, p.organizationID, id)
	return rawJSON(p.client.do(ctx, "pipeline_import_apps_check_for_updates_retrieve", req, err))
}

// Source is the code of the app: on the hosted service texts by file name.
func (p *PipelineImportApps) Source(ctx context.Context, id int64) (json.RawMessage, error) {
	req, err := api.NewPipelineImportAppsSourceRetrieveRequest(p.client.server, p.organizationID, id)
	return rawJSON(p.client.do(ctx, "pipeline_import_apps_source_retrieve", req, err))
}

// UpdateSource changes the code of the app. The body is JSON and sent as it is: the
// fields of the app by the document, texts by file name on the hosted service.
func (p *PipelineImportApps) UpdateSource(ctx context.Context, id int64, body json.RawMessage) (json.RawMessage, error) {
	defer p.client.importApps.writes.writing(id)()
	const operation = "pipeline_import_apps_update_source_partial_update"
	if !json.Valid(body) {
		return nil, errors.New(operation + ": not sent, since the body is not JSON")
	}

	req, err := api.NewPipelineImportAppsUpdateSourcePartialUpdateRequestWithBody(p.client.server, p.organizationID, id,
		"application/json", bytes.NewReader(body))
	return rawJSON(p.client.do(ctx, operation, req, err))
}

// Upgrade has the service install the newest version of the app's code.
func (p *PipelineImportApps) Upgrade(ctx context.Context, id int64, body api.PipelineImportAppRequest) (json.RawMessage, error) {
	defer p.client.importApps.writes.writing(id)()
	req, err := api.NewPipelineImportAppsUpgradeCreateRequest(p.client.server, p.organizationID, id, body)
	return rawJSON(p.client.do(ctx, "pipeline_import_apps_upgrade_create", req, err))
}

// AllActivity is the newest part of the activity log of all import apps, with at most
// limit entries (0 for the default of the service).
func (p *PipelineImportApps) AllActivity(ctx context.Context, limit int64) (json.RawMessage, error) {
	req, err := api.NewPipelineImportAppsAllActivityRetrieveRequest(p.client.server, p.organizationID,
		&api.PipelineImportAppsAllActivityRetrieveParams{Limit: activityLimit(limit)})
	return rawJSON(p.client.do(ctx, "pipeline_import_apps_all_activity_retrieve", req, err))
}

// ExportsUnsubscribeConfigs lists the configurations of apps that export data.
func (p *PipelineImportApps) ExportsUnsubscribeConfigs(ctx context.Context) (json.RawMessage, error) {
	req, err := api.NewPipelineImportAppsExportsUnsubscribeConfigsRetrieveRequest(p.client.server, p.organizationID)
	return rawJSON(p.client.do(ctx, "pipeline_import_apps_exports_unsubscribe_configs_retrieve", req, err))
}

// Repository lists the apps that can be installed.
func (p *PipelineImportApps) Repository(ctx context.Context) (json.RawMessage, error) {
	req, err := api.NewPipelineImportAppsRepositoryRetrieveRequest(p.client.server, p.organizationID)
	return rawJSON(p.client.do(ctx, "pipeline_import_apps_repository_retrieve", req, err))
}

// Unused lists the ids of apps that no configuration uses.
func (p *PipelineImportApps) Unused(ctx context.Context) (json.RawMessage, error) {
	req, err := api.NewPipelineImportAppsUnusedRetrieveRequest(p.client.server, p.organizationID)
	return rawJSON(p.client.do(ctx, "pipeline_import_apps_unused_retrieve", req, err))
}

func (p *PipelineImportApps) listRequest(limit int) (*http.Request, error) {
	return api.NewPipelineImportAppsListRequest(p.client.server, p.organizationID, &api.PipelineImportAppsListParams{Limit: ListOptions{PageSize: limit}.limit()})
}

// highestAppIDs are, for each organization, the highest id of an import app before this
// client created one there. An app has no date of creation: one counts as new when its id
// is above.
type highestAppIDs struct {
	lock           chan struct{} // held while an organization is asked; a select can give up on it
	byOrganization map[string]int64
	// notBefore is when to ask again where the service failed to respond.
	notBefore map[string]time.Time
}

func newHighestAppIDs() *highestAppIDs {
	return &highestAppIDs{
		lock:           make(chan struct{}, 1),
		byOrganization: map[string]int64{},
		notBefore:      map[string]time.Time{},
	}
}

// highestID is the highest id of an app before this client created one; not known when
// the service does not respond, and then no app is ever taken for a new one.
func (p *PipelineImportApps) highestID(ctx context.Context) (id int64, known bool) {
	ids := p.client.highestAppIDs
	select {
	case ids.lock <- struct{}{}:
		defer func() { <-ids.lock }()
	case <-ctx.Done():
		return 0, false
	}

	if id, known := ids.byOrganization[p.organizationID]; known {
		return id, true
	}
	if p.client.gate.now().Before(ids.notBefore[p.organizationID]) {
		return 0, false // or each of many apps would wait as long as the first
	}

	end := p.client.gate.now().Add(leastLook)
	all, _, err := listMatching(bestEffortUntil(ctx, end), p.client, "pipeline_import_apps_list", p.listRequest,
		func(one api.PipelineImportApp) bool { return one.ID != nil })
	if err != nil {
		tflog.Warn(ctx, "import apps that are created cannot be distinguished from older ones", map[string]any{"error": err.Error()})
		ids.notBefore[p.organizationID] = p.client.gate.now().Add(failuresEnd)
		return 0, false
	}

	for _, one := range all {
		id = max(id, *one.ID)
	}
	ids.byOrganization[p.organizationID] = id
	return id, true
}
