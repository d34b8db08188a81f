package testserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
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
			clientsOf := make([]worldClient, worlds)
			for i := range worlds {
				clientsOf[i] = newWorldClient(b, server, fmt.Sprint(i))
			}

			var client atomic.Int64
			b.SetParallelism(clients)
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				c := clientsOf[int(client.Add(1))%worlds]
				w := &sink{header: http.Header{}}
				for n := 0; pb.Next(); n++ {
					if c.request(w, n); w.status != http.StatusOK {
						b.Errorf("request %d: %d", n, w.status)
						return
					}
				}
			})
		})
	}
}

// worldClient works on a survey of a world.
type worldClient struct {
	server, world *testserver.Server
	path, key     string
}

func newWorldClient(b *testing.B, server *testserver.Server, name string) worldClient {
	b.Helper()
	world, err := server.World(name)
	require.NoError(b, err)
	created, err := world.CreateSurvey(testserver.Object{"name": "S", "type": "popover", "questions": []any{
		testserver.Object{"type": "open", "question": "Why?"},
	}})
	require.NoError(b, err)
	key, _, _ := world.Credentials()
	return worldClient{server, world, surveys + fmt.Sprint(created["id"]) + "/", key}
}

// request reads the survey, and changes it every fourth time. Journals are emptied from
// time to time, so that memory says nothing about the number of worlds.
func (c worldClient) request(w http.ResponseWriter, n int) {
	method, body := http.MethodGet, ""
	if n%4 == 0 {
		method, body = http.MethodPatch, `{"description":"Tell us"}`
	}
	if n%256 == 0 {
		c.world.ResetJournal()
	}
	r := httptest.NewRequest(method, c.path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+c.key)
	r.Header.Set("Content-Type", "application/json")
	c.server.ServeHTTP(w, r)
}
