package service_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/contracttest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire/wiretest"
)

// siteURL is the URL of requests from [httptest].
const siteURL = "http://example.com"

// object is a decoded JSON object.
type object = map[string]any

// surveys and apps are the collection paths of the default fixtures.
const (
	surveys = "/api/projects/" + fixtures.DefaultProjectID + "/surveys/"
	apps    = "/api/organizations/" + fixtures.DefaultOrganizationID + "/pipeline_import_apps/"
)

// contents is a server under test. Its clock is stopped, and its IDs count up.
type contents struct {
	*service.Contents

	t      testing.TB
	routes *service.Paths[*service.Operation]
}

// startSettings returns contents with the given settings, and a caller with the default key. document may
// be empty.
func startSettings(t testing.TB, settings *service.Settings, document string) (*contents, caller) {
	t.Helper()
	next := uint32(0)
	settings.Clock = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC) }
	settings.IDs = func() uuid.UUID {
		next++
		return uuid.UUID{0: 0x01, 1: 0x9b, 6: 0x70, 8: 0x80, 13: byte(next >> 16), 14: byte(next >> 8), 15: byte(next)}
	}
	settings.Delivers, settings.MaxEvents = settings.Neighbours, store.DefaultMaxEvents
	if document == "" {
		document = "{}"
	}
	initial, err := fixtures.Read(settings, strings.NewReader(document))
	require.NoError(t, err)
	c := &contents{service.NewContents(settings, initial, "", nil), t, settings.Routes()}
	return c, caller{t: t, contents: c, header: http.Header{
		"Authorization": {"Bearer " + fixtures.DefaultAPIKey}, "Content-Type": {"application/json"},
	}}
}

// startProfile returns contents with the named profile.
func startProfile(t testing.TB, name, document string) (*contents, caller) {
	t.Helper()
	profile, err := service.FindProfile(name)
	require.NoError(t, err)
	return startSettings(t, &service.Settings{Profile: profile}, document)
}

func startDocumented(t testing.TB, document string) (*contents, caller) {
	t.Helper()
	return startProfile(t, service.Documented, document)
}

func documented(t testing.TB) caller {
	t.Helper()
	_, c := startDocumented(t, "")
	return c
}

func startHosted(t testing.TB, document string) (*contents, caller) {
	t.Helper()
	return startProfile(t, service.Hosted, document)
}

// Dump returns the store as a fixtures document.
func (c *contents) Dump() string {
	c.t.Helper()
	var b bytes.Buffer
	require.NoError(c.t, fixtures.Dump(&b, c.Profile, c.Store))
	return b.String()
}

// SetFixtures replaces the store.
func (c *contents) SetFixtures(document string) {
	c.t.Helper()
	st, err := fixtures.Read(c.Settings, strings.NewReader(document))
	require.NoError(c.t, err)
	c.SetStore(st)
}

// SetClock stops the clock.
func (c *contents) SetClock(at time.Time) { c.StopClock(&at) }

// edit changes the store directly, without the API.
func (c *contents) edit(change func(fixtures.Editor) (wire.Value, error)) object {
	c.t.Helper()
	c.Mu.Lock()
	defer c.Mu.Unlock()
	entry, err := change(fixtures.NewEditor(c.Service()))
	require.NoError(c.t, err)
	return answer{t: c.t, body: entry.Spelling()}.object()
}

func (c *contents) CreateSurvey(survey object) object {
	c.t.Helper()
	return c.edit(func(e fixtures.Editor) (wire.Value, error) {
		entry := object{"project_id": 1, "id": e.SurveyID().String()}
		maps.Copy(entry, survey)
		return e.CreateSurvey(wire.Of(entry))
	})
}

func (c *contents) PatchSurvey(id string, patch object) {
	c.t.Helper()
	c.edit(func(e fixtures.Editor) (wire.Value, error) {
		found, err := e.Store.FindSurvey(id)
		require.NoError(c.t, err)
		return e.PatchSurvey(found, wire.Of(patch))
	})
}

func (c *contents) DeleteSurvey(id string) {
	c.t.Helper()
	found, err := c.Store.FindSurvey(id)
	require.NoError(c.t, err)
	c.Service().LogChange("deleted", c.Store.FirstMember(), found, nil)
	c.Store.RemoveSurvey(found)
}

func (c *contents) CreateFlag(flag object) object {
	c.t.Helper()
	return c.edit(func(e fixtures.Editor) (wire.Value, error) {
		entry := object{"project_id": 1, "id": e.Store.NextFlag()}
		maps.Copy(entry, flag)
		return e.CreateFlag(wire.Of(entry))
	})
}

func (c *contents) App(id int64) object {
	c.t.Helper()
	found, err := c.Store.FindApp(id)
	require.NoError(c.t, err)
	return answer{t: c.t, body: wire.NewObject(c.Service().Entries().App(found)...).Spelling()}.object()
}

func (c *contents) PatchApp(id int64, patch object) {
	c.t.Helper()
	c.edit(func(e fixtures.Editor) (wire.Value, error) {
		found, err := e.Store.FindApp(id)
		require.NoError(c.t, err)
		return e.PatchApp(found, wire.Of(patch))
	})
}

func (c *contents) SetSurveyWaitPeriod(project string, days int64) {
	c.t.Helper()
	id, err := strconv.ParseInt(project, 10, 64)
	require.NoError(c.t, err)
	before := c.Store.Projects.Get(id)
	c.Service().PutProject(before, before.WithWaitPeriod(days))
}

func (c *contents) RunJobs() { c.Service().RunJobs() }
func (c *contents) Reset()   { c.SetStore(c.Initial.Clone()) }

// caller sends requests to contents.
type caller struct {
	t        testing.TB
	contents *contents
	header   http.Header
	// undocumented is true if the contract does not describe the responses.
	undocumented bool
}

// undocumentedAnswers returns a caller that does not compare responses with the contract.
func (c caller) undocumentedAnswers() caller {
	c.undocumented = true
	return c
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

// answer is the response to a request.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   string
}

func (c caller) do(method, path, body string) answer {
	c.t.Helper()
	r := httptest.NewRequest(method, path, nil)
	r.Header = c.header
	call := &service.Call{Service: c.contents.Service(), Request: r, Body: []byte(body)}
	call.Route, call.Values = c.contents.routes.Match(r.URL.Path)
	f := wire.NotFound("Endpoint not found.")
	if call.Route != nil {
		call.Operation = call.Route.For(method)
		f = call.Authorize()
	}
	var reply wire.Response
	if f == nil {
		reply, f = call.Answer()
	}
	if f != nil {
		reply = f.Response()
	}
	header := reply.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", reply.ContentType)
	if call.Operation != nil && reply.ContentType == wire.JSONContent && !c.undocumented {
		for _, deviation := range contracttest.Validate(call.Operation.Operation, reply.Status, header, reply.Body) {
			c.t.Errorf("%s %s: the response %d differs from the contract: %s\n%s", method, path, reply.Status, deviation, reply.Body)
		}
	}
	return answer{c.t, reply.Status, header, string(reply.Body)}
}

func (c caller) get(path string) answer { c.t.Helper(); return c.do(http.MethodGet, path, "") }
func (c caller) post(path, body string) answer {
	c.t.Helper()
	return c.do(http.MethodPost, path, body)
}
func (c caller) put(path, body string) answer { c.t.Helper(); return c.do(http.MethodPut, path, body) }
func (c caller) patch(path, body string) answer {
	c.t.Helper()
	return c.do(http.MethodPatch, path, body)
}
func (c caller) delete(path string) answer { c.t.Helper(); return c.do(http.MethodDelete, path, "") }

// is asserts the status.
func (a answer) is(status int) answer {
	a.t.Helper()
	require.Equal(a.t, status, a.status, a.body)
	return a
}

// fails asserts an error. An empty attr stands for null.
func (a answer) fails(status int, code, attr, detail string) {
	a.t.Helper()
	a.is(status)
	failure := wiretest.Decode(a.t, a.body)
	assert.Equal(a.t, "application/json", a.header.Get("Content-Type"))
	assert.Equal(a.t, []string{code, attr, detail}, []string{failure.Get("code").Text(), failure.Get("attr").Text(), failure.Get("detail").Text()}, a.body)
	assert.Equal(a.t, attr == "", failure.Get("attr").IsNull(), a.body)
	assert.Equal(a.t, 4, failure.Len(), a.body)
}

// object decodes the body. Numbers are json.Number.
func (a answer) object() object {
	a.t.Helper()
	dec := json.NewDecoder(strings.NewReader(a.body))
	dec.UseNumber()
	var o object
	require.NoError(a.t, dec.Decode(&o), a.body)
	return o
}

// raw returns the JSON of one member of the body, or "" if there is none.
func (a answer) raw(name string) string {
	a.t.Helper()
	return wiretest.Decode(a.t, a.body).Get(name).Spelling()
}

// results decodes a page's results.
func (a answer) results() []object {
	a.t.Helper()
	var page struct{ Results []object }
	require.NoError(a.t, json.Unmarshal([]byte(a.body), &page), a.body)
	return page.Results
}

// names returns the names of the objects on a page.
func (a answer) names() []string {
	a.t.Helper()
	names := []string{}
	for _, o := range a.results() {
		names = append(names, o["name"].(string))
	}
	return names
}

// newSurvey creates a survey and returns its path.
func (c caller) newSurvey(body string) string {
	c.t.Helper()
	return surveys + c.post(surveys, body).is(http.StatusCreated).object()["id"].(string) + "/"
}

type page struct {
	Count          int
	Next, Previous *string
	Results        []struct{ Name string }
}

func (a answer) page() page {
	a.t.Helper()
	var p page
	require.NoError(a.t, json.Unmarshal([]byte(a.is(http.StatusOK).body), &p))
	return p
}

func link(p *string) string {
	if p == nil {
		return "null"
	}
	return *p
}
