package testserver_test

import (
	"net/http"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// soakRate is the number of requests in a second that the server gets while a page is
// open.
const soakRate = 1000

// pageSample is what an open page takes at one time.
type pageSample struct {
	// Elements is the number of elements of the page, Heap what its scripts hold in bytes.
	Elements, Heap int64
	// Frame is the longest time between two frames of ten, in milliseconds.
	Frame float64
	// server is what the server holds, in bytes.
	server uint64
}

// A page that stays open on a busy server takes no more memory after a while, and still
// answers clicks. It runs for the time of TESTSERVER_PAGE_SOAK, for example 10m.
func TestPageSoak(t *testing.T) {
	t.Parallel()
	duration, err := time.ParseDuration(os.Getenv("TESTSERVER_PAGE_SOAK"))
	if err != nil {
		t.Skip("TESTSERVER_PAGE_SOAK=10m runs it for ten minutes")
	}

	srv := testserver.Start(t)
	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{})
	page.WaitFor(t, "#pause")
	stop := load(t, srv)

	var samples []pageSample
	for start := time.Now(); time.Since(start) < duration; {
		time.Sleep(duration / 30)
		sample := measure(t, page)
		samples = append(samples, sample)
		t.Logf("%4.0f s: %d elements, page %.1f MB, server %.1f MB, longest frame %.0f ms", time.Since(start).Seconds(),
			sample.Elements, float64(sample.Heap)/1e6, float64(sample.server)/1e6, sample.Frame)
	}
	page.Click(t, "#tab-faults")
	page.Click(t, `button[value="503"]`)
	waitFor(t, page, `document.getElementById("preset-notice").textContent === "Switched on."`)
	sent := stop()

	t.Logf("%d requests, %.0f in a second", sent, float64(sent)/duration.Seconds())
	require.GreaterOrEqual(t, len(samples), 6)
	assert.GreaterOrEqual(t, float64(sent), 0.9*soakRate*duration.Seconds())
	// The journal is full after its 20,000 requests, before the second third begins.
	second, last := samples[len(samples)/3:2*len(samples)/3], samples[2*len(samples)/3:]
	assert.LessOrEqual(t, least(last, elements), least(second, elements)+50)
	assert.Less(t, float64(least(last, heap)), 1.3*float64(least(second, heap))+1e6)
	assert.Less(t, float64(least(last, server)), 1.3*float64(least(second, server)))
	for _, sample := range samples {
		assert.Less(t, sample.Frame, 1000.0)
	}
	assert.Empty(t, page.Errors())
}

func elements(s pageSample) int64 { return s.Elements }
func heap(s pageSample) int64     { return s.Heap }
func server(s pageSample) int64   { return int64(s.server) }

// least is the least value of some samples: what is left after garbage was collected.
func least(samples []pageSample, of func(pageSample) int64) int64 {
	values := make([]int64, len(samples))
	for i, sample := range samples {
		values[i] = of(sample)
	}
	return slices.Min(values)
}

// measure takes a sample.
func measure(t *testing.T, page *browsertest.Page) pageSample {
	t.Helper()
	var sample pageSample
	page.Evaluate(t, `(async () => {
		let longest = 0, last = performance.now();
		for (let i = 0; i < 10; i++) {
			await new Promise(requestAnimationFrame);
			longest = Math.max(longest, performance.now() - last);
			last = performance.now();
		}
		return { Elements: document.querySelectorAll("*").length, Heap: performance.memory.usedJSHeapSize, Frame: longest };
	})()`, &sample)

	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	sample.server = memory.HeapAlloc
	return sample
}

// load sends requests to a server until the function that it returns is called, which
// returns their number.
func load(t *testing.T, srv *testserver.Instance) func() int64 {
	t.Helper()
	var sent atomic.Int64
	var clients sync.WaitGroup
	done := make(chan struct{})
	const connections = 4
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}

	start := time.Now()
	for range connections {
		clients.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if float64(sent.Load()) > soakRate*time.Since(start).Seconds() {
					time.Sleep(time.Millisecond)
					continue
				}
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+surveys+"?limit=1", nil)
				if err != nil {
					t.Error(err)
					return
				}
				req.Header.Set("Authorization", "Bearer "+srv.APIKey)
				resp, err := client.Do(req)
				if err != nil {
					t.Error(err)
					return
				}
				_ = resp.Body.Close()
				sent.Add(1)
			}
		})
	}
	return func() int64 {
		close(done)
		clients.Wait()
		return sent.Load()
	}
}
