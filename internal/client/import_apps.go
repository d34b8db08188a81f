package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// PipelineImportApps accesses the import apps of one organization.
type PipelineImportApps struct {
	objects[api.PipelineImportApp, api.PipelineImportAppRequest, int64]
}

// PipelineImportApps returns the import apps of an organization. The ID is a UUID, or "@current"
// for the current organization of the key's user.
func (c *Client) PipelineImportApps(organizationID string) *PipelineImportApps {
	return &PipelineImportApps{objects[api.PipelineImportApp, api.PipelineImportAppRequest, int64]{
		client: c, send: c.unlessRemoved(organizationID), parent: organizationID, kind: importApps, known: c.importApps, key: func(id int64) int64 { return id },
	}}
}

var importApps = kind[api.PipelineImportAppRequest, int64]{
	noun: "pipeline_import_apps", create: api.NewPipelineImportAppsCreateRequest, retrieve: api.NewPipelineImportAppsRetrieveRequest,
	update: api.NewPipelineImportAppsPartialUpdateRequest, destroy: api.NewPipelineImportAppsDestroyRequest,
	list: func(server, organization string, limit *api.Limit) (*http.Request, error) {
		return api.NewPipelineImportAppsListRequest(server, organization, &api.PipelineImportAppsListParams{Limit: limit})
	},
}

// CreateOnce creates at most one import app. If the response is lost, it searches for the app by
// its URL, which is unique, or by its name. Apps have no creation date, so an app counts as new if
// its ID is higher than all IDs that existed before the client's first create in the organization.
// Determining the highest ID costs one list.
//
// isShown is set if PostHog certainly lists the app, which depends on its capabilities. If PostHog
// may hide the app, not finding it proves nothing. CreateOnce returns the errors of Create, an
// [AmbiguousCreateError], or a [ConflictError] if the URL is taken.
func (p *PipelineImportApps) CreateOnce(ctx context.Context, body api.PipelineImportAppRequest, isShown bool) (api.PipelineImportApp, error) {
	highest, isKnown := p.highestID(ctx)
	address, _ := body.URL.Get()
	return creation[api.PipelineImportApp]{
		client: p.client, call: p.call(ctx, "create"), isConflict: isURLConflict, lookupIsComplete: isShown || address != "", keyIsUnique: address != "",
		post: func(ctx context.Context) (api.PipelineImportApp, error) { return p.Create(ctx, body) },
		find: func(ctx context.Context, until time.Time) ([]api.PipelineImportApp, time.Time, error) {
			return p.listMatching(ctx, p.call(ctx, "list").until(until), func(app api.PipelineImportApp) bool {
				return app.ID != nil && hasNaturalKey(app, body)
			})
		},
		isOurs: func(app api.PipelineImportApp, _ time.Time) bool {
			return isKnown && *app.ID > highest && matchesRequest(app, body, fieldsFromCode(address))
		},
		id: func(app api.PipelineImportApp) string { return strconv.FormatInt(*app.ID, 10) },
	}.run(ctx)
}

// CheckForUpdates makes PostHog look for a newer version of the app's code. Like all operations
// below, it returns nil if the response is empty.
func (p *PipelineImportApps) CheckForUpdates(ctx context.Context, id int64) (json.RawMessage, error) {
	req, err := api.NewPipelineImportAppsCheckForUpdatesRetrieveRequest(p.client.server, p.parent, id)
	return rawJSON(p.do(ctx, "check_for_updates_retrieve", req, err))
}

// Source returns the app's code: in PostHog, a map from file name to text.
func (p *PipelineImportApps) Source(ctx context.Context, id int64) (json.RawMessage, error) {
	req, err := api.NewPipelineImportAppsSourceRetrieveRequest(p.client.server, p.parent, id)
	return rawJSON(p.do(ctx, "source_retrieve", req, err))
}

// UpdateSource changes the app's code. It sends body, which is JSON, unchanged. In the API
// document, body contains the app's fields. In PostHog, it maps file names to texts.
func (p *PipelineImportApps) UpdateSource(ctx context.Context, id int64, body json.RawMessage) (json.RawMessage, error) {
	defer p.client.importApps.writes.writing(id)()
	const operation = "update_source_partial_update"
	if !json.Valid(body) {
		return nil, errors.New(p.call(ctx, operation).operation + ": not sent, because the body is not JSON")
	}

	req, err := api.NewPipelineImportAppsUpdateSourcePartialUpdateRequestWithBody(p.client.server, p.parent, id,
		"application/json", bytes.NewReader(body))
	return rawJSON(p.do(ctx, operation, req, err))
}

// Upgrade makes PostHog install the newest version of the app's code.
func (p *PipelineImportApps) Upgrade(ctx context.Context, id int64, body api.PipelineImportAppRequest) (json.RawMessage, error) {
	defer p.client.importApps.writes.writing(id)()
	req, err := api.NewPipelineImportAppsUpgradeCreateRequest(p.client.server, p.parent, id, body)
	return rawJSON(p.do(ctx, "upgrade_create", req, err))
}

// AllActivity returns the newest part of the activity log for all import apps, with at most limit
// entries. 0 means PostHog's default.
func (p *PipelineImportApps) AllActivity(ctx context.Context, limit int64) (json.RawMessage, error) {
	req, err := api.NewPipelineImportAppsAllActivityRetrieveRequest(p.client.server, p.parent,
		&api.PipelineImportAppsAllActivityRetrieveParams{Limit: activityLimit(limit)})
	return rawJSON(p.do(ctx, "all_activity_retrieve", req, err))
}

// ExportsUnsubscribeConfigs lists the configurations of apps that export data.
func (p *PipelineImportApps) ExportsUnsubscribeConfigs(ctx context.Context) (json.RawMessage, error) {
	req, err := api.NewPipelineImportAppsExportsUnsubscribeConfigsRetrieveRequest(p.client.server, p.parent)
	return rawJSON(p.do(ctx, "exports_unsubscribe_configs_retrieve", req, err))
}

// Repository lists the apps that can be installed.
func (p *PipelineImportApps) Repository(ctx context.Context) (json.RawMessage, error) {
	req, err := api.NewPipelineImportAppsRepositoryRetrieveRequest(p.client.server, p.parent)
	return rawJSON(p.do(ctx, "repository_retrieve", req, err))
}

// UnusedIDs lists the IDs of apps that no configuration uses.
func (p *PipelineImportApps) UnusedIDs(ctx context.Context) (json.RawMessage, error) {
	req, err := api.NewPipelineImportAppsUnusedRetrieveRequest(p.client.server, p.parent)
	return rawJSON(p.do(ctx, "unused_retrieve", req, err))
}

// highestID returns the highest app ID before this client created an app. If PostHog does not
// respond, the ID is unknown, and no app ever counts as new.
func (p *PipelineImportApps) highestID(ctx context.Context) (id int64, known bool) {
	id, err := p.client.highestAppIDs.get(ctx, p.parent, func() (int64, error) {
		list := p.call(ctx, "list").optional().until(p.client.gate.now().Add(leastLook))
		apps, _, err := p.listMatching(ctx, list, func(app api.PipelineImportApp) bool { return app.ID != nil })
		highest := int64(0)
		for _, app := range apps {
			highest = max(highest, *app.ID)
		}
		return highest, err
	})
	if err != nil {
		tflog.Warn(ctx, "new import apps cannot be distinguished from older ones", map[string]any{"error": err.Error()})
	}
	return id, err == nil
}
