package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// noun creates an object named X of one kind, and lists the existing objects.
type noun struct {
	create func(context.Context, *Client) (id string, err error)
	stored func(*testserver.Instance) []testserver.Object
	// before adds an older object with the same name.
	before func(*testserver.Instance)
}

func nouns(srv *testserver.Instance) map[string]noun {
	name := nullable.NewNullableWithValue("X")

	app := api.PipelineImportAppRequest{
		Name: name, PluginType: nullable.NewNullableWithValue(api.PipelineImportAppType("source")),
		Capabilities: nullable.NewNullableWithValue(json.RawMessage(`{"scheduled_tasks":["runEveryMinute"]}`)),
	}

	survey := api.SurveyRequest{
		Name: name, Type: nullable.NewNullableWithValue(api.SurveyType("popover")),
		Questions: nullable.NewNullableWithValue([]json.RawMessage{json.RawMessage(`{"type":"open","id":"q1","question":"Why <b>x</b>? "}`)}),
	}

	return map[string]noun{
		"survey": {
			func(ctx context.Context, c *Client) (string, error) {
				created, err := c.Surveys(srv.ProjectID).CreateOnce(ctx, survey)
				return deref(created.ID), err
			},
			func(i *testserver.Instance) []testserver.Object { return i.Surveys(i.ProjectID) },
			func(i *testserver.Instance) {
				i.CreateSurvey(testserver.Object{"project_id": "1", "name": "X", "type": "popover", "created_at": "2025-01-01T00:00:00Z"})
			},
		},
		"app": {
			func(ctx context.Context, c *Client) (string, error) {
				created, err := c.PipelineImportApps(srv.OrganizationID).CreateOnce(ctx, app, true)
				return fmt.Sprint(deref(created.ID)), err
			},
			func(i *testserver.Instance) []testserver.Object { return i.Apps(i.OrganizationID) },
			func(i *testserver.Instance) {
				i.CreateApp(testserver.Object{"organization_id": i.OrganizationID, "name": "X", "plugin_type": "source",
					"capabilities": testserver.Object{"scheduled_tasks": []any{"runEveryMinute"}}})
			},
		},
	}
}

// loses is a transport that carries out the first create and returns a status instead of its response.
func loses(status int) http.RoundTripper {
	inner, lost := http.DefaultTransport, false
	return memory(func(req *http.Request) (*http.Response, error) {
		resp, err := inner.RoundTrip(req)
		if err != nil || req.Method != http.MethodPost || lost {
			return resp, err
		}
		lost = true
		resp.Body.Close()
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}"))}, nil
	})
}

// However a create fails, there is either exactly one object, or an error and at most one object. The next run creates
// the object, or reports the existing one.
func TestCreateOnce(t *testing.T) {
	t.Parallel()
	cut := 20
	post := func(f testserver.Fault) []testserver.Fault {
		f.Method, f.To = http.MethodPost, 1
		return []testserver.Fault{f}
	}

	for name, c := range map[string]struct {
		faults []testserver.Fault
		lost   int // status that replaces the response after PostHog has processed the request
		passes bool
	}{
		"429":         {post(testserver.Fault{RetryAfter: "90"}), 0, true},
		"500 before":  {post(testserver.Fault{Status: 500}), 0, true},
		"502 before":  {post(testserver.Fault{Status: 502, HTML: true}), 0, true},
		"503 before":  {post(testserver.Fault{Status: 503, RetryAfter: "3"}), 0, true},
		"504 before":  {post(testserver.Fault{Status: 504}), 0, false},
		"520 before":  {post(testserver.Fault{Status: 520}), 0, false},
		"page":        {post(testserver.Fault{HTML: true}), 0, false},
		"drop before": {post(testserver.Fault{Drop: "before"}), 0, false},
		"drop after":  {post(testserver.Fault{Drop: "after"}), 0, true},
		"cut":         {post(testserver.Fault{CutBody: &cut}), 0, true},
		"500 after":   {nil, 500, true},
		"502 after":   {nil, 502, true},
		"503 after":   {nil, 503, true},
		"504 after":   {nil, 504, true},
	} {
		for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
			for kind := range nouns(testserver.Start(t)) {
				t.Run(strings.Join([]string{name, string(profile), kind}, " "), func(t *testing.T) {
					t.Parallel()
					srv := testserver.Start(t, testserver.Options{Profile: profile})
					srv.SetFaults(c.faults...)
					client := of(t, srv)
					stop(client)
					if c.lost != 0 {
						client.transport = loses(c.lost)
					}

					noun := nouns(srv)[kind]
					id, err := noun.create(t.Context(), client)

					// PostHog refuses a second survey with the same name, so the client can send the create again.
					if c.passes || kind == "survey" && name != "page" {
						require.NoError(t, err)
					} else {
						var ambiguous *AmbiguousCreateError
						require.ErrorAs(t, err, &ambiguous)
						assert.Empty(t, ambiguous.Found)
						assert.Empty(t, noun.stored(srv))
						id, err = noun.create(t.Context(), client)
						require.NoError(t, err)
					}

					stored := noun.stored(srv)
					require.Len(t, stored, 1)
					assert.Equal(t, id, fmt.Sprint(stored[0]["id"]))
				})
			}
		}
	}
}

// A create gives up long before the operation's timeout, because the client searches for the object for at most a
// minute. There is at most one object, and the error contains its ID or describes the search.
func TestCreateOnceLooksForAMinute(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]testserver.Fault{
		"504": {Status: 504}, "drop before": {Drop: "before"}, "drop after": {Drop: "after"}, "500": {Status: 500}, "503": {Status: 503, RetryAfter: "2"},
	} {
		for _, every := range []bool{false, true} {
			for _, length := range []time.Duration{0, 20 * time.Minute} {
				for kind := range nouns(testserver.Start(t)) {
					t.Run(fmt.Sprint(name, " every ", every, " ", length, " ", kind), func(t *testing.T) {
						t.Parallel()
						srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
						noun, client := nouns(srv)[kind], of(t, srv)
						k := stop(client)
						client.breaker.note(nil, k.now()) // PostHog has responded before

						ctx, cancel := t.Context(), context.CancelFunc(func() {})
						if length > 0 {
							ctx, cancel = WithBudget(ctx, Budget{Operation: "create", Length: length})
						}
						defer cancel()
						met := fault
						if !every {
							met.Method = http.MethodPost
						}
						srv.SetFaults(met)
						started := k.now()
						id, err := noun.create(ctx, client)

						assert.LessOrEqual(t, k.now().Sub(started), 90*time.Second)
						stored := noun.stored(srv)
						require.LessOrEqual(t, len(stored), 1)
						if err == nil {
							require.Len(t, stored, 1)
							assert.Equal(t, id, fmt.Sprint(stored[0]["id"]))
							return
						}
						var ambiguous *AmbiguousCreateError
						require.ErrorAs(t, err, &ambiguous)
					})
				}
			}
		}
	}
}

// If the request for a survey was lost, the client sends it again, and PostHog refuses the second one if it carried out
// the first. The client doesn't send a request for an app again, because PostHog would create two apps.
func TestCreateOnceAfterALook(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]int{"survey": 2, "app": 1} {
		srv := testserver.Start(t)
		client := of(t, srv)
		k := stop(client)
		srv.SetFaults(testserver.Fault{Method: http.MethodPost, To: 1, Drop: "before"})
		started := k.now()
		_, err := nouns(srv)[kind].create(t.Context(), client)
		assert.Equal(t, kind == "survey", err == nil)
		assert.InDelta(t, finishTime.Seconds(), k.now().Sub(started).Seconds(), 1)

		posts := 0
		for _, request := range srv.Journal() {
			if request.Method == http.MethodPost {
				posts++
			}
		}
		assert.Equal(t, want, posts)
	}
}

// PostHog is still processing the first request when the second one arrives.
func TestCreateOnceThatCameLate(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	client := of(t, srv)
	stop(client)

	var late *http.Request
	client.transport = memory(func(req *http.Request) (*http.Response, error) {
		if req.Method != http.MethodPost {
			return http.DefaultTransport.RoundTrip(req)
		}
		if late == nil {
			body, err := req.GetBody()
			assert.NoError(t, err)
			late = req.Clone(t.Context())
			late.Body = body
			return nil, io.ErrUnexpectedEOF
		}

		resp, err := http.DefaultTransport.RoundTrip(late)
		assert.NoError(t, err)
		resp.Body.Close()
		return http.DefaultTransport.RoundTrip(req)
	})

	id, err := nouns(srv)["survey"].create(t.Context(), client)
	require.NoError(t, err)
	require.Len(t, srv.Surveys("1"), 1)
	assert.Equal(t, srv.Surveys("1")[0]["id"], id)
}

// An older object with the same name is never mistaken for the created one.
func TestCreateOnceFindsAnOlderOne(t *testing.T) {
	t.Parallel()
	for kind := range nouns(testserver.Start(t)) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t)
			noun := nouns(srv)[kind]
			noun.before(srv)
			srv.SetFaults(testserver.Fault{Method: http.MethodPost, Drop: "before"})
			client := of(t, srv)
			stop(client)
			_, err := noun.create(t.Context(), client)
			var ambiguous *AmbiguousCreateError
			require.ErrorAs(t, err, &ambiguous)
			assert.Equal(t, []string{fmt.Sprint(noun.stored(srv)[0]["id"])}, ambiguous.Found)
			assert.ErrorContains(t, err, ambiguous.Found[0])
			assert.Len(t, noun.stored(srv), 1)
		})
	}
}

// An object that differs from the request was created by another client.
func TestCreateOnceFindsAnother(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	client := of(t, srv)
	stop(client)
	client.transport = memory(func(req *http.Request) (*http.Response, error) {
		if req.Method == http.MethodPost {
			srv.CreateSurvey(testserver.Object{"project_id": "1", "name": "X", "type": "widget"})
		}
		return http.DefaultTransport.RoundTrip(req)
	})
	srv.SetFaults(testserver.Fault{Method: http.MethodPost, Status: 500})
	_, err := nouns(srv)["survey"].create(t.Context(), client)
	var ambiguous *AmbiguousCreateError
	require.ErrorAs(t, err, &ambiguous)
	assert.Len(t, ambiguous.Found, 1)
	assert.Len(t, srv.Surveys("1"), 1)
}

// The client never adopts an app that it already returned for another create.
func TestCreateOnceOfTwins(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	client := of(t, srv)
	stop(client)
	app := nouns(srv)["app"]
	first, err := app.create(t.Context(), client)
	require.NoError(t, err)
	srv.SetFaults(testserver.Fault{Method: http.MethodPost, To: 1, Drop: "before"})
	_, err = app.create(t.Context(), client)
	var ambiguous *AmbiguousCreateError
	require.ErrorAs(t, err, &ambiguous)
	assert.Equal(t, []string{first}, ambiguous.Found)
	srv.SetFaults(testserver.Fault{Method: http.MethodPost, To: 1, Drop: "after"})
	second, err := app.create(t.Context(), client)
	require.NoError(t, err)
	assert.NotEqual(t, first, second)
	assert.Len(t, srv.Apps(srv.OrganizationID), 2)
}

// If two creates use the same name at the same time, PostHog may fail one of them after it carried out the other. The
// object belongs to the other create, even if both requests are equal.
func TestCreateOnceOfTwoAlike(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	client := of(t, srv)
	stop(client)
	body := draft("X")
	_, err := client.Surveys(srv.ProjectID).CreateOnce(t.Context(), body)
	require.NoError(t, err)
	srv.SetFaults(testserver.Fault{Method: http.MethodPost, Status: 500})
	_, err = client.Surveys(srv.ProjectID).CreateOnce(t.Context(), body)
	var ambiguous *AmbiguousCreateError
	require.ErrorAs(t, err, &ambiguous)
	assert.Len(t, ambiguous.Found, 1)
}

// If the name is taken, the error contains the ID of the survey that has it.
func TestCreateOnceOfATakenName(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	survey := nouns(srv)["survey"]
	survey.before(srv)
	_, err := survey.create(t.Context(), of(t, srv))
	var taken *ConflictError
	require.ErrorAs(t, err, &taken)
	assert.True(t, IsUniqueName(err))
	assert.Equal(t, srv.Surveys("1")[0]["id"], taken.ID)
}

// PostHog may hide the app, so a lost response doesn't justify a second create.
func TestCreateOnceOfWhatIsHidden(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	client := of(t, srv)
	stop(client)
	client.transport = loses(500)
	_, err := client.PipelineImportApps(srv.OrganizationID).CreateOnce(t.Context(), api.PipelineImportAppRequest{
		Name: nullable.NewNullableWithValue("X"), PluginType: nullable.NewNullableWithValue(api.PipelineImportAppType("source")),
	}, false)
	var ambiguous *AmbiguousCreateError
	require.ErrorAs(t, err, &ambiguous)
	assert.True(t, ambiguous.Hidden)
	assert.Len(t, srv.Apps(srv.OrganizationID), 1)
}

// The client creates an app even if the list that would identify older apps fails, and doesn't spend the create's
// time on that list.
func TestCreateOnceWhenTheListFails(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetFaults(testserver.Fault{Operation: "pipeline_import_apps_list", Status: 503})
	client := of(t, srv)
	k := stop(client)
	started := k.now()
	for range 3 {
		ctx, cancel := WithBudget(t.Context(), Budget{Operation: "create", Length: 20 * time.Minute})
		defer cancel()
		_, err := nouns(srv)["app"].create(ctx, client)
		require.NoError(t, err)
	}
	assert.Len(t, srv.Apps(srv.OrganizationID), 3)
	assert.LessOrEqual(t, k.now().Sub(started), failuresEnd, "all creates together must end in time")
}

// If two resources use the same name, the error says so, and doesn't blame another client. A failed search isn't
// treated as a search without results.
func TestCreateOnceOfAnOwnName(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	client := of(t, srv)
	stop(client)
	survey := nouns(srv)["survey"]
	id, err := survey.create(t.Context(), client)
	require.NoError(t, err)
	_, err = survey.create(t.Context(), client)
	var taken *ConflictError
	require.ErrorAs(t, err, &taken)
	assert.True(t, taken.Own)
	assert.ErrorContains(t, err, "an object that this run created uses it: ID "+id)

	srv.SetFaults(testserver.Fault{Operation: "surveys_list", Status: 403})
	_, err = survey.create(t.Context(), client)
	require.ErrorAs(t, err, &taken)
	assert.Empty(t, taken.ID)
	assert.ErrorContains(t, err, "the object that uses it is unknown: GET /api/projects/1/surveys/ (surveys_list): 403 Forbidden")
}

// If the run is stopped during a create, the created object is kept.
func TestCreateOnceStopped(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	client := of(t, srv)
	ctx, cancel := context.WithCancel(t.Context())
	client.transport = memory(func(req *http.Request) (*http.Response, error) {
		resp, err := http.DefaultTransport.RoundTrip(req)
		if req.Method != http.MethodPost || err != nil {
			return resp, err
		}
		resp.Body.Close()
		cancel()
		return nil, context.Canceled
	})
	id, err := nouns(srv)["survey"].create(ctx, client)
	require.NoError(t, err)
	assert.Equal(t, srv.Surveys("1")[0]["id"], id)
}

// A value that PostHog normalizes still matches the request.
func TestMatchesRequest(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		found, sent string
		want        bool
	}{
		{`{"a":"x","more":1}`, `{"a":" x "}`, true},
		{`{"a":"x"}`, `{"a":"y"}`, false},
		{`{"a":1.0}`, `{"a":1}`, true},
		{`{"a":2}`, `{"a":1}`, false},
		{`{"a":"2026-01-01T00:00:00Z"}`, `{"a":"2026-01-01T01:00:00+01:00"}`, true},
		{`{"a":"2026-01-01T00:00:00Z"}`, `{"a":"2026-01-01T01:00:01+01:00"}`, false},
		{`{"a":"<b>x</b>"}`, `{"a":"<b>x"}`, true},
		{`{"a":"{\"b\": [1, 2]}"}`, `{"a":{"b":[1,2]}}`, true},
		{`{"a":"{\"b\": [1]}"}`, `{"a":{"b":[1,2]}}`, false},
		{`{"a":[{"b":1,"id":"x"}]}`, `{"a":[{"b":1}]}`, true},
		{`{"a":[]}`, `{"a":[{"b":1}]}`, false},
		{`{"a":{}}`, `{"a":null}`, true},
		{`{"a":"x"}`, `{"a":null}`, false},
		{`{"a":null}`, `{"a":{"b":null}}`, true},
		{`{"a":{"c":1}}`, `{"a":{"b":null}}`, true},
		{`{"a":{"c":1}}`, `{"a":{}}`, false},
		{`{"a":"[]"}`, `{"a":[]}`, true},
		{`{"a":"[1]"}`, `{"a":[]}`, false},
		{`{"a":""}`, `{"a":"  "}`, true},
		{`{"a":1e999999999}`, `{"a":10e999999998}`, true},
		{`{}`, `{"a":"not in the response"}`, true},
		{`{"base_language":"en"}`, `{"base_language":"EN"}`, true},
		{`{"a":true}`, `{"a":false}`, false},
	} {
		assert.Equal(t, c.want, matchesRequest(json.RawMessage(c.found), json.RawMessage(c.sent), rewrittenFields), "%s for %s", c.found, c.sent)
	}
}

// The client interprets PostHog's dates by PostHog's clock, even if the local clock is wrong.
func TestCreateOnceWithAnotherClock(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetClock(time.Date(2031, 5, 1, 0, 0, 0, 0, time.UTC))
	client := of(t, srv)
	stop(client)
	srv.SetFaults(testserver.Fault{Method: http.MethodPost, To: 1, Drop: "after"})
	_, err := nouns(srv)["survey"].create(t.Context(), client)
	require.NoError(t, err)
	assert.Len(t, srv.Surveys("1"), 1)
}

// A lost create's object may be dated up to two seconds before the create, because a response's date and an object's
// date come from two clocks. An older object is a different one.
func TestLostCreateToleratesTwoClocks(t *testing.T) {
	t.Parallel()
	listed := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	for age, want := range map[time.Duration]bool{0: true, 2 * time.Second: true, 2*time.Second + time.Millisecond: false} {
		client, err := New(Options{BaseURL: "http://127.0.0.1:1", APIKey: testKey, Now: func() time.Time { return listed.Add(time.Hour) }})
		require.NoError(t, err)
		created := listed.Add(-age)
		one := creation[time.Time]{
			client: client,
			find: func(context.Context, time.Time) ([]time.Time, time.Time, error) {
				return []time.Time{created}, listed, nil
			},
			isOurs: func(found, since time.Time) bool { return !found.Before(since) },
			id:     time.Time.String,
		}
		_, ours, err := one.searchOnce(t.Context(), search{created: client.gate.now()})
		require.NoError(t, err)
		assert.Equal(t, want, len(ours) == 1, "an object that is dated %s before the create", age)
	}
}
