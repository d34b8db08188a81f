package testserver

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// TestingT are the methods of a test that [Start] needs: *testing.T, *testing.B and *testing.F have it.
// With testing.TB itself, every program that has a server would link the package testing.
type TestingT interface {
	Helper()
	Name() string
	Context() context.Context
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// Instance is a running server in a test. The methods of [Server] change it directly, without
// a request in the journal. Those that Instance itself has end the test on an error.
type Instance struct {
	// Server is the server itself.
	*Server
	// URL is the address, without a slash at the end.
	URL string
	// APIKey is a key, ProjectID and OrganizationID are the project and organization that
	// it has access to. They are empty if the fixtures have none.
	APIKey, ProjectID, OrganizationID string

	t TestingT
}

// Start runs a server on a free port of the loopback interface until the test ends.
// At most one Options may be given.
//
// Unlike [New], Start defaults to a clock that is stopped at 2026-01-02T03:04:05.678901Z
// and ids that count up, so that the same requests always get the same responses.
func Start(t TestingT, options ...Options) *Instance {
	t.Helper()
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	if len(options) > 1 {
		t.Fatalf("testserver.Start takes one Options")
	}

	s, err := New(o.forTests())
	if err != nil {
		t.Fatalf("testserver: %v", err)
	}
	port, err := openPort(t.Context(), s)
	if err != nil {
		t.Fatalf("testserver: %v", err)
	}

	end := reportUntilEnd(s)
	t.Cleanup(func() {
		port.close()
		end()
	})

	i := &Instance{URL: port.url, Server: s, t: t}
	i.APIKey, i.ProjectID, i.OrganizationID = s.Credentials()
	return i
}

// CountingIDs returns a source of ids for [Options] that counts up from 1, in the
// form of UUIDs.
func CountingIDs() func() uuid.UUID {
	var n uint32
	return func() uuid.UUID {
		n++
		id := uuid.UUID{0: 0x01, 1: 0x9b, 6: 0x70, 8: 0x80}
		binary.BigEndian.PutUint32(id[12:], n)
		return id
	}
}

// World returns the world of a test on a server that was started with [Options.Worlds]: it
// is named after the test, and dropped when the test ends. Tests that share a server in
// this way may run in parallel.
func (i *Instance) World(t TestingT) *Instance {
	t.Helper()
	name := worldNameOf(t.Name())
	world, err := i.Server.World(name)
	if err != nil {
		t.Fatalf("testserver: %v", err)
	}
	t.Cleanup(func() { i.Server.DropWorld(name) })

	own := &Instance{URL: i.URL, Server: world, t: t}
	own.APIKey, own.ProjectID, own.OrganizationID = world.Credentials()
	return own
}

// must ends a test on an error.
func must(t TestingT, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("testserver: %v", err)
	}
}

// object ends the test on an error.
func (i *Instance) object(o Object, err error) Object {
	i.t.Helper()
	must(i.t, err)
	return o
}

// SetFaults replaces the fault rules; without any the server behaves normally.
func (i *Instance) SetFaults(rules ...Fault) {
	i.t.Helper()
	must(i.t, i.Server.SetFaults(rules...))
}

// SetFixtures replaces the store by that of a fixtures document.
func (i *Instance) SetFixtures(document string) {
	i.t.Helper()
	must(i.t, i.Server.SetFixtures(strings.NewReader(document)))
	i.APIKey, i.ProjectID, i.OrganizationID = i.Server.Credentials()
}

// SetRemoved is [Server.SetRemoved], whose error fails the test.
func (i *Instance) SetRemoved(names ...string) {
	i.t.Helper()
	must(i.t, i.Server.SetRemoved(names...))
}

// Dump returns the whole store as a fixtures document.
func (i *Instance) Dump() string {
	i.t.Helper()
	var b bytes.Buffer
	must(i.t, i.Server.Dump(&b))
	return b.String()
}

// CreateSurvey adds a survey, at least its name and type, and returns it.
func (i *Instance) CreateSurvey(survey Object) Object {
	i.t.Helper()
	return i.object(i.Server.CreateSurvey(survey))
}

// PatchSurvey applies a JSON merge patch to a survey and returns it.
func (i *Instance) PatchSurvey(id string, patch Object) Object {
	i.t.Helper()
	return i.object(i.Server.PatchSurvey(id, patch))
}

// DeleteSurvey deletes a survey.
func (i *Instance) DeleteSurvey(id string) {
	i.t.Helper()
	must(i.t, i.Server.DeleteSurvey(id))
}

// AddResponses adds responses of people to a survey, sent at the time of the server's clock.
func (i *Instance) AddResponses(surveyID string, count int) {
	i.t.Helper()
	must(i.t, i.Server.AddResponses(surveyID, count))
}

// SurveyPeople returns the persons of the survey's project, or those with some distinct ids, and
// whether the survey is offered to each.
func (i *Instance) SurveyPeople(surveyID string, distinctIDs ...string) []SurveyPerson {
	i.t.Helper()
	people, err := i.Server.SurveyPeople(surveyID, distinctIDs...)
	must(i.t, err)
	return people
}

// Person adds a person, at least its distinct_ids, or merges what is known of those, and returns
// it.
func (i *Instance) Person(person Object) Object {
	i.t.Helper()
	return i.object(i.Server.Person(person))
}

// WaitEvent waits until there is an event of a survey that the filter selects, and returns the
// newest. When the context ends before that, it ends the test.
func (i *Instance) WaitEvent(ctx context.Context, f EventFilter) Event {
	i.t.Helper()
	event, err := i.Server.WaitEvent(ctx, f)
	must(i.t, err)
	return event
}

// CreateApp adds an import app, at least its name, and returns it.
func (i *Instance) CreateApp(app Object) Object {
	i.t.Helper()
	return i.object(i.Server.CreateApp(app))
}

// PatchApp applies a JSON merge patch to an import app and returns it.
func (i *Instance) PatchApp(id int64, patch Object) Object {
	i.t.Helper()
	return i.object(i.Server.PatchApp(id, patch))
}

// DeleteApp deletes an import app.
func (i *Instance) DeleteApp(id int64) {
	i.t.Helper()
	must(i.t, i.Server.DeleteApp(id))
}

// CreateFlag adds a feature flag, at least its key, and returns it.
func (i *Instance) CreateFlag(flag Object) Object {
	i.t.Helper()
	return i.object(i.Server.CreateFlag(flag))
}

// DeleteFlag deletes a feature flag.
func (i *Instance) DeleteFlag(id int64) {
	i.t.Helper()
	must(i.t, i.Server.DeleteFlag(id))
}

// SetSurveyWaitPeriod sets the wait period of a project in days.
func (i *Instance) SetSurveyWaitPeriod(projectID string, days int) {
	i.t.Helper()
	must(i.t, i.Server.SetSurveyWaitPeriod(projectID, days))
}

// TestingM is what [Run] needs of a *testing.M.
type TestingM interface{ Run() int }

// packageServer is the server of [Run], whose worlds [WorldOf] hands out.
var packageServer struct {
	mu       sync.Mutex
	instance *Instance
}

// Run runs the tests of a package with one server for all of them, prints the report of the
// run, and returns the exit code for os.Exit:
//
//	func TestMain(m *testing.M) { os.Exit(testserver.Run(m, testserver.Options{})) }
//
// Each test has a world of its own on that server, by [WorldOf], so that tests may run in
// parallel. The code is that of the tests; it is 1 for a run whose tests passed and whose
// writes have cut off answers.
func Run(m TestingM, options Options) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	end, err := startForPackage(ctx, options)
	if err != nil {
		fmt.Fprintf(os.Stderr, "testserver: %v\n", err)
		return 1
	}
	defer end()

	code := m.Run()
	report := Report()
	fmt.Print(report)
	if code == 0 && len(report.CutAnswers) > 0 {
		return 1
	}
	return code
}

// startForPackage starts the server of the package, until the returned function is called.
func startForPackage(ctx context.Context, options Options) (end func(), err error) {
	packageServer.mu.Lock()
	defer packageServer.mu.Unlock()
	if packageServer.instance != nil {
		return nil, fmt.Errorf("Run serves %s already: it is for TestMain, once", packageServer.instance.URL)
	}

	options.Worlds = true
	s, err := New(options.forTests())
	if err != nil {
		return nil, err
	}
	port, err := openPort(ctx, s)
	if err != nil {
		return nil, err
	}
	reported := reportUntilEnd(s)
	packageServer.instance = &Instance{URL: port.url, Server: s}
	return func() {
		packageServer.mu.Lock()
		defer packageServer.mu.Unlock()
		packageServer.instance = nil
		port.close()
		reported()
	}, nil
}

// WorldOf returns the world of a test on the server of its package, which [Run] has started: it
// is named after the test, and dropped when the test ends.
func WorldOf(t TestingT) *Instance {
	t.Helper()
	packageServer.mu.Lock()
	instance := packageServer.instance
	packageServer.mu.Unlock()
	if instance == nil {
		t.Fatalf("testserver: WorldOf needs the server of the package: call testserver.Run in TestMain")
		return nil
	}
	return instance.World(t)
}

// forTests are the options with a clock that is stopped and ids that count up, unless they
// have their own.
func (o Options) forTests() Options {
	if o.Clock == nil {
		o.Clock = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC) }
	}
	if o.IDs == nil {
		o.IDs = CountingIDs()
	}
	return o
}

// port is a server on a free port of the loopback interface. It is what a test would have of
// net/http/httptest, which the programs shall not link.
type port struct {
	url  string
	http *http.Server

	mu     sync.Mutex
	closed bool
	// open are the connections; served waits for their end.
	open   map[net.Conn]bool
	served sync.WaitGroup
}

// openPort serves until the port is closed. The end of the context ends the delays of faults.
func openPort(ctx context.Context, s *Server) (*port, error) {
	var loopback net.ListenConfig
	listener, err := loopback.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		if listener, err = loopback.Listen(ctx, "tcp6", "[::1]:0"); err != nil {
			return nil, err
		}
	}

	p := &port{url: "http://" + listener.Addr().String(), open: map[net.Conn]bool{}}
	p.http = &http.Server{Handler: s, ReadHeaderTimeout: headerTimeout, BaseContext: withServerContext(ctx), ConnState: p.note}
	p.served.Go(func() { _ = p.http.Serve(listener) })
	return p, nil
}

// note counts the connections that are served.
func (p *port) note(c net.Conn, state http.ConnState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case state == http.StateNew && p.closed:
		// It was accepted while the port was being closed.
		_ = c.Close()
	case state == http.StateNew:
		p.open[c] = true
		p.served.Add(1)
	case p.open[c] && (state == http.StateClosed || state == http.StateHijacked):
		delete(p.open, c)
		p.served.Done()
	}
}

// close cuts all connections, and waits until no request is served any more.
func (p *port) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()

	_ = p.http.Close()
	p.served.Wait()
}
