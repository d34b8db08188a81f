package sdk_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/sdk"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
)

// world is the server under test.
type world struct {
	*service.Contents

	t testing.TB
}

// deliveringServers returns a world for each profile. Each world serves surveys to apps.
func deliveringServers(t testing.TB, document string) map[string]*world {
	t.Helper()
	worlds := map[string]*world{}
	for _, name := range []string{service.Documented, service.Hosted} {
		profile, err := service.FindProfile(name)
		require.NoError(t, err)
		settings := &service.Settings{Profile: profile, Delivers: true, MaxEvents: 1000, IDs: uuid.New, Clock: time.Now}
		st, err := fixtures.Read(settings, strings.NewReader(document))
		require.NoError(t, err)
		worlds[name] = &world{service.NewContents(settings, st, "", nil), t}
	}
	return worlds
}

// Dump returns the store as a fixtures document.
func (w *world) Dump() string {
	w.t.Helper()
	var b bytes.Buffer
	require.NoError(w.t, fixtures.Dump(&b, w.Profile, w.Store))
	return b.String()
}

// SetFixtures replaces the store.
func (w *world) SetFixtures(document string) {
	w.t.Helper()
	st, err := fixtures.Read(w.Settings, strings.NewReader(document))
	require.NoError(w.t, err)
	w.SetStore(st)
}

// responsesTo returns the number of responses to a survey.
func (w *world) responsesTo(survey string) int {
	return int(w.Store.ResponsesBySurvey()[uuid.MustParse(survey)])
}

// caller sends requests as an app's page would.
type caller struct {
	t      testing.TB
	world  *world
	header http.Header
}

func app(t testing.TB, w *world) caller {
	t.Helper()
	return caller{t, w, http.Header{"Origin": {"http://localhost:3000"}, "Content-Type": {"text/plain"}}}
}

// with returns a caller with a changed header field. An empty value removes the field.
func (c caller) with(name, value string) caller {
	c.header = c.header.Clone()
	c.header.Del(name)
	if value != "" {
		c.header.Set(name, value)
	}
	return c
}

// answer is the response to a request, with the report's findings about the request.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   string
	call   *sdk.Call
}

// maxBody is the maximum size of a request body.
const maxBody = 20 << 20

func (c caller) do(method, path, body string) answer {
	c.t.Helper()
	r := httptest.NewRequest(method, path, nil)
	r.Header = c.header
	found, values := sdk.Paths().Match(r.URL.Path)
	require.NotNil(c.t, found, path)
	header := http.Header{}
	sdk.AllowOrigin(header, r, found)
	if found.For(method).DropsBody() {
		body = ""
	}
	call := sdk.Read(r, found, values, []byte(body), maxBody, true)
	call.EchoRequestID(header)

	reply, f := call.Serve(&sdk.Apps{Contents: c.world.Contents}, call.SentToken)
	if f != nil {
		reply = f.Response()
		if refused, ok := call.Refusal(f); ok {
			reply = refused
		}
	}
	maps.Copy(header, reply.Header)
	header.Set("Content-Type", reply.ContentType)
	return answer{c.t, reply.Status, header, string(reply.Body), call}
}

func (c caller) get(path string) answer { c.t.Helper(); return c.do(http.MethodGet, path, "") }
func (c caller) post(path, body string) answer {
	c.t.Helper()
	return c.do(http.MethodPost, path, body)
}
func (c caller) delete(path string) answer { c.t.Helper(); return c.do(http.MethodDelete, path, "") }

// is asserts the status.
func (a answer) is(status int) answer {
	a.t.Helper()
	require.Equal(a.t, status, a.status, a.body)
	return a
}

// shownToApps contains fixtures for apps with a running survey. The clock runs, so that events have the
// current time.
const (
	shownToApps     = "019b0000-0000-7000-8000-0000000000aa"
	captureFixtures = `{"clock":"2026-03-01T12:00:00Z","surveys":[{"id":"` + shownToApps + `","project_id":1,"name":"S","type":"popover",
		"start_date":"2026-02-01T00:00:00Z","created_at":"2026-02-01T00:00:00Z","responses_limit":%s,"questions":[{"id":"q","type":"open","question":"Why?"}]}]}`
)

// captured returns an event as an SDK sends it. properties begins with a comma.
func captured(event, id, properties string) string {
	return fmt.Sprintf(`{"event":%q,"properties":{"token":"phc_test","distinct_id":%q%s}}`, event, id, properties)
}

// ofSurvey returns an event of the running survey.
func ofSurvey(event, id, properties string) string {
	return captured(event, id, `,"$survey_id":"`+shownToApps+`"`+properties)
}

// capture sends a body and expects success.
func (c caller) capture(body string) {
	c.t.Helper()
	assert.JSONEq(c.t, `{"status":1}`, c.post("/e/", body).is(http.StatusOK).body)
}

// feed returns the surveys that an app receives, by name.
func (c caller) feed(token string) map[string]map[string]json.RawMessage {
	c.t.Helper()
	var feed struct{ Surveys []map[string]json.RawMessage }
	require.NoError(c.t, json.Unmarshal([]byte(c.get("/api/surveys/?token="+token+"&_=1").is(http.StatusOK).body), &feed))
	byName := map[string]map[string]json.RawMessage{}
	for _, s := range feed.Surveys {
		byName[string(s["name"])] = s
	}
	return byName
}
