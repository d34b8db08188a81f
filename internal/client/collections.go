package client

import (
	"context"
	"encoding/json"
	"sync"
)

// collections are the bulk reads of one kind of object, a collection for each parent.
// Writes are recorded for all of them together: a parent goes by more than one name,
// "@current" is one of them.
type collections[K comparable] struct {
	writes writeClock[K]

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

// idOf returns the id of an object, false when it has none.
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
// once more by itself: that says what is wrong with which response.
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
