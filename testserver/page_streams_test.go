package testserver_test

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The number of open pages is bounded, and closing one makes room.
func TestEventStreamsAreBounded(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	var open []*http.Response
	stream := func() *http.Response {
		response, err := http.Get(srv.URL + control + "page/events")
		require.NoError(t, err)
		t.Cleanup(func() { _ = response.Body.Close() })
		return response
	}

	for range 48 {
		response := stream()
		require.Equal(t, http.StatusOK, response.StatusCode)
		line, err := bufio.NewReader(response.Body).ReadString('\n')
		require.NoError(t, err)
		assert.Equal(t, "retry: 1000\n", line)
		open = append(open, response)
	}
	assert.Equal(t, http.StatusServiceUnavailable, stream().StatusCode)
	call(t, srv).get(surveys).is(http.StatusOK)

	require.NoError(t, open[0].Body.Close())
	require.Eventually(t, func() bool { return stream().StatusCode == http.StatusOK }, 20*time.Second, 50*time.Millisecond)
}

// unread is a browser that takes nothing: its connection is full.
type unread struct {
	sink
	t        *testing.T
	deadline time.Time
}

func (u *unread) SetWriteDeadline(deadline time.Time) error { u.deadline = deadline; return nil }

func (u *unread) Write([]byte) (int, error) {
	assert.False(u.t, u.deadline.IsZero(), "an event is written without a deadline")
	assert.Less(u.t, time.Until(u.deadline), time.Minute)
	return 0, os.ErrDeadlineExceeded
}

func (u *unread) Flush() {}

// A page that is not read is closed in time.
func TestEventStreamsAreRead(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, control+"page/events", http.NoBody)
	require.NoError(t, err)
	browser := &unread{sink: sink{header: http.Header{}}, t: t}
	srv.Server.ServeHTTP(browser, r)
	assert.True(t, browser.deadline.IsZero(), "the next request on the connection has its own")
}

// slow is a client that takes the beginning of an answer, and then nothing.
type slow struct {
	unread
	taken int
}

func (s *slow) Write(part []byte) (int, error) {
	if s.taken += len(part); s.taken < 64<<10 {
		return len(part), nil
	}
	assert.LessOrEqual(s.t, len(part), 64<<10, "there is a deadline for each part")
	return s.unread.Write(part)
}

// Nobody holds a large answer for longer than it takes to send it: each part is taken in time,
// or the connection is closed.
func TestAnswersAreRead(t *testing.T) {
	t.Parallel()
	for _, path := range []string{surveys, control + "fixtures", control + "requests"} {
		srv := testserver.Start(t)
		for i := range 40 {
			srv.CreateSurvey(testserver.Object{"name": fmt.Sprint("S", i), "type": "api", "description": strings.Repeat("d", 20_000)})
			call(t, srv).get(surveys + "?limit=2").is(http.StatusOK)
		}

		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+srv.APIKey)
		client := &slow{unread: unread{sink: sink{header: http.Header{}}, t: t}}
		func() {
			// Of a document that was cut off, the client must learn it.
			defer func() {
				if cut := recover(); cut != nil {
					assert.Equal(t, http.ErrAbortHandler, cut)
				}
			}()
			srv.Server.ServeHTTP(client, r)
		}()
		assert.GreaterOrEqual(t, client.taken, 64<<10, "%s: as large an answer as a client can stall at", path)
		assert.True(t, client.deadline.IsZero(), "the next request on the connection has its own")
	}
}
