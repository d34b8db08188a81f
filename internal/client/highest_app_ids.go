package client

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

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
