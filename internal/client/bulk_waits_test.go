package client

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// A reader that waits for a list that the service holds back has waited, also when
// another reader began it.
func TestReadsCountTheWaitsOfTheirList(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fake := newFakeService(60, 10)
		c := fake.client(t)
		inner, lists := c.transport, atomic.Int64{}
		c.transport = memory(func(req *http.Request) (*http.Response, error) {
			if strings.HasSuffix(req.URL.Path, "/surveys/") && lists.Add(1) == 4 {
				held := answered(429, map[string]any{})
				held.Header.Set("Retry-After", "60")
				return held, nil
			}
			return inner.RoundTrip(req)
		})

		var wg sync.WaitGroup
		waited := make([]time.Duration, len(fake.order))
		elapsed := make([]time.Duration, len(fake.order))
		for i, id := range fake.order {
			wg.Go(func() {
				start := time.Now()
				ctx, waits := WithWaits(t.Context())
				_, err := c.Surveys("1").Read(ctx, id)
				assert.NoError(t, err)
				waited[i], elapsed[i] = waits.Throttled(), time.Since(start)
			})
		}
		wg.Wait()

		assert.Greater(t, slices.Max(elapsed), time.Minute)
		for i := range elapsed {
			assert.Equal(t, elapsed[i] >= time.Minute, waited[i] >= time.Minute, "survey %d took %s, of which %s are counted", i, elapsed[i], waited[i])
		}
	})
}
