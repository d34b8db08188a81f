package testserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// 200 tests run at the same time on one server. Each has its own store, journal, faults, and clock.
func TestWorldsDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	const tests = 200
	srv := testserver.Start(t, testserver.Options{Worlds: true})
	own := call(t, srv)
	own.newSurvey(`{"name":"before","type":"api"}`)

	var running sync.WaitGroup
	limit := make(chan struct{}, 32)
	for i := range tests {
		running.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			inWorld(t, own, i)
		})
	}
	running.Wait()

	assert.Len(t, srv.Server.Worlds(), tests)
	assert.Equal(t, []string{"before"}, own.get(surveys).is(http.StatusOK).names())
	assert.Len(t, srv.Journal(), 2)
	assert.Empty(t, srv.Server.Faults())
}

// inWorld does the work of one of many tests, in the test's own world.
func inWorld(t *testing.T, own caller, i int) {
	t.Helper()
	name := "t" + strconv.Itoa(i)
	in := "?world=" + name
	c := own.with("Authorization", "Bearer phx_test_"+name)
	year := strconv.Itoa(2000 + i)

	assert.Equal(t, http.StatusNoContent, c.put(control+"clock"+in, `{"clock":"`+year+`-01-02T03:04:05Z"}`).status)
	created := c.post(surveys, `{"name":"same","type":"api"}`)
	assert.Equal(t, http.StatusCreated, created.status, created.body)
	assert.Equal(t, `"`+year+`-01-02T03:04:05Z"`, created.raw("created_at"))
	assert.Equal(t, http.StatusNoContent, c.put(control+"faults"+in, `{"rules":[{"operation":"pipeline_import_apps_list","status":`+strconv.Itoa(400+i)+`}]}`).status)
	assert.Equal(t, 400+i, c.undocumentedAnswers().get(apps).status)
	assert.Equal(t, []string{"same"}, c.get(surveys).names())

	journal := c.get(control + "requests" + in).body
	assert.Equal(t, 3, strings.Count(journal, `"sequence":`), journal)
	assert.Equal(t, http.StatusNoContent, c.do(http.MethodPost, control+"reset"+in, "").status)
	assert.Empty(t, c.get(surveys).names(), "a new world must start with the initial store")
}

// A request takes no lock of another world or of the server itself.
func TestWorldsShareNoLock(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Worlds: true})
	c := call(t, srv).with("Authorization", "Bearer phx_test_free")
	id := c.newSurvey(`{"name":"S","type":"popover"}`)
	busy, err := srv.Server.World("busy")
	require.NoError(t, err)
	defer srv.Server.LockAll()()
	defer busy.LockAll()()

	answered := make(chan []int, 1)
	go func() {
		answered <- []int{
			c.get(surveys).status, c.get(id).status, c.patch(id, `{"name":"T"}`).status,
			c.post(surveys, `{"name":"U","type":"popover"}`).status, c.delete(id).status,
		}
	}()
	select {
	case statuses := <-answered:
		assert.Equal(t, []int{200, 200, 200, 201, 204}, statuses)
	case <-time.After(30 * time.Second):
		t.Error("a request must not wait for the lock of another world")
	}
}

// The key of a world is not in the store, so a test may load any fixtures.
func TestWorldKey(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		srv := testserver.Start(t, testserver.Options{Profile: profile, Worlds: true, Fixtures: strings.NewReader(people)})
		c := call(t, srv).with("Authorization", "Bearer phx_test_a")
		c.get("/api/projects/@current/surveys/").is(http.StatusOK)
		c.put(control+"fixtures?world=a", `{}`).is(http.StatusNoContent)
		c.get(surveys).is(http.StatusOK)

		assert.NotContains(t, c.get(control+"fixtures?world=a").body, "phx_test_a")
		world, err := srv.Server.World("a")
		require.NoError(t, err)
		key, project, organization := world.Credentials()
		assert.Equal(t, []string{"phx_test_a", "1", testserver.DefaultOrganizationID}, []string{key, project, organization})

		// A key in the fixtures belongs to the server itself, and other keys are unknown.
		c.put(control+"fixtures", `{"api_keys":[{"key":"phx_test_mine","scopes":["*"]}]}`).is(http.StatusNoContent)
		c.with("Authorization", "Bearer phx_test_mine").get(surveys).is(http.StatusOK)
		assert.Len(t, srv.Server.Worlds(), 1)
		for _, unknown := range []string{"phx_test_", "phx_test_a/b", "phx_other", "phx_test_" + strings.Repeat("x", 101)} {
			c.with("Authorization", "Bearer "+unknown).get(surveys).is(http.StatusUnauthorized)
		}
		assert.Len(t, srv.Server.Worlds(), 1)
	}

	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Worlds: true})
	c := call(t, srv).with("Authorization", "")
	me := c.with("Authorization", "Bearer phx_test_me").get("/api/personal_api_keys/@current/").is(http.StatusOK)
	assert.Equal(t, "1", me.raw("user_id"))
}

// No fixtures can lock out the key of a world. Without keys in the fixtures, the key belongs to an active
// member of an organization, or to a new user if there are no members.
func TestWorldKeyWithoutKeys(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		srv := testserver.Start(t, testserver.Options{Profile: profile, Worlds: true})
		c := call(t, srv).with("Authorization", "Bearer phx_test_a")
		world, err := srv.Server.World("a")
		require.NoError(t, err)

		for _, fixtures := range []string{
			`{"api_keys":[]}`,
			`{"api_keys":[],"users":[]}`,
			`{"api_keys":[],"users":[{"id":1,"is_active":false}]}`,
			`{"api_keys":[],"users":[{"id":1,"is_active":false},{"id":2,"organization_ids":[]},{"id":3}]}`,
		} {
			c.put(control+"fixtures?world=a", fixtures).is(http.StatusNoContent)
			c.get(surveys).is(http.StatusOK)
			c.delete(c.newSurvey(`{"name":"S","type":"api"}`)).is(http.StatusNoContent)
			c.get(apps).is(http.StatusOK)

			key, project, organization := world.Credentials()
			assert.Equal(t, []string{"phx_test_a", "1", testserver.DefaultOrganizationID}, []string{key, project, organization}, fixtures)
		}
	}
}

func TestWorldsAreListedAndDropped(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Worlds: true})
	c := call(t, srv)
	assert.Equal(t, "[]\n", c.get(control+"worlds").is(http.StatusOK).body)
	c.with("Authorization", "Bearer phx_test_b").get(surveys).is(http.StatusOK)
	c.put(control+"faults?world=a", `{"rules":[]}`).is(http.StatusNoContent)

	at := `"2026-01-02T03:04:05.678901Z"`
	a := `{"name":"a","api_key":"phx_test_a","created":` + at + `,"last_used":` + at + `,"requests":0}`
	b := `{"name":"b","api_key":"phx_test_b","created":` + at + `,"last_used":` + at + `,"requests":1}`
	assert.Equal(t, "["+a+",\n"+b+"]\n", c.get(control+"worlds").is(http.StatusOK).body)
	assert.Equal(t, b+"\n", c.get(control+"worlds/b").is(http.StatusOK).body)

	c.delete(control + "worlds/b").is(http.StatusNoContent)
	c.get(control+"worlds/b").fails(http.StatusNotFound, "not_found", "", "There is no world with this name.")
	c.delete(control + "worlds/b").is(http.StatusNotFound)
	c.put(control+"worlds/b", "").is(http.StatusNoContent)
	assert.Contains(t, c.get(control+"worlds/b").body, `"requests":0}`, "a world that was opened through the API must not count as a request")
	c.put(control+"worlds/a b", "").is(http.StatusBadRequest)
	c.put(control+"worlds", "").is(http.StatusBadRequest)
	allow := c.post(control+"worlds", `{}`).is(http.StatusMethodNotAllowed).header.Get("Allow")
	assert.Equal(t, "DELETE, GET, PUT", allow)
	c.delete(control + "worlds").is(http.StatusNoContent)
	assert.Empty(t, srv.Server.Worlds())
	assert.False(t, srv.Server.DropWorld("a"))

	c.get(control+"requests?world=a%2Fb").fails(http.StatusBadRequest, "invalid_input", "",
		`"a/b" is not a valid world name. Use 1 to 100 letters, digits, dots, hyphens, or underscores`)
}

// Without worlds, the server does not accept their keys.
func TestWithoutWorlds(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	c.with("Authorization", "Bearer phx_test_a").get(surveys).is(http.StatusUnauthorized)
	assert.Equal(t, "[]\n", c.get(control+"worlds").is(http.StatusOK).body)
	complaint := "worlds are turned off, because the server was started with -worlds=false, or without Options.Worlds"
	c.get(control+"requests?world=a").fails(http.StatusBadRequest, "invalid_input", "", complaint)
	_, err := srv.Server.World("a")
	require.EqualError(t, err, complaint)
	assert.False(t, srv.Server.DropWorld("a"))
}

// In Go, a test opens its world in one line.
func TestInstanceWorld(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Worlds: true})
	t.Run("tests", func(t *testing.T) {
		for _, name := range []string{"one/test", "one test", strings.Repeat("long ", 50)} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				world := srv.World(t)
				world.CreateSurvey(testserver.Object{"name": "S", "type": "api"})
				assert.Equal(t, []string{"S"}, call(t, world).get(surveys).names())
				assert.Len(t, world.Journal(), 1)
			})
		}
	})
	assert.Empty(t, srv.Server.Worlds())
	assert.Empty(t, srv.Surveys("1"))
}

// BenchmarkWorlds reads and writes surveys from 16 clients at the same time, in one world or in a world for
// each client. Worlds share no lock, so several worlds are at least as fast as one.
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
						b.Errorf("request %d: status %d", n, w.status)
						return
					}
				}
			})
		})
	}
}

// worldClient sends requests for a survey of a world.
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

// request reads the survey, and changes it every fourth time. It empties the journal from time to time, so
// that the memory does not depend on the number of worlds.
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
