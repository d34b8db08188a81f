package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// throttledPostHog is an in-memory PostHog that serves a limited number of requests within any period of a given
// length.
type throttledPostHog struct {
	requests int
	per      time.Duration
	// latency is how long each request takes.
	latency time.Duration
	// reads is the number of reads that a client sends before it writes.
	reads int
	// refused is called for each refused request, with the survey's ID and the wait.
	refused func(id string, wait time.Duration)

	mu       sync.Mutex
	admitted []time.Time
	// all and refusals count requests.
	all, refusals int
	surveys       map[string]*throttledSurvey
	// unseen are the IDs of surveys that were written after an edit or a wait without another look.
	unseen []string
}

// throttledSurvey is a survey that a teammate may edit.
type throttledSurvey struct {
	edits, seenEdits int
	seenAt           time.Time
	isWritten        bool
}

func newThrottledPostHog(n, requests int, per time.Duration) *throttledPostHog {
	s := &throttledPostHog{requests: requests, per: per, refused: func(string, time.Duration) {}, surveys: map[string]*throttledSurvey{}}
	for i := range n {
		s.surveys[s.id(i)] = &throttledSurvey{}
	}
	return s
}

// id returns the ID of the survey at a position.
func (*throttledPostHog) id(i int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", i) }

// client returns a client of this PostHog that waits as long as it may.
func (s *throttledPostHog) client(t *testing.T) *Client {
	t.Helper()
	c, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey, Transport: memory(s.serve)})
	require.NoError(t, err)
	c.gate.jitter = func(pause time.Duration) time.Duration { return min(pause/8, spread) }
	return c
}

func (s *throttledPostHog) serve(req *http.Request) (*http.Response, error) {
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
	case survey == nil: // the responses page requests this number
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

// throttle counts a request and returns how long it must wait, or 0 if it is served.
func (s *throttledPostHog) throttle(now time.Time) time.Duration {
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
	s.refusals++
	return s.admitted[0].Add(s.per).Sub(now)
}

// edit saves a survey as a teammate would.
func (s *throttledPostHog) edit(id string) {
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

// writeAll writes all surveys, wide at a time, after some reads, and returns the errors by ID.
func (s *throttledPostHog) writeAll(t *testing.T, wide int, write func(context.Context, *Surveys, string) error) map[string]error {
	t.Helper()
	c := s.client(t)
	for i := range s.reads {
		_, err := c.Surveys("1").Retrieve(t.Context(), s.id(i))
		require.NoError(t, err)
		time.Sleep(300 * time.Millisecond)
	}

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
