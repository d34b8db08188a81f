package client

import (
	"context"
	"encoding/json"
)

type prefetchedKey struct{}

// prefetched is the outcome of a ReadRaw that was made before the Read that needs it.
type prefetched struct {
	raw json.RawMessage
	err error
}

// WithPrefetched returns a context in which Read returns the outcome of an earlier
// ReadRaw instead of sending a request. The caller is one that compared the bytes first
// and found that they have to be decoded; the context is the only way through the
// framework, which calls Read itself.
func WithPrefetched(ctx context.Context, raw json.RawMessage, err error) context.Context {
	return context.WithValue(ctx, prefetchedKey{}, prefetched{raw: raw, err: err})
}

// prefetchedFrom returns what WithPrefetched stored, false where nothing was prefetched.
func prefetchedFrom(ctx context.Context) (prefetched, bool) {
	p, ok := ctx.Value(prefetchedKey{}).(prefetched)
	return p, ok
}

// prefetchedOr returns what was prefetched, or else reads the object.
func prefetchedOr[K any](ctx context.Context, id K, read func(context.Context, K) (json.RawMessage, error)) (json.RawMessage, error) {
	if earlier, ok := prefetchedFrom(ctx); ok {
		return earlier.raw, earlier.err
	}
	return read(ctx, id)
}
