package testserver_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// soakVariable is the environment variable with the duration of TestSoak, such as 10m.
const soakVariable = "TESTSERVER_SOAK"

// soakConnections is the number of concurrent clients.
const soakConnections = 16

// The test sends random requests over many connections for a long time. The server drops none, all responses
// conform to the document, and the memory does not grow.
func TestSoak(t *testing.T) {
	t.Parallel()
	duration, err := time.ParseDuration(os.Getenv(soakVariable))
	if err != nil {
		t.Skipf("%s is not set to a duration", soakVariable)
	}
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			soak(t, profile, duration)
		})
	}
}

func soak(t *testing.T, profile testserver.Profile, duration time.Duration) {
	t.Helper()
	var log brokenRequests
	srv := testserver.Start(t, testserver.Options{Profile: profile, Logger: log.logger()})
	deadline := time.Now().Add(duration)
	var requests atomic.Int64
	var clients sync.WaitGroup
	for i := range soakConnections {
		clients.Go(func() {
			c := soakClient{t: t, srv: srv, random: rand.New(rand.NewPCG(uint64(i), 1))}
			for time.Now().Before(deadline) && !t.Failed() {
				c.request()
				requests.Add(1)
			}
		})
	}

	// The store and the journal are emptied from time to time. Memory that still grows is a leak.
	var heaps []uint64
	for time.Now().Before(deadline) {
		time.Sleep(min(duration/20, time.Until(deadline)))
		srv.Reset()
		srv.ResetJournal()
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		heaps = append(heaps, memory.HeapAlloc>>10)
	}
	clients.Wait()
	require.Empty(t, log.String())
	t.Logf("%s: %d requests in %s, heap in kB: %d", profile, requests.Load(), duration, heaps)
	half := len(heaps) / 2
	assert.Less(t, lowest(heaps[half:]), 2*lowest(heaps[:half])+10<<10, "the memory of the server must not grow")
}

func lowest(values []uint64) uint64 {
	least := values[0]
	for _, v := range values {
		least = min(least, v)
	}
	return least
}

// soakClient sends random requests over its own connection.
type soakClient struct {
	t      *testing.T
	srv    *testserver.Instance
	random *rand.Rand
	http   http.Client
	// ids are the IDs of the surveys that this client has created.
	ids []string
	n   int
}

func (c *soakClient) pick(of ...string) string { return of[c.random.IntN(len(of))] }

// request sends a request to a random operation, which may be malformed.
func (c *soakClient) request() {
	operations := api.AllOperations()
	op := operations[c.random.IntN(len(operations))]

	id := c.pick("1", "2", "nothing", "019b0000-0000-7000-8000-0000000000bb")
	if len(c.ids) > 0 && strings.Contains(op.Path, "surveys") && c.random.IntN(4) > 0 {
		id = c.ids[c.random.IntN(len(c.ids))]
	}

	path := strings.NewReplacer("{project_id}", c.pick("1", "@current", "1", "99"), "{organization_id}", c.srv.OrganizationID, "{id}", id).Replace(op.Path)
	path += c.pick("", "", "?limit=3", "?offset=2&limit=1", "?search=soak", "?type=api&archived=false", "?limit=x&page=0")

	body := ""
	if op.Method != http.MethodGet && op.Method != http.MethodDelete {
		c.n++
		body = c.pick(
			fmt.Sprintf(`{"name":"Soak %d %d","type":"popover","plugin_type":"source","key":"soak-%d-%d"}`, c.random.Uint64(), c.n, c.random.Uint64(), c.n),
			fmt.Sprintf(`{"name":"Soak %d %d","type":"api","questions":[{"type":"open","question":"<b>Why?<svg>"}],"conditions":{"url":"x"}}`, c.random.Uint64(), c.n),
			`{"description":"`+strings.Repeat("<i>soak ", c.random.IntN(300))+`"}`,
			`{"targeting_flag_filters":`+tenPercent+`,"start_date":"2026-01-01T00:00:00Z"}`,
			`{"name":5,"archived":null}`, `[]`, `{`, ``,
		)
	}

	c.send(op, path, body)
}

func (c *soakClient) send(op api.Operation, path, body string) {
	r, err := http.NewRequest(op.Method, c.srv.URL+path, strings.NewReader(body))
	if !assert.NoError(c.t, err) {
		return
	}

	r.Header.Set("Content-Type", c.pick("application/json", "application/json", "application/json", "application/x-www-form-urlencoded", "text/plain"))
	if c.random.IntN(20) > 0 {
		r.Header.Set("Authorization", "Bearer "+c.srv.APIKey)
	}

	response, err := c.http.Do(r)
	if !assert.NoError(c.t, err, "the server must not drop the connection") {
		return
	}
	defer response.Body.Close()

	answered, err := io.ReadAll(response.Body)
	if !assert.NoError(c.t, err, "the server must not drop the connection") {
		return
	}

	documents.check(c.t, r.Method, r.URL.Path, response, answered)

	if op.ID == "surveys_create" && response.StatusCode == http.StatusCreated {
		id, _ := answer{t: c.t, body: string(answered)}.object()["id"].(string)
		c.ids = append(c.ids, id)
		if len(c.ids) > 50 {
			c.ids = c.ids[1:]
		}
	}
}
