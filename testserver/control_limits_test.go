package testserver_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Reading makes no world: a test that misspells the name of its world would otherwise read
// that there were no requests.
func TestWorldIsNotMadeByReading(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Worlds: true})
	c := call(t, srv).undocumentedAnswers()
	paths := []string{"requests", "fixtures", "faults", "report", "health", "openapi.yaml", "worlds/typo", "nothing", "reset"}

	for _, path := range paths {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			a := c.do(method, control+path+separator+"world=typo", "").is(http.StatusNotFound)
			assert.Equal(t, method == http.MethodHead, a.body == "", path)
		}
	}
	c.get(control+"requests?world=typo").fails(http.StatusNotFound, "not_found", "",
		`There is no world "typo": the first request with the key phx_test_typo creates it, or the first change here.`)
	c.get("/?world=typo").is(http.StatusNotFound)
	// An open page waits for the world, and does not make it.
	events, err := http.Get(srv.URL + control + "page/events?world=typo")
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, events.StatusCode)
	require.NoError(t, events.Body.Close())
	assert.Empty(t, srv.Server.Worlds())

	// A change makes it, as does a request with its key.
	c.put(control+"clock?world=prepared", `{"clock":null}`).is(http.StatusNoContent)
	c.with("Authorization", "Bearer phx_test_used").get(surveys).is(http.StatusOK)
	for _, world := range []string{"prepared", "used"} {
		c.get(control + "requests?world=" + world).is(http.StatusOK)
		c.do(http.MethodHead, control+"requests?world="+world, "").is(http.StatusOK)
	}
	c.delete(control + "worlds/used").is(http.StatusNoContent)
	c.get(control + "requests?world=used").is(http.StatusNotFound)
}

// A client that stalls keeps nobody from working, and is turned away.
func TestOriginStalls(t *testing.T) {
	t.Parallel()
	for path, body := range map[string]string{
		"PUT " + control + "fixtures":         "{",
		"PUT " + control + "faults":           "{",
		"PUT " + control + "clock":            "{",
		"PUT " + control + "fixtures?world=a": "{",
		"POST " + control + "page/faults":     "rule=",
		"POST " + surveys:                     "{",
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, testserver.Options{Worlds: true})
			srv.Server.SetPatience(500 * time.Millisecond)
			stalled, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
			require.NoError(t, err)
			t.Cleanup(func() { _ = stalled.Close() })
			_, err = fmt.Fprintf(stalled, "%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\n%s", path, body)
			require.NoError(t, err)

			c := call(t, srv)
			for range 20 {
				c.post(apps, `{"name":"A","plugin_type":"source"}`).is(http.StatusCreated)
				c.with("Authorization", "Bearer phx_test_a").get(surveys).is(http.StatusOK)
				c.get("/").is(http.StatusOK)
				c.get(control + "fixtures").is(http.StatusOK)
			}

			// The server ends the connection, with an answer or without.
			require.NoError(t, stalled.SetDeadline(time.Now().Add(20*time.Second)))
			answered, err := io.ReadAll(stalled)
			require.NoError(t, err)
			if strings.HasPrefix(path, "PUT") {
				assert.Contains(t, string(answered), "HTTP/1.1 408 Request Timeout")
			}
		})
	}
}

// spaces is a document of blanks of any size that takes no memory.
type spaces struct{ left int64 }

func (s *spaces) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), s.left))
	for i := range p[:n] {
		p[i] = ' '
	}
	s.left -= int64(n)
	return n, nil
}

// Documents have a maximum size.
func TestWorldDocumentsAreBounded(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	put := func(path string, body io.Reader, announced int64) (int, string) {
		r := httptest.NewRequest(http.MethodPut, control+path, body)
		r.ContentLength = announced
		w := httptest.NewRecorder()
		srv.Server.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}

	for path, size := range map[string]int64{"faults": 4 << 20, "clock": 1 << 10} {
		status, body := put(path, io.MultiReader(&spaces{size}, strings.NewReader("{}")), -1)
		assert.Equal(t, http.StatusRequestEntityTooLarge, status, path)
		assert.Contains(t, body, fmt.Sprintf("The document is larger than %d bytes.", size), path)
	}

	unread := &spaces{1 << 40}
	status, body := put("fixtures", unread, unread.left)
	assert.Equal(t, http.StatusRequestEntityTooLarge, status)
	assert.Contains(t, body, "The document is larger than 268435456 bytes.")
	assert.Equal(t, int64(1<<40), unread.left, "what is announced as too large is not read")
}

// The time for a document grows with its size, however it is laid out.
func TestWorldDocumentOfBlanks(t *testing.T) {
	t.Parallel()
	server, err := testserver.New(testserver.Options{})
	require.NoError(t, err)
	start := time.Now()
	document := io.MultiReader(&spaces{16 << 20}, strings.NewReader("{"), &spaces{16 << 20}, strings.NewReader("}"))
	require.NoError(t, server.SetFixtures(pieces{document}))
	assert.Less(t, time.Since(start), 20*time.Second)
}

// pieces reads at most 4 KiB at a time, as a connection does.
type pieces struct{ io.Reader }

func (p pieces) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(len(b), 4096)]) }

// Whenever the clock stops, everything can be written.
func TestWorldClockIsBounded(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	c := call(t, srv).undocumentedAnswers()
	for _, clock := range []string{"9999-12-31T23:59:59-12:00", "0000-01-01T00:00:00+12:00", "9500-01-01T00:00:00Z"} {
		c.put(control+"clock", `{"clock":"`+clock+`"}`).fails(http.StatusBadRequest, "invalid_input", "", "clock: clock: must be between the years 1000 and 9000")
		require.ErrorContains(t, srv.Server.SetFixtures(strings.NewReader(`{"clock":"`+clock+`"}`)), "between the years")
	}

	form := c.with("Content-Type", "application/x-www-form-urlencoded")
	for _, set := range []string{"set=2562047h", "set=-2562047h"} {
		for range 40 {
			form.post(control+"page/clock", set).is(http.StatusOK)
		}
		c.post(surveys, `{"name":"`+set+`","type":"popover","iteration_count":3,"iteration_frequency_days":30}`).is(http.StatusCreated)
		for _, path := range []string{"requests", "fixtures", "report?format=json"} {
			c.get(control + path).is(http.StatusOK)
		}
		c.get("/").is(http.StatusOK)
		c.get(surveys).is(http.StatusOK)
	}
}
