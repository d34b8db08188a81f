package testserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Long addresses and headers count as bodies do: of requests without end, and in any number
// of worlds, the journals keep the newest that fit.
//
//nolint:paralleltest // it measures the heap of the process
func TestJournalsAreBounded(t *testing.T) {
	for name, send := range map[string]func(r *http.Request, i int){
		"addresses": func(r *http.Request, i int) { r.URL.RawQuery = "x=" + strings.Repeat("a", 100_000) + fmt.Sprint(i) },
		"headers":   func(r *http.Request, i int) { r.Header.Set("X-Long", strings.Repeat("a", 100_000)+fmt.Sprint(i)) },
		"worlds": func(r *http.Request, i int) {
			r.URL.RawQuery = "x=" + strings.Repeat("a", 100_000)
			r.Header.Set("Authorization", fmt.Sprintf("Bearer phx_test_%d", i%200))
		},
	} {
		t.Run(name, func(t *testing.T) {
			server, err := testserver.New(testserver.Options{Worlds: true})
			require.NoError(t, err)
			before := heapInUse()
			for i := range 2000 {
				r := httptest.NewRequest(http.MethodGet, surveys, http.NoBody)
				send(r, i)
				server.ServeHTTP(&sink{header: http.Header{}}, r)
			}
			assert.Less(t, heapInUse()-before, int64(200<<20))

			newest := server
			if name == "worlds" {
				newest, err = server.World(fmt.Sprint(1999 % 200))
				require.NoError(t, err)
			}
			journal := newest.Journal()
			require.NotEmpty(t, journal)
			last := journal[len(journal)-1]
			for i, r := range journal {
				assert.Equal(t, last.Sequence-int64(len(journal)-1-i), r.Sequence, "without gaps")
			}
			entry, ok := newest.JournalEntry(last.Sequence)
			assert.True(t, ok)
			assert.Equal(t, last, entry)
			runtime.KeepAlive(server)
		})
	}
}

// heapInUse is the memory in use.
func heapInUse() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
