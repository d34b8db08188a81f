package client

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// CreateOnce makes an import app and never a second one: when the answer is lost, it
// looks for the app by its address, which is unique, or else by its name. An app
// bears no date, so one counts as new when its id is above all that there were when
// the client made its first app in the organization; that costs one list.
//
// Shown tells that the service surely shows such an app, see its capabilities; of one
// that it may hide, nothing that is not found is proof. Its errors are those of
// Create, an [AmbiguousCreateError], and a [ConflictError] for an address that is taken.
func (p *PipelineImportApps) CreateOnce(ctx context.Context, body api.PipelineImportAppRequest, shown bool) (api.PipelineImportApp, error) {
	highest, known := p.highest(ctx)
	address, _ := body.URL.Get()
	return creation[api.PipelineImportApp]{
		client: p.client, isTaken: isTakenURL, isTold: shown || address != "", isOnly: address != "",
		post: func(ctx context.Context) (api.PipelineImportApp, error) { return p.Create(ctx, body) },
		find: func(ctx context.Context) ([]api.PipelineImportApp, time.Time, error) {
			return search(ctx, p.client, "pipeline_import_apps_list", p.listRequest, func(one api.PipelineImportApp) bool {
				return one.ID != nil && hasMark(one, body)
			})
		},
		isOurs: func(one api.PipelineImportApp, _ time.Time) bool {
			return known && *one.ID > highest && tells(one, body, overwritten(address))
		},
		id: func(one api.PipelineImportApp) string { return strconv.FormatInt(*one.ID, 10) },
	}.once(ctx)
}

// hasMark tells whether a found app may be the one to make.
func hasMark(one api.PipelineImportApp, body api.PipelineImportAppRequest) bool {
	address, _ := body.URL.Get()
	if told, err := one.URL.Get(); err == nil && address != "" {
		return bare(told) == bare(address)
	}
	name, _ := body.Name.Get()
	told, _ := one.Name.Get()
	return strings.TrimSpace(told) == strings.TrimSpace(name)
}

// bare is an address as the service shows it: a query may hold a token.
func bare(address string) string {
	address, _, _ = strings.Cut(strings.TrimSpace(address), "?")
	return address
}

// overwritten are the fields that the service fills from the code at the address.
func overwritten(address string) []string {
	if address == "" {
		return nil
	}
	return []string{"url", "name", "description", "icon", "tag", "config_schema", "public_jobs", "capabilities", "metrics", "plugin_type"}
}

// isTakenURL tells that an app from the address is installed, here or elsewhere.
func isTakenURL(err error) bool {
	e, ok := refusal(err)
	return ok && e.Status == http.StatusBadRequest && strings.HasSuffix(strings.TrimSuffix(e.Detail, "!"), "already installed")
}

func (p *PipelineImportApps) listRequest(limit int) (*http.Request, error) {
	return api.NewPipelineImportAppsListRequest(p.client.server, p.organizationID, &api.PipelineImportAppsListParams{Limit: ListOptions{PageSize: limit}.limit()})
}

// appsBefore is the highest id of an app there was in each organization before this
// client made one.
type appsBefore struct {
	turn    chan struct{} // held while that is asked for
	highest map[string]int64
	// notBefore is when to ask again where the service failed to tell.
	notBefore map[string]time.Time
}

func newAppsBefore() *appsBefore {
	return &appsBefore{turn: make(chan struct{}, 1), highest: map[string]int64{}, notBefore: map[string]time.Time{}}
}

// highest is the highest id of an app before this client made one; not known when the
// service doesn't tell, and then no app is ever taken for a new one.
func (p *PipelineImportApps) highest(ctx context.Context) (id int64, known bool) {
	seen := p.client.apps
	select {
	case seen.turn <- struct{}{}:
		defer func() { <-seen.turn }()
	case <-ctx.Done():
		return 0, false
	}
	if id, known := seen.highest[p.organizationID]; known {
		return id, true
	}
	if p.client.gate.now().Before(seen.notBefore[p.organizationID]) {
		return 0, false // or each of many apps would wait as long as the first
	}
	all, _, err := search(optional(ctx), p.client, "pipeline_import_apps_list", p.listRequest, func(one api.PipelineImportApp) bool { return one.ID != nil })
	if err != nil {
		tflog.Warn(ctx, "import apps that are made can't be told from older ones", map[string]any{"error": err.Error()})
		seen.notBefore[p.organizationID] = p.client.gate.now().Add(failuresEnd)
		return 0, false
	}
	for _, one := range all {
		id = max(id, *one.ID)
	}
	seen.highest[p.organizationID] = id
	return id, true
}
