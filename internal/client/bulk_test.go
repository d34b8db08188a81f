package client

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// For any state, project, and page size, reads take at most one request more than twice the better of two ways: reading
// one by one and reading the whole list.
func TestReadsTakeFewRequests(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		n := 1 + r.IntN(700)
		fake := newFakeService(n, []int{1, 10, 100, 500, 1000}[r.IntN(5)])
		ids := append([]string(nil), fake.order...)
		r.Shuffle(n, func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		ids = ids[:1+r.IntN(1+r.IntN(n))]
		wide := []int{1, 10, 64}[r.IntN(3)]
		assert.Empty(t, readAll(t, fake.client(t), ids, wide))
		size := min(fake.largest, pageSize)
		best := min(len(ids), (n+size-1)/size)
		assert.LessOrEqual(t, fake.sum(), 2*best+1, "reading %d of %d surveys in pages of %d, with %d concurrent reads: requests %v", len(ids), n, size, wide, fake.counts())
	}
}

// These are the counts that users see if PostHog grants the requested page size.
func TestReadsOfKnownSizes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ read, of, most int }{{1, 5000, 1}, {10, 10, 2}, {200, 200, 2}, {1000, 1000, 4}} {
		fake := newFakeService(c.of, 1<<20)
		assert.Empty(t, readAll(t, fake.client(t), fake.order[c.of-c.read:], 10))
		assert.LessOrEqual(t, fake.sum(), c.most, "reading %d of %d surveys: requests %v", c.read, c.of, fake.counts())
	}
	fake := newFakeService(50, 1<<20)
	readAll(t, fake.client(t, func(o *Options) { o.SingleReads = true }), fake.order, 10)
	assert.Equal(t, map[string]int{"GET": 50}, fake.counts())
}

// The test server returns the same objects from lists and items in both profiles. These are the counts that users
// see.
func TestReadsOfTheReferenceServer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ read, of, most int }{{200, 200, 2}, {1000, 1000, 4}} {
		for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
			fixtures, ids := manySurveys(t, c.of)
			srv := testserver.Start(t, testserver.Options{Profile: profile, Fixtures: strings.NewReader(fixtures)})
			client := of(t, srv)
			assert.Empty(t, readAll(t, client, ids[:c.read], 10))
			t.Logf("%d of %d, %s: %d requests", c.read, c.of, profile, len(srv.Journal()))
			assert.LessOrEqual(t, len(srv.Journal()), c.most)
			if c.read == 200 {
				readAll(t, client, ids[:2], 1) // the second one comes from the list
				listed, err := client.Surveys("1").Read(t.Context(), ids[3])
				require.NoError(t, err)
				single, err := client.Surveys("1").Retrieve(t.Context(), ids[3])
				require.NoError(t, err)
				assert.Equal(t, single, listed)
			}
		}
	}
}

// A second refresh doesn't reuse the first one's lists.
func TestReadsOfTheNextRefresh(t *testing.T) {
	t.Parallel()
	fake := newFakeService(100, 1<<20)
	c := fake.client(t)
	for range 3 {
		assert.Empty(t, readAll(t, c, fake.order, 10))
	}
	assert.Equal(t, map[string]int{"GET": 3, "LIST": 3}, fake.counts())
	read, err := c.Surveys("1").Read(t.Context(), fake.order[7])
	require.NoError(t, err)
	assert.Equal(t, "0", read.Description.MustGet())
	fake.versions[fake.order[7]] = 5 // without a request from the client
	read, err = c.Surveys("1").Read(t.Context(), fake.order[7])
	require.NoError(t, err)
	assert.Equal(t, "5", read.Description.MustGet())
}

// A page that was made before a write and arrives after the write doesn't hide it.
func TestReadsSeeAWriteDuringAPage(t *testing.T) {
	t.Parallel()
	fake := newFakeService(40, 10)
	c := fake.client(t)
	written := fake.order[35]
	var once sync.Once
	fake.after = func(req *http.Request) {
		if req.URL.Query().Get("offset") != "30" {
			return
		}
		once.Do(func() {
			_, err := c.Surveys("1").Update(t.Context(), written, surveyBody)
			assert.NoError(t, err)
		})
	}

	for _, id := range fake.order {
		survey, err := c.Surveys("1").Read(t.Context(), id)
		require.NoError(t, err)
		if id == written {
			assert.Equal(t, "1", survey.Description.MustGet())
		}
	}
}

// Others delete and add surveys while the pages are read, so some surveys are on no page. The client still reads every
// survey that exists, and reports only deleted surveys as deleted.
func TestReadsOfAShiftingList(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		fake := newFakeService(120, 10)
		ids := append([]string(nil), fake.order...)
		removed := map[string]bool{}

		var mu sync.Mutex
		fake.before = func(req *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			if req.URL.Query().Get("offset") == "" {
				return
			}

			id := ids[r.IntN(len(ids))]
			fake.remove(id)
			removed[id] = true

			fake.mu.Lock()
			added := fmt.Sprintf("added-%d", len(removed))
			fake.versions[added] = 0
			if r.IntN(2) == 0 {
				fake.order = append([]string{added}, fake.order...)
			}
			fake.mu.Unlock()
		}

		for _, id := range readAll(t, fake.client(t), ids, 10) {
			assert.True(t, removed[id], "survey %s exists, but is reported as deleted", id)
		}
	}
}

// A reader doesn't receive a failing list's error.
func TestReadsWhenTheListFails(t *testing.T) {
	t.Parallel()
	for _, after := range []int{0, 1, 3} {
		fake := newFakeService(60, 10)
		c := fake.client(t)
		stop(c)
		inner, lists := c.transport, atomic.Int64{}
		c.transport = memory(func(req *http.Request) (*http.Response, error) {
			if strings.HasSuffix(req.URL.Path, "/surveys/") && int(lists.Add(1)) > after {
				return answered(403, map[string]any{"detail": "No."}), nil
			}
			return inner.RoundTrip(req)
		})
		assert.Empty(t, readAll(t, c, fake.order, 10))
		assert.Equal(t, int64(after+1), lists.Load(), "a failed list request must not be repeated")
	}
}

// A list that is slow, or keeps failing, uses at most half of a reader's time. The reader uses the rest to request
// the object itself.
func TestReadsWhenTheListIsSlow(t *testing.T) {
	t.Parallel()
	for name, list := range map[string]func(*http.Request) (*http.Response, error){
		"slow": func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, req.Context().Err()
		},
		"fails": func(*http.Request) (*http.Response, error) { return answered(503, map[string]any{}), nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				fake := newFakeService(20, 10)
				c := fake.client(t)
				inner, lists := c.transport, atomic.Int64{}
				c.transport = memory(func(req *http.Request) (*http.Response, error) {
					if !strings.HasSuffix(req.URL.Path, "/surveys/") {
						return inner.RoundTrip(req)
					}
					lists.Add(1)
					return list(req)
				})

				started := time.Now()
				for _, id := range fake.order {
					ctx, cancel := WithBudget(t.Context(), Budget{Operation: "read", Length: 50 * time.Second})
					_, err := c.Surveys("1").Read(ctx, id)
					cancel()
					assert.NoError(t, err)
				}

				assert.LessOrEqual(t, time.Since(started), failuresEnd+longestPause)
				if name == "slow" {
					assert.Equal(t, int64(1), lists.Load())
				}
			})
		})
	}
}

// A reader that stops does not stop the list that others wait for.
func TestReadThatStops(t *testing.T) {
	t.Parallel()
	fake := newFakeService(3, 10)
	c := fake.client(t)
	require.Empty(t, readAll(t, c, fake.order[:1], 1))

	listing, release := make(chan struct{}), make(chan struct{})
	fake.before = func(req *http.Request) {
		if req.URL.Query().Get("limit") != "" {
			close(listing)
			<-release
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error)
	go func() {
		_, err := c.Surveys("1").Read(ctx, fake.order[1])
		stopped <- err
	}()
	<-listing

	other := make(chan error)
	go func() {
		_, err := c.Surveys("1").Read(t.Context(), fake.order[2])
		other <- err
	}()

	cancel()
	assert.ErrorIs(t, <-stopped, context.Canceled)
	close(release)
	assert.NoError(t, <-other)
	assert.Equal(t, 1, fake.counts()["LIST"])
}

// A read that begins after a write ended never returns an older version, however lists, reads, and writes interleave.
func TestReadsSeeWhatWasWritten(t *testing.T) {
	t.Parallel()
	fake := newFakeService(40, 7)
	fake.before = func(*http.Request) { runtime.Gosched() }
	c := fake.client(t)

	written := make([]atomic.Int64, len(fake.order))
	ids := append([]string(nil), fake.order...)
	var locks [40]sync.Mutex // one writer at a time for each survey, so that versions have an order

	var wg sync.WaitGroup
	for g := range uint64(12) {
		r := rand.New(rand.NewPCG(g, 9))
		wg.Go(func() {
			for range 300 {
				i := r.IntN(len(ids))
				surveys := c.Surveys("1")
				if r.IntN(4) == 0 {
					locks[i].Lock()
					response, err := surveys.Update(t.Context(), ids[i], api.SurveyRequest{Name: nullable.NewNullableWithValue("x")})
					if assert.NoError(t, err) {
						written[i].Store(version(t, response))
					}
					locks[i].Unlock()
					continue
				}

				before := written[i].Load()
				response, err := surveys.Read(t.Context(), ids[i])
				if assert.NoError(t, err) {
					assert.GreaterOrEqual(t, version(t, response), before)
				}
			}
		})
	}
	wg.Wait()

	assert.Positive(t, fake.counts()["LIST"])
}

func version(t *testing.T, s api.Survey) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s.Description.MustGet(), 10, 64)
	assert.NoError(t, err)
	return n
}

// Import apps are also read from lists. This takes as few requests as for surveys, has the same outcome as reading one
// by one, and detects deleted apps.
func TestReadsOfImportApps(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		for _, c := range []struct{ read, of, most int }{{1, 300, 1}, {10, 10, 2}, {200, 200, 2}, {600, 600, 4}} {
			t.Run(fmt.Sprint(c.read, " of ", c.of, " ", profile), func(t *testing.T) {
				t.Parallel()
				srv := testserver.Start(t, testserver.Options{Profile: profile})
				srv.SetFixtures(manyApps(t, srv.OrganizationID, c.of))
				apps := of(t, srv).PipelineImportApps(srv.OrganizationID)
				positions := make(chan int)
				var wg sync.WaitGroup
				for range 10 {
					wg.Go(func() {
						for i := range positions {
							app, err := apps.Read(t.Context(), int64(i+1))
							assert.NoError(t, err)
							assert.Equal(t, fmt.Sprint("App ", i+1), app.Name.MustGet())
						}
					})
				}
				for i := range c.read {
					positions <- i
				}
				close(positions)
				wg.Wait()
				assert.LessOrEqual(t, len(srv.Journal()), c.most)

				srv.DeleteApp(1)
				_, err := apps.Read(t.Context(), 1)
				assert.True(t, IsNotFound(err), "%v", err)
			})
		}
	}
}

func manyApps(t *testing.T, organization string, n int) string {
	t.Helper()
	apps := make([]any, n)
	for i := range apps {
		apps[i] = map[string]any{
			"organization_id": organization, "id": i + 1, "name": fmt.Sprint("App ", i+1), "url": fmt.Sprint("https://example.com/", i),
			"capabilities": map[string]any{"methods": []any{"setupPlugin"}},
		}
	}
	raw, err := json.Marshal(map[string]any{"pipeline_import_apps": apps})
	require.NoError(t, err)
	return string(raw)
}
