package client

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// An update takes one look and one write. Refusals add a tenth of these requests, and a run takes at most 1.3 times the
// time that the throttle allows. This holds for one update at a time, as in posthog-sync, and for ten, as in Terraform,
// even if the plan used up part of the first window.
func TestThrottledUpdatesTakeFewRequests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		surveys, requests int
		per               time.Duration
		planned           int
	}{
		{14, 8, 5 * time.Second, 0}, {14, 8, 5 * time.Second, 2}, {100, 8, 5 * time.Second, 2},
		{14, 30, 15 * time.Second, 2}, {40, 30, 15 * time.Second, 0}, {40, 30, 15 * time.Second, 2}, {200, 30, 15 * time.Second, 2}, {1000, 480, time.Minute, 2},
	} {
		for _, wide := range []int{1, 10} {
			for _, latency := range []time.Duration{0, 150 * time.Millisecond} {
				t.Run(fmt.Sprintf("%v, %d at a time, %s", c, wide, latency), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						s := newThrottledPostHog(c.surveys, c.requests, c.per)
						s.latency = latency
						s.checkRun(t, c.planned, wide, "update", 2)
					})
				})
			}
		}
	}
}

// The same is true if the client has sent reads, so that the first window ends between a look and its write, and the
// next windows begin slowly.
func TestThrottledUpdatesAfterReadsTakeFewRequests(t *testing.T) {
	t.Parallel()
	for reads := range 7 {
		for _, latency := range []time.Duration{10 * time.Millisecond, 150 * time.Millisecond} {
			for per, requests := range map[time.Duration]int{5 * time.Second: 8, 15 * time.Second: 30} {
				t.Run(fmt.Sprintf("%d reads, %d in %s, %s", reads, requests, per, latency), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						s := newThrottledPostHog(14, requests, per)
						s.reads, s.latency = reads, latency
						s.checkRun(t, 0, 1, "update", 2)
					})
				})
			}
		}
	}
}

// Before the first refusal, one turn is out at a time, then two, and soon as many as the caller has. Each turn takes
// two requests of 150 ms.
func TestUnthrottledUpdatesGoOutTogetherSoon(t *testing.T) {
	t.Parallel()
	for surveys, want := range map[int]time.Duration{4: 1200 * time.Millisecond, 14: 3 * time.Second, 200: 9600 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			s := newThrottledPostHog(surveys, 1000, time.Minute)
			s.latency = 150 * time.Millisecond
			start := time.Now()
			assert.Empty(t, s.writeAll(t, 10, writers["update"]))
			assert.Equal(t, want, time.Since(start))
			assert.Equal(t, 2*surveys, s.all)
		})
	}
}

// Deletions that count responses need one more request each.
func TestThrottledDeletionsTakeFewRequests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		surveys, requests int
		per               time.Duration
	}{{100, 8, 5 * time.Second}, {200, 30, 15 * time.Second}, {1000, 480, time.Minute}} {
		for _, wide := range []int{1, 10} {
			t.Run(fmt.Sprintf("%d surveys, %d in %s, %d at a time", c.surveys, c.requests, c.per, wide), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					newThrottledPostHog(c.surveys, c.requests, c.per).checkRun(t, 2, wide, "delete_unanswered", 3)
				})
			})
		}
	}
}

// checkRun writes all surveys after a plan with some requests, and checks the number of requests and the time.
// requests is the number of requests per write. If no write fits into the rest of a window, more writes are refused
// halfway.
func (s *throttledPostHog) checkRun(t *testing.T, planned, wide int, writer string, requests int) {
	t.Helper()
	for range planned {
		s.throttle(time.Now())
	}
	time.Sleep(time.Second)
	s.all = 0

	start := time.Now()
	for id, err := range s.writeAll(t, wide, writers[writer]) {
		t.Fatalf("could not write survey %s: %v", id, err)
	}
	took := time.Since(start)

	perWindow := s.requests / requests
	allowed := time.Duration(len(s.surveys)) * s.per / time.Duration(perWindow)
	allowed += time.Duration(s.reads) * s.per / time.Duration(s.requests)
	perWrite := float64(s.all-s.reads) / float64(len(s.surveys))
	t.Logf("%d requests, %d refused, %.2f a write, %s of %s", s.all, s.refusals, perWrite, took, allowed)
	most := 1.1 * float64(requests)
	if s.requests%requests > 0 {
		most = 1.25 * float64(requests)
	}
	assert.LessOrEqual(t, perWrite, most)
	assert.LessOrEqual(t, took.Seconds(), 1.3*allowed.Seconds())
	assert.Empty(t, s.unseen)
}

// L11: no write replaces an edit that a teammate made during one of its waits.
func TestL11KeepsEditsDuringTheWaitsOfAThrottledRun(t *testing.T) {
	t.Parallel()
	for name, write := range writers {
		for _, wide := range []int{1, 10} {
			t.Run(fmt.Sprintf("%s, %d at a time", name, wide), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := newThrottledPostHog(40, 9, 5*time.Second)
					var edited sync.Map
					s.refused = func(id string, wait time.Duration) {
						time.AfterFunc(wait/2, func() {
							s.edit(id)
							edited.Store(id, nil)
						})
					}

					errs := s.writeAll(t, wide, write)
					assert.Empty(t, s.unseen, "edits of a teammate were overwritten")
					assert.NotEmpty(t, errs)
					for id, err := range errs {
						_, ok := edited.Load(id)
						assert.True(t, ok, "%s", err)
						require.ErrorIs(t, err, errChanged)
					}
				})
			})
		}
	}
}

// L11: the same is true during the wait for a resource that another request has locked, and the two never deadlock.
func TestL11LooksAgainAfterAWaitForALock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newThrottledPostHog(2, 100, time.Minute)
		c := s.client(t)
		c.gate.allowance.refusals = 1
		isDeciding, lock := make(chan struct{}, 2), make(chan struct{})

		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := c.Surveys("1").Change(t.Context(), s.id(0), func(context.Context, api.Survey) (api.SurveyRequest, error) {
				isDeciding <- struct{}{}
				<-lock
				return surveyBody, nil
			})
			assert.NoError(t, err)
		})
		<-isDeciding

		_, err := c.Surveys("1").Retrieve(t.Context(), s.id(1))
		require.NoError(t, err)
		time.Sleep(time.Second)
		close(lock)
		wg.Wait()
		assert.Equal(t, 4, s.all)
		assert.Empty(t, s.unseen)
	})
}

// L11: an object that was just created is read again before an attempt that follows a wait.
func TestL11LooksAtACreatedObjectAfterAWait(t *testing.T) {
	t.Parallel()
	s := serve(t, throttle("4"), respondDescription("theirs"))
	client, _ := s.retryingClient()
	created := api.Survey{ID: new(surveyID)}
	created.Description.Set("seen")
	_, err := client.Surveys("1").ChangeNew(t.Context(), surveyID, created, ifSeen)
	require.ErrorIs(t, err, errChanged)
	assert.Equal(t, http.MethodGet, s.requests()[1].method)
}

// Requests that don't check the object first are sent at the same time until PostHog refuses one.
func TestReadsGoOutTogether(t *testing.T) {
	t.Parallel()
	for refusals, want := range map[int]time.Duration{0: 500 * time.Millisecond, 1: 5 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s := newThrottledPostHog(10, 100, time.Minute)
			s.latency = 500 * time.Millisecond
			c := s.client(t)
			c.gate.allowance.refusals = refusals

			start := time.Now()
			var wg sync.WaitGroup
			for id := range s.surveys {
				wg.Go(func() {
					_, err := c.Surveys("1").Retrieve(t.Context(), id)
					assert.NoError(t, err)
				})
			}
			wg.Wait()
			assert.Equal(t, want, time.Since(start))
		})
	}
}
