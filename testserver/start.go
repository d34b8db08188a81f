package testserver

import (
	"bytes"
	"context"
	"encoding/binary"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/control"
)

// TestingT lists the methods of a test that [Start] needs. *testing.T, *testing.B, and *testing.F
// implement it. It is not testing.TB, because every program that contains a server would then link the
// package testing.
type TestingT interface {
	Helper()
	Name() string
	Context() context.Context
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// Instance is a running server in a test. The methods of [Server] change it directly, without a
// request in the journal. Methods that Instance itself declares end the test if there is an error.
type Instance struct {
	// Server is the underlying server.
	*Server
	// URL is the server's URL, without a trailing slash.
	URL string
	// APIKey is a valid API key, and ProjectID and OrganizationID are the project and organization
	// that it can access. A field is empty if the fixtures contain no such object.
	APIKey, ProjectID, OrganizationID string

	t TestingT
}

// Start runs a server on a free port of the loopback interface until the test ends. Pass at most one
// Options.
//
// Unlike [New], Start stops the clock at 2026-01-02T03:04:05.678901Z by default and uses IDs that
// count up, so that equal requests always get equal responses.
func Start(t TestingT, options ...Options) *Instance {
	t.Helper()
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	if len(options) > 1 {
		t.Fatalf("testserver.Start accepts at most one Options")
	}

	s := must[*Server](t)(New(o.forTests()))
	port := must[*port](t)(openPort(t.Context(), s))

	end := reportUntilEnd(s.world)
	t.Cleanup(func() {
		port.close()
		end()
	})

	i := &Instance{URL: port.url, Server: s, t: t}
	i.APIKey, i.ProjectID, i.OrganizationID = s.Credentials()
	return i
}

// CountingIDs returns a source of IDs for [Options]. The IDs are UUIDs that count up from 1.
func CountingIDs() func() uuid.UUID {
	var n uint32
	return func() uuid.UUID {
		n++
		id := uuid.UUID{0: 0x01, 1: 0x9b, 6: 0x70, 8: 0x80}
		binary.BigEndian.PutUint32(id[12:], n)
		return id
	}
}

// World returns the world of a test on a server that was started with [Options.Worlds]. The world has
// the name of the test, and is dropped when the test ends. Tests that share a server in this way may
// run in parallel.
func (i *Instance) World(t TestingT) *Instance {
	t.Helper()
	name := worldName(t.Name())
	world := must[*Server](t)(i.Server.World(name))
	t.Cleanup(func() { i.Server.DropWorld(name) })

	instance := &Instance{URL: i.URL, Server: world, t: t}
	instance.APIKey, instance.ProjectID, instance.OrganizationID = world.Credentials()
	return instance
}

// must returns a function that returns its value, or ends the test if there is an error.
func must[T any](t TestingT) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		check(t, err)
		return value
	}
}

// check ends the test if there is an error.
func check(t TestingT, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("testserver: %v", err)
	}
}

// SetFaults replaces the fault rules. Without rules, the server behaves normally.
func (i *Instance) SetFaults(rules ...Fault) {
	i.t.Helper()
	check(i.t, i.Server.SetFaults(rules...))
}

// SetFixtures replaces all stored objects with the objects in a fixtures document.
func (i *Instance) SetFixtures(document string) {
	i.t.Helper()
	check(i.t, i.Server.SetFixtures(strings.NewReader(document)))
	i.APIKey, i.ProjectID, i.OrganizationID = i.Server.Credentials()
}

// SetRemoved removes routes. See [Server.SetRemoved].
func (i *Instance) SetRemoved(names ...string) {
	i.t.Helper()
	check(i.t, i.Server.SetRemoved(names...))
}

// Dump returns the whole store as a fixtures document.
func (i *Instance) Dump() string {
	i.t.Helper()
	var b bytes.Buffer
	check(i.t, i.Server.Dump(&b))
	return b.String()
}

// CreateSurvey adds a survey and returns it. The survey needs a name and a type.
func (i *Instance) CreateSurvey(survey Object) Object {
	i.t.Helper()
	return must[Object](i.t)(i.Server.CreateSurvey(survey))
}

// PatchSurvey applies a JSON merge patch to a survey and returns it.
func (i *Instance) PatchSurvey(id string, patch Object) Object {
	i.t.Helper()
	return must[Object](i.t)(i.Server.PatchSurvey(id, patch))
}

// DeleteSurvey deletes a survey.
func (i *Instance) DeleteSurvey(id string) {
	i.t.Helper()
	check(i.t, i.Server.DeleteSurvey(id))
}

// AddResponses adds responses to a survey, each by a different person, at the time of the server's
// clock.
func (i *Instance) AddResponses(surveyID string, count int) {
	i.t.Helper()
	check(i.t, i.Server.AddResponses(surveyID, count))
}

// SurveyPeople returns the persons of the survey's project and whether each is offered the survey. With
// distinctIDs, it returns only the persons with these IDs.
func (i *Instance) SurveyPeople(surveyID string, distinctIDs ...string) []SurveyPerson {
	i.t.Helper()
	return must[[]SurveyPerson](i.t)(i.Server.SurveyPeople(surveyID, distinctIDs...))
}

// Person adds a person and returns it. The person needs distinct_ids. If one of the IDs already
// belongs to a person, Person merges the two.
func (i *Instance) Person(person Object) Object {
	i.t.Helper()
	return must[Object](i.t)(i.Server.Person(person))
}

// WaitEvent waits for an event of a survey that the filter selects, and returns the newest one. If the
// context ends first, it fails the test.
func (i *Instance) WaitEvent(ctx context.Context, f EventFilter) Event {
	i.t.Helper()
	return must[Event](i.t)(i.Server.WaitEvent(ctx, f))
}

// CreateApp adds an import app and returns it. The app needs a name.
func (i *Instance) CreateApp(app Object) Object {
	i.t.Helper()
	return must[Object](i.t)(i.Server.CreateApp(app))
}

// PatchApp applies a JSON merge patch to an import app and returns it.
func (i *Instance) PatchApp(id int64, patch Object) Object {
	i.t.Helper()
	return must[Object](i.t)(i.Server.PatchApp(id, patch))
}

// DeleteApp deletes an import app.
func (i *Instance) DeleteApp(id int64) {
	i.t.Helper()
	check(i.t, i.Server.DeleteApp(id))
}

// CreateFlag adds a feature flag and returns it. The flag needs a key.
func (i *Instance) CreateFlag(flag Object) Object {
	i.t.Helper()
	return must[Object](i.t)(i.Server.CreateFlag(flag))
}

// DeleteFlag deletes a feature flag.
func (i *Instance) DeleteFlag(id int64) {
	i.t.Helper()
	check(i.t, i.Server.DeleteFlag(id))
}

// SetSurveyWaitPeriod sets the wait period of a project, in days.
func (i *Instance) SetSurveyWaitPeriod(projectID string, days int) {
	i.t.Helper()
	check(i.t, i.Server.SetSurveyWaitPeriod(projectID, days))
}

// forTests returns the options with a stopped clock and counting IDs, unless Clock and IDs are set.
func (o Options) forTests() Options {
	if o.Clock == nil {
		o.Clock = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC) }
	}
	if o.IDs == nil {
		o.IDs = CountingIDs()
	}
	return o
}

// port is an HTTP server on a free port of the loopback interface. It replaces net/http/httptest,
// which would otherwise be linked into the programs.
type port struct {
	url  string
	http *http.Server
	// serving is held for reading during each request, so that close can wait for all of them.
	serving sync.RWMutex
}

// openPort starts a server that runs until close is called. Fault delays end when ctx ends.
func openPort(ctx context.Context, s *Server) (*port, error) {
	var loopback net.ListenConfig
	listener, err := loopback.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		if listener, err = loopback.Listen(ctx, "tcp6", "[::1]:0"); err != nil {
			return nil, err
		}
	}

	p := &port{url: "http://" + listener.Addr().String()}
	p.http = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			p.serving.RLock()
			defer p.serving.RUnlock()
			s.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: headerTimeout, BaseContext: control.WithServerContext(ctx),
	}
	go func() { _ = p.http.Serve(listener) }()
	return p, nil
}

// close closes all connections, and waits until the last request has ended.
func (p *port) close() {
	_ = p.http.Close()
	p.serving.Lock()
	defer p.serving.Unlock()
}
