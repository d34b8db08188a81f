package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// throttledService is a service in memory that serves a number of requests in any stretch of
// time of a length, and records the writes that replace an edit which no look has shown.
type throttledService struct {
	requests int
	per      time.Duration
	// latency is how long a response takes.
	latency time.Duration
	// refused is called with the survey of each request that was refused, and the wait.
	refused func(id string, wait time.Duration)

	mu       sync.Mutex
	admitted []time.Time
	all, no  int
	surveys  map[string]*throttledSurvey
	// unseen are the surveys whose edit was overwritten, or written by a look older than a
	// second.
	unseen []string
}

// throttledSurvey is a survey that a teammate may edit.
type throttledSurvey struct {
	edits, seenEdits int
	seenAt           time.Time
	isWritten        bool
}

func newThrottledService(n, requests int, per time.Duration) *throttledService {
	s := &throttledService{requests: requests, per: per, refused: func(string, time.Duration) {}, surveys: map[string]*throttledSurvey{}}
	for i := range n {
		s.surveys[fmt.Sprintf("00000000-0000-4000-8000-%012d", i)] = &throttledSurvey{}
	}
	return s
}

func (s *throttledService) serve(req *http.Request) (*http.Response, error) {
	time.Sleep(s.latency)
	id := strings.Trim(strings.TrimPrefix(req.URL.Path, "/api/projects/1/surveys"), "/")
	if wait := s.throttle(time.Now()); wait > 0 {
		s.refused(id, wait)
		response := answered(429, map[string]any{"type": "throttled_error", "code": "throttled", "detail": "Request was throttled."})
		response.Header.Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
		return response, nil
	}

	s.mu.Lock()
	defer s.mu.Unlock()

	survey := s.surveys[id]
	switch {
	case survey == nil: // a list, or the numbers of responses
		return answered(200, map[string]any{}), nil
	case req.Method == http.MethodGet:
		survey.seenEdits, survey.seenAt = survey.edits, time.Now()
	default:
		if survey.edits != survey.seenEdits || time.Since(survey.seenAt) > staleAfter+s.latency {
			s.unseen = append(s.unseen, id)
		}
		survey.isWritten = true
	}
	if req.Method == http.MethodDelete {
		return answered(204, nil), nil
	}
	return answered(200, map[string]any{"id": id, "description": strconv.Itoa(survey.edits)}), nil
}

// throttle counts a request and returns how long it has to wait; 0 if it is served.
func (s *throttledService) throttle(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.all++
	for len(s.admitted) > 0 && !s.admitted[0].After(now.Add(-s.per)) {
		s.admitted = s.admitted[1:]
	}
	if len(s.admitted) < s.requests {
		s.admitted = append(s.admitted, now)
		return 0
	}
	s.no++
	return s.admitted[0].Add(s.per).Sub(now)
}

// edit saves a survey as a teammate does.
func (s *throttledService) edit(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if survey := s.surveys[id]; survey != nil && !survey.isWritten {
		survey.edits++
	}
}

// writers are the ways in which surveys are written.
var writers = map[string]func(ctx context.Context, surveys *Surveys, id string) error{
	"update": func(ctx context.Context, surveys *Surveys, id string) error {
		_, err := surveys.Change(ctx, id, func(_ context.Context, live api.Survey) (api.SurveyRequest, error) {
			var request api.SurveyRequest
			request.Description.Set("mine")
			return request, unlessEdited(live)
		})
		return err
	},
	"delete": func(ctx context.Context, surveys *Surveys, id string) error {
		return surveys.Remove(ctx, id, func(_ context.Context, live api.Survey) error { return unlessEdited(live) })
	},
	"delete_unanswered": func(ctx context.Context, surveys *Surveys, id string) error {
		return surveys.Remove(ctx, id, func(ctx context.Context, live api.Survey) error {
			_, err := surveys.ResponsesCount(ctx)
			return errors.Join(err, unlessEdited(live))
		})
	},
}

// unlessEdited returns an error if a teammate has edited a survey.
func unlessEdited(live api.Survey) error {
	if edits, _ := live.Description.Get(); edits != "0" {
		return errChanged
	}
	return nil
}

// writeAll writes all surveys, as many at a time as wide says, and returns the errors.
func (s *throttledService) writeAll(t *testing.T, wide int, write func(context.Context, *Surveys, string) error) map[string]error {
	t.Helper()
	c, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey, Transport: memory(s.serve)})
	require.NoError(t, err)
	c.gate.jitter = func(pause time.Duration) time.Duration { return min(pause/4, spread) } // the longest

	ids := make(chan string, len(s.surveys))
	for id := range s.surveys {
		ids <- id
	}
	close(ids)

	var mu sync.Mutex
	errs := map[string]error{}
	var wg sync.WaitGroup
	for range wide {
		wg.Go(func() {
			for id := range ids {
				if err := write(t.Context(), c.Surveys("1"), id); err != nil {
					mu.Lock()
					errs[id] = err
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return errs
}

// A throttled run takes 2.2 requests a write at most, and 1.3 times the time that the throttle
// allows for them, one by one as posthog-sync writes and ten at a time as Terraform does, even
// if a plan has used some of the window.
func TestThrottledWrites(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		surveys, requests int
		per               time.Duration
	}{{14, 8, 5 * time.Second}, {100, 8, 5 * time.Second}, {14, 30, 15 * time.Second}, {200, 30, 15 * time.Second}, {1000, 480, time.Minute}} {
		for _, wide := range []int{1, 10} {
			for _, earlier := range []int{0, 2} {
				for _, latency := range []time.Duration{0, 150 * time.Millisecond} {
					t.Run(fmt.Sprintf("%d surveys, %d in %s, %d at a time, %d before, %s", c.surveys, c.requests, c.per, wide, earlier, latency), func(t *testing.T) {
						t.Parallel()
						synctest.Test(t, func(t *testing.T) {
							s := newThrottledService(c.surveys, c.requests, c.per)
							s.latency = latency
							s.checkRun(t, earlier, wide, "update", 2)
						})
					})
				}
			}
		}
	}
}

// A deletion that counts responses takes one request more, and as many as fit into a window as
// a whole.
func TestThrottledDeletions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		surveys, requests int
		per               time.Duration
	}{{100, 8, 5 * time.Second}, {200, 30, 15 * time.Second}, {1000, 480, time.Minute}} {
		for _, wide := range []int{1, 10} {
			t.Run(fmt.Sprintf("%d surveys, %d in %s, %d at a time", c.surveys, c.requests, c.per, wide), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					newThrottledService(c.surveys, c.requests, c.per).checkRun(t, 2, wide, "delete_unanswered", 3)
				})
			})
		}
	}
}

// checkRun writes all surveys, after earlier requests, with writes that take a number of
// requests, and checks how many requests and how much time that takes: a tenth more at most, or
// a quarter where writes do not fill a window.
func (s *throttledService) checkRun(t *testing.T, earlier, wide int, writer string, requests int) {
	t.Helper()
	for range earlier {
		s.throttle(time.Now())
	}
	time.Sleep(time.Second)
	s.all = 0

	start := time.Now()
	for id, err := range s.writeAll(t, wide, writers[writer]) {
		t.Fatalf("%s was not written: %v", id, err)
	}
	took := time.Since(start)

	perWindow := s.requests / requests
	allowed := time.Duration(len(s.surveys)) * s.per / time.Duration(perWindow)
	perWrite := float64(s.all) / float64(len(s.surveys))
	t.Logf("%d requests, %d refused, %.2f a write, %s of %s", s.all, s.no, perWrite, took, allowed)
	most := 1.1 * float64(requests)
	if s.requests%requests > 0 {
		most = 1.25 * float64(requests)
	}
	assert.LessOrEqual(t, perWrite, most)
	assert.LessOrEqual(t, took.Seconds(), 1.3*allowed.Seconds())
	assert.Empty(t, s.unseen)
}

// L11: no write replaces an edit that a teammate made during one of its waits.
func TestL11EditsDuringTheWaitsOfAThrottledRun(t *testing.T) {
	t.Parallel()
	for name, write := range writers {
		for _, wide := range []int{1, 10} {
			t.Run(fmt.Sprintf("%s, %d at a time", name, wide), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := newThrottledService(40, 9, 5*time.Second)
					var edited sync.Map
					var waits atomic.Int64
					s.refused = func(id string, wait time.Duration) {
						waits.Add(1)
						time.AfterFunc(wait/2, func() {
							s.edit(id)
							edited.Store(id, nil)
						})
					}

					errs := s.writeAll(t, wide, write)
					assert.Empty(t, s.unseen, "edits of a teammate were overwritten")
					assert.Positive(t, waits.Load())
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
