package testserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// BenchmarkWorlds reads and writes surveys from 16 clients at the same time, in one world
// or each in its own. Worlds share no lock, so that many are at least as fast as one.
func BenchmarkWorlds(b *testing.B) {
	const clients = 16
	for _, worlds := range []int{1, 16} {
		b.Run(fmt.Sprintf("worlds=%d", worlds), func(b *testing.B) {
			server, err := testserver.New(testserver.Options{Worlds: true})
			require.NoError(b, err)
			var paths []string
			for i := range worlds {
				world, err := server.World(fmt.Sprint(i))
				require.NoError(b, err)
				created, err := world.CreateSurvey(testserver.Object{"name": "S", "type": "popover", "questions": []any{
					testserver.Object{"type": "open", "question": "Why?"},
				}})
				require.NoError(b, err)
				paths = append(paths, surveys+fmt.Sprint(created["id"])+"/")
			}

			var client atomic.Int64
			b.SetParallelism(clients)
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				world := int(client.Add(1)) % worlds
				w := &sink{header: http.Header{}}
				for n := 0; pb.Next(); n++ {
					path, status := paths[world], http.StatusOK
					r := httptest.NewRequest(http.MethodGet, path, nil)
					r.Header.Set("Authorization", fmt.Sprintf("Bearer phx_test_%d", world))
					server.ServeHTTP(w, r)
					if w.status != status {
						b.Errorf("GET %s: %d", path, w.status)
						return
					}
				}
			})
		})
	}
}
