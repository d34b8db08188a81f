package client

import (
	"context"
	"strings"
	"sync"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// collections are the bulk reads of one noun, a collection for each parent. Writes
// are noted for all of them together: a parent goes by more than one name, "@current"
// is one of them.
type collections[T any, K comparable] struct {
	writes writes[K]

	mu       sync.Mutex
	byParent map[string]*bulk[T, K]
}

// of returns the collection of a parent.
func (c *collections[T, K]) of(parent string, from source[T, K]) *bulk[T, K] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byParent == nil {
		c.byParent = map[string]*bulk[T, K]{}
	}
	if c.byParent[parent] == nil {
		c.byParent[parent] = &bulk[T, K]{source: from, writes: &c.writes}
	}
	return c.byParent[parent]
}

// Read reads one survey, from a list when many are read: see [Options.SingleReads].
// For what is about to be changed or imported, Retrieve is the one to use.
func (s *Surveys) Read(ctx context.Context, id string) (api.Survey, error) {
	single := func(ctx context.Context) (api.Survey, error) { return s.Retrieve(ctx, id) }
	if s.client.single {
		return single(ctx)
	}
	return s.client.surveys.of(s.projectID, source[api.Survey, string]{
		client: s.client, operation: "surveys_list", first: s.listRequest,
		id: func(one api.Survey) (string, bool) {
			if one.ID == nil {
				return "", false
			}
			return s.key(*one.ID), true
		},
	}).read(ctx, s.key(id), single)
}

// key is a UUID in one of the forms in which the service takes it. An id may be
// anything that somebody pasted, and it is kept.
func (s *Surveys) key(id string) string {
	return strings.ToLower(strings.ReplaceAll(s.client.credential.hide(id), "-", ""))
}

// Read reads one import app, from a list when many are read: see
// [Options.SingleReads]. For what is about to be changed or imported, Retrieve is the
// one to use.
func (p *PipelineImportApps) Read(ctx context.Context, id int64) (api.PipelineImportApp, error) {
	single := func(ctx context.Context) (api.PipelineImportApp, error) { return p.Retrieve(ctx, id) }
	if p.client.single {
		return single(ctx)
	}
	return p.client.importApps.of(p.organizationID, source[api.PipelineImportApp, int64]{
		client: p.client, operation: "pipeline_import_apps_list", first: p.listRequest,
		id: func(one api.PipelineImportApp) (int64, bool) {
			if one.ID == nil {
				return 0, false
			}
			return *one.ID, true
		},
	}).read(ctx, id, single)
}
