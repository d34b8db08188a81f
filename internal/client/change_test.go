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

// told returns a response to a read of the survey with a description.
func told(description string) http.HandlerFunc {
	return respondJSON(200, fmt.Sprintf(`{"id": %q, "description": %q}`, surveyID, description))
}

// ifSeen describes a survey anew if its description is as it was seen.
func ifSeen(_ context.Context, live api.Survey) (api.SurveyRequest, error) {
	var request api.SurveyRequest
	if text, _ := live.Description.Get(); text != "seen" {
		return request, errChanged
	}
	request.Description.Set("mine")
	return request, nil
}

// L11: a write looks before each attempt that follows a wait, and before no other one.
func TestL11EveryAttemptThatWaitedLooks(t *testing.T) {
	t.Parallel()
	busy := respondAs(503, "application/json", `{"detail": "Busy."}`, "Retry-After", "3")
	for name, c := range map[string]struct {
		responses []http.HandlerFunc
		methods   []string
		fails     bool
	}{
		"at once":                       {[]http.HandlerFunc{told("seen"), told("mine")}, []string{"GET", "PATCH"}, false},
		"changed before":                {[]http.HandlerFunc{told("theirs")}, []string{"GET"}, true},
		"after a short pause":           {[]http.HandlerFunc{told("seen"), failing, told("mine")}, []string{"GET", "PATCH", "PATCH"}, false},
		"after a 429":                   {[]http.HandlerFunc{told("seen"), throttle("4"), told("seen"), told("mine")}, []string{"GET", "PATCH", "GET", "PATCH"}, false},
		"changed during a 429":          {[]http.HandlerFunc{told("seen"), throttle("4"), told("theirs")}, []string{"GET", "PATCH", "GET"}, true},
		"changed during a second 429":   {[]http.HandlerFunc{told("seen"), throttle("4"), told("seen"), throttle("4"), told("theirs")}, []string{"GET", "PATCH", "GET", "PATCH", "GET"}, true},
		"changed after a 503":           {[]http.HandlerFunc{told("seen"), busy, told("theirs")}, []string{"GET", "PATCH", "GET"}, true},
		"carried out, and answered 503": {[]http.HandlerFunc{told("seen"), busy, told(" mine ")}, []string{"GET", "PATCH", "GET"}, false},
		"a 429 carries nothing out":     {[]http.HandlerFunc{told("seen"), throttle("4"), told("mine")}, []string{"GET", "PATCH", "GET"}, true},
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

// The pace of the client lies before the look, not between it and the write; what a pause holds
// back after the look is looked at again, also where the look is more than one request.
func TestL11NoWaitBetweenLookAndWrite(t *testing.T) {
	t.Parallel()
	s := serve(t, told("seen"), told("mine"), told("seen"), told("mine"))
	client := s.client(func(o *Options) { o.RequestsPerMinute = 20 })
	k := stop(client)
	for range 2 {
		_, err := client.Surveys("1").Change(t.Context(), surveyID, ifSeen)
		require.NoError(t, err)
	}
	assert.Equal(t, []time.Duration{6 * time.Second}, k.waits)

	s = serve(t, told("seen"), throttle("9"), respondJSON(200, `{}`), told("launched"))
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

// A deletion whose response was lost finds nothing at its next look, which callers take for
// success.
func TestL11DeletedByALostAttempt(t *testing.T) {
	t.Parallel()
	s := serve(t, told("seen"), respondAs(503, "", "", "Retry-After", "3"), refuse(404, "invalid_request", "not_found", "Not found."))
	client, _ := s.retryingClient()
	err := client.Surveys("1").Remove(t.Context(), surveyID, func(context.Context, api.Survey) error { return nil })
	assert.True(t, IsNotFound(err), "%v", err)
	assert.ErrorContains(t, err, "may have carried out an earlier attempt")
}

// What was created just now is not read before the first attempt; what needs no change is not
// written.
func TestChangesWithoutARequest(t *testing.T) {
	t.Parallel()
	s := serve(t, told("mine"), told("seen"))
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

// An object holds what was sent only if every field says so: no field that is missing, and no
// text that another one may have become.
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
