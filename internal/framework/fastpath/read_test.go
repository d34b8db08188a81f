package fastpath

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

// traced is a kind of object whose values show where they come from.
type traced struct{}

func (traced) Read(_ context.Context, _ int) (string, error) { return "read from PostHog", nil }

func (traced) Decode(_ context.Context, _ int, raw json.RawMessage) (string, error) {
	return "decoded " + string(raw), nil
}

// A resource's read sends a request only if the fast path has sent none.
func TestReadUsesThePrefetchedResponse(t *testing.T) {
	t.Parallel()
	failed := errors.New("the survey does not exist")
	for name, c := range map[string]struct {
		earlier any
		object  string
		err     error
	}{
		"no earlier request": {nil, "read from PostHog", nil},
		"earlier response":   {prefetched{body: []byte("{}")}, "decoded {}", nil},
		"earlier error":      {prefetched{err: failed}, "", failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			object, err := Read(context.WithValue(t.Context(), prefetchedKey{}, c.earlier), traced{}, 1)
			assert.Equal(t, c.object, object)
			assert.Equal(t, c.err, err)
		})
	}
}
