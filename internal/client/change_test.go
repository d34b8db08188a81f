package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

var errChanged = errors.New("it was changed")

// respondDescription returns a response to a read of a survey with the given description.
func respondDescription(description string) http.HandlerFunc {
	return respondJSON(200, fmt.Sprintf(`{"id": %q, "description": %q}`, surveyID, description))
}

// ifSeen changes the description if it still equals the one that was seen.
func ifSeen(_ context.Context, live api.Survey) (api.SurveyRequest, error) {
	var request api.SurveyRequest
	if text, _ := live.Description.Get(); text != "seen" {
		return request, errChanged
	}
	request.Description.Set("mine")
	return request, nil
}

// L11: a write looks before each attempt that follows a wait, but before no other attempt.
func TestL11EveryAttemptThatWaitedLooks(t *testing.T) {
	t.Parallel()
	busy := respondAs(503, "application/json", `{"detail": "Busy."}`, "Retry-After", "3")
	for name, c := range map[string]struct {
		responses []http.HandlerFunc
		methods   []string
		fails     bool
	}{
		"at once":                       {[]http.HandlerFunc{respondDescription("seen"), respondDescription("mine")}, []string{"GET", "PATCH"}, false},
		"changed before":                {[]http.HandlerFunc{respondDescription("theirs")}, []string{"GET"}, true},
		"after a short pause":           {[]http.HandlerFunc{respondDescription("seen"), failing, respondDescription("mine")}, []string{"GET", "PATCH", "PATCH"}, false},
		"after a 429":                   {[]http.HandlerFunc{respondDescription("seen"), throttle("4"), respondDescription("seen"), respondDescription("mine")}, []string{"GET", "PATCH", "GET", "PATCH"}, false},
		"changed during a 429":          {[]http.HandlerFunc{respondDescription("seen"), throttle("4"), respondDescription("theirs")}, []string{"GET", "PATCH", "GET"}, true},
		"changed during a second 429":   {[]http.HandlerFunc{respondDescription("seen"), throttle("4"), respondDescription("seen"), throttle("4"), respondDescription("theirs")}, []string{"GET", "PATCH", "GET", "PATCH", "GET"}, true},
		"changed after a 503":           {[]http.HandlerFunc{respondDescription("seen"), busy, respondDescription("theirs")}, []string{"GET", "PATCH", "GET"}, true},
		"carried out, and answered 503": {[]http.HandlerFunc{respondDescription("seen"), busy, respondDescription(" mine ")}, []string{"GET", "PATCH", "GET"}, false},
		"a 429 carries nothing out":     {[]http.HandlerFunc{respondDescription("seen"), throttle("4"), respondDescription("mine")}, []string{"GET", "PATCH", "GET"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, c.responses...)
			client, _ := s.retryingClient()
			survey, err := client.Surveys("1").Change(t.Context(), surveyID, ifSeen)

			var methods []string
			for _, request := range s.requests() {
				methods = append(methods, request.method)
			}
			assert.Equal(t, c.methods, methods)

			if c.fails {
				require.ErrorIs(t, err, errChanged)
				return
			}
			require.NoError(t, err)
			assert.Contains(t, survey.Description.MustGet(), "mine")
		})
	}
}

// The client waits for its turn before it reads, not between the read and the write. If a pause delays the write
// after the look, the client looks again, even if a look takes more than one request.
func TestL11NoWaitBetweenLookAndWrite(t *testing.T) {
	t.Parallel()
	s := serve(t, respondDescription("seen"), respondDescription("mine"), respondDescription("seen"), respondDescription("mine"))
	client := s.client(func(o *Options) { o.RequestsPerMinute = 20 })
	k := stop(client)
	for range 2 {
		_, err := client.Surveys("1").Change(t.Context(), surveyID, ifSeen)
		require.NoError(t, err)
	}
	assert.Equal(t, []time.Duration{6 * time.Second}, k.waits)

	s = serve(t, respondDescription("seen"), throttle("9"), respondJSON(200, `{}`), respondDescription("launched"))
	client, _ = s.retryingClient()
	err := client.Surveys("1").Remove(t.Context(), surveyID, func(ctx context.Context, live api.Survey) error {
		if text, _ := live.Description.Get(); text != "seen" {
			return errChanged
		}
		_, err := client.Surveys("1").ResponsesCount(ctx)
		return err
	})
	require.ErrorIs(t, err, errChanged)
	for _, request := range s.requests() {
		assert.Equal(t, http.MethodGet, request.method)
	}
}

// If the response to a deletion was lost, the next look finds nothing, which callers treat as success.
func TestL11DeletedByALostAttempt(t *testing.T) {
	t.Parallel()
	s := serve(t, respondDescription("seen"), respondAs(503, "", "", "Retry-After", "3"), refuse(404, "invalid_request", "not_found", "Not found."))
	client, _ := s.retryingClient()
	err := client.Surveys("1").Remove(t.Context(), surveyID, func(context.Context, api.Survey) error { return nil })
	assert.True(t, IsNotFound(err), "%v", err)
	assert.ErrorContains(t, err, "may have carried out an earlier attempt")
}

// An object that was just created is not read before the first attempt, and an object without changes is not written.
func TestChangesWithoutARequest(t *testing.T) {
	t.Parallel()
	s := serve(t, respondDescription("mine"), respondDescription("seen"))
	client := s.client()
	created := api.Survey{ID: new(surveyID)}
	created.Description.Set("seen")
	_, err := client.Surveys("1").ChangeNew(t.Context(), surveyID, created, ifSeen)
	require.NoError(t, err)

	survey, err := client.Surveys("1").Change(t.Context(), surveyID, func(context.Context, api.Survey) (api.SurveyRequest, error) { return api.SurveyRequest{}, nil })
	require.NoError(t, err)
	assert.Equal(t, "seen", survey.Description.MustGet())
	assert.Equal(t, http.MethodGet, s.requests()[1].method)
}

// An object holds a request only if every field matches: a missing field, or text that PostHog could have changed,
// doesn't count.
func TestHolds(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	for name, c := range map[string]struct {
		found, sent object
		want        bool
	}{
		"the same":         {object{"name": " A ", "x": 1}, object{"name": "A"}, true},
		"another":          {object{"name": "B"}, object{"name": "A"}, false},
		"not told":         {object{}, object{"schedule": "always"}, false},
		"markup":           {object{"description": "b"}, object{"description": "<b>b"}, false},
		"cleared":          {object{"description": ""}, object{"description": nil}, true},
		"more keys":        {object{"questions": []any{object{"id": "a", "more": 1}}}, object{"questions": []any{object{"id": "a", "link": nil}}}, true},
		"one less":         {object{"questions": []any{object{"id": "a"}}}, object{"questions": []any{object{"id": "a"}, object{"id": "b"}}}, false},
		"as text":          {object{"conditions": `{"url":"/a"}`}, object{"conditions": object{"url": "/a"}}, true},
		"filters":          {object{"targeting_flag": object{"id": 1, "filters": object{"groups": []any{}, "x": 1}}}, object{"targeting_flag_filters": object{"groups": []any{}, "x": 1}}, true},
		"other filters":    {object{"targeting_flag": object{"id": 1, "filters": object{"x": 2}}}, object{"targeting_flag_filters": object{"x": 1}}, false},
		"flag removed":     {object{"targeting_flag": nil}, object{"remove_targeting_flag": true}, true},
		"flag still there": {object{"targeting_flag": object{"id": 1}}, object{"remove_targeting_flag": true}, false},
	} {
		assert.Equal(t, c.want, holds(c.found, c.sent), name)
	}
}
