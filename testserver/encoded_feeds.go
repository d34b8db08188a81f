package testserver

import (
	"encoding/json"
	"sync"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// encodedFeed is what apps get of the surveys of a project, and these surveys. It is not changed.
type encodedFeed struct {
	json    json.RawMessage
	surveys []*store.Survey
}

// encodedFeeds is a cache of what apps get of the surveys of projects. Persons and events change
// nothing of it, and it is as large as [maxEncoded] at most.
type encodedFeeds struct {
	mu        sync.Mutex
	store     *store.Store
	state     int64
	byProject map[int64]encodedFeed
	size      int
}

// ofProject is the feed of a project, which is encoded when it is not known. The caller holds the
// lock of the store, for reading at least.
func (e *encodedFeeds) ofProject(a encoding, p *store.Project) encodedFeed {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.store != a.store || e.state != a.store.Deliveries() {
		e.store, e.state, e.byProject, e.size = a.store, a.store.Deliveries(), map[int64]encodedFeed{}, 0
	}

	feed, ok := e.byProject[p.ID]
	if ok {
		return feed
	}
	feed = a.feed(p)
	if e.size+len(feed.json) <= maxEncoded {
		e.byProject[p.ID] = feed
		e.size += len(feed.json)
	}
	return feed
}
