package client

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// collections are the bulk reads of one noun, a collection for each parent. Writes
// are noted for all of them together: a parent goes by more than one name, "@current"
// is one of them.
type collections[K comparable] struct {
	writes writes[K]

	mu       sync.Mutex
	byParent map[string]*bulk[K]
}

// of returns the collection of a parent.
func (c *collections[K]) of(parent string, from source[K]) *bulk[K] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byParent == nil {
		c.byParent = map[string]*bulk[K]{}
	}
	if c.byParent[parent] == nil {
		c.byParent[parent] = &bulk[K]{source: from, writes: &c.writes}
	}
	return c.byParent[parent]
}

// Read reads one survey, from a list when many are read: see [Options.SingleReads].
// For what is about to be changed, Retrieve is the one to use.
func (s *Surveys) Read(ctx context.Context, id string) (api.Survey, error) {
	return decoded(ctx, id, s.ReadRaw, s.Retrieve)
}

// ReadRaw is Read for whoever may need no more than the bytes: the JSON object.
func (s *Surveys) ReadRaw(ctx context.Context, id string) (json.RawMessage, error) {
	single := func(ctx context.Context) (json.RawMessage, error) {
		req, err := api.NewSurveysRetrieveRequest(s.client.server, s.projectID, id)
		return object[json.RawMessage](s.client.do(ctx, "surveys_retrieve", req, err))
	}
	if s.client.single {
		return single(ctx)
	}
	return s.client.surveys.of(s.projectID, source[string]{
		client: s.client, operation: "surveys_list", first: s.listRequest,
		id: func(raw json.RawMessage) (string, bool) {
			id, ok := idOf[string](raw)
			return s.key(id), ok
		},
	}).read(ctx, s.key(id), single)
}

// key is a UUID in one of the forms in which the service takes it. An id may be
// anything that somebody pasted, and it is kept.
func (s *Surveys) key(id string) string {
	return strings.ToLower(strings.ReplaceAll(s.client.credential.hide(id), "-", ""))
}

// Read reads one import app, from a list when many are read: see
// [Options.SingleReads]. For what is about to be changed, Retrieve is the one to use.
func (p *PipelineImportApps) Read(ctx context.Context, id int64) (api.PipelineImportApp, error) {
	return decoded(ctx, id, p.ReadRaw, p.Retrieve)
}

// ReadRaw is Read for whoever may need no more than the bytes: the JSON object.
func (p *PipelineImportApps) ReadRaw(ctx context.Context, id int64) (json.RawMessage, error) {
	single := func(ctx context.Context) (json.RawMessage, error) {
		req, err := api.NewPipelineImportAppsRetrieveRequest(p.client.server, p.organizationID, id)
		return object[json.RawMessage](p.client.do(ctx, "pipeline_import_apps_retrieve", req, err))
	}
	if p.client.single {
		return single(ctx)
	}
	return p.client.importApps.of(p.organizationID, source[int64]{
		client: p.client, operation: "pipeline_import_apps_list", first: p.listRequest,
		id: idOf[int64],
	}).read(ctx, id, single)
}

// idOf is the id of an object, false when it has none.
func idOf[K any](raw json.RawMessage) (id K, ok bool) {
	var one struct {
		ID *K `json:"id"`
	}
	if json.Unmarshal(raw, &one) != nil || one.ID == nil {
		return id, false
	}
	return *one.ID, true
}

// decoded is a raw read as the contract's type. What does not fit the type is read
// once more by itself: that says what is wrong with which answer.
func decoded[T, K any](ctx context.Context, id K, read func(context.Context, K) (json.RawMessage, error), single func(context.Context, K) (T, error)) (T, error) {
	var value T
	raw, err := prefetchedOr(ctx, id, read)
	if err != nil {
		return value, err
	}

	if json.Unmarshal(raw, &value) != nil {
		return single(ctx, id)
	}
	return value, nil
}

// prefetchedOr returns what the context brings along, or else reads it.
func prefetchedOr[K any](ctx context.Context, id K, read func(context.Context, K) (json.RawMessage, error)) (json.RawMessage, error) {
	if earlier, ok := prefetchedFrom(ctx); ok {
		return earlier.raw, earlier.err
	}
	return read(ctx, id)
}
