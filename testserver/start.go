package testserver

import (
	"bytes"
	"encoding/binary"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// Instance is a running server in a test. Its methods change the server directly, without a
// request in the journal; an error ends the test.
type Instance struct {
	// URL is the address, without a slash at the end.
	URL string
	// APIKey is a key, ProjectID and OrganizationID are the project and organization that
	// it has access to. They are empty if the fixtures have none.
	APIKey, ProjectID, OrganizationID string
	// Server is the server itself.
	Server *Server

	t testing.TB
}

// Start runs a server on a free port of the loopback interface until the test ends.
// At most one Options may be given.
//
// Unlike [New], Start defaults to a clock that is stopped at 2026-01-02T03:04:05.678901Z
// and ids that count up, so that the same requests always get the same answers.
func Start(t testing.TB, options ...Options) *Instance {
	t.Helper()
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	if len(options) > 1 {
		t.Fatal("testserver.Start takes one Options")
	}

	if o.Clock == nil {
		o.Clock = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC) }
	}
	if o.IDs == nil {
		o.IDs = CountingIDs()
	}

	s, err := New(o)
	if err != nil {
		t.Fatalf("testserver: %v", err)
	}

	listener := httptest.NewUnstartedServer(s)
	listener.Config.BaseContext = withServerContext(t.Context())
	listener.Start()
	end := reportUntilEnd(s)
	t.Cleanup(func() {
		listener.CloseClientConnections()
		listener.Close()
		end()
	})

	i := &Instance{URL: listener.URL, Server: s, t: t}
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
func (i *Instance) World(t testing.TB) *Instance {
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

func (i *Instance) must(err error) {
	i.t.Helper()
	if err != nil {
		i.t.Fatalf("testserver: %v", err)
	}
}

// Journal returns the requests to the API so far, newest last.
func (i *Instance) Journal() []Request { return i.Server.Journal() }

// ResetJournal empties the journal.
func (i *Instance) ResetJournal() { i.Server.ResetJournal() }

// SetFaults replaces the fault rules; without any the server behaves normally.
func (i *Instance) SetFaults(rules ...Fault) {
	i.t.Helper()
	i.must(i.Server.SetFaults(rules...))
}

// SetFixtures replaces the store by that of a fixtures document.
func (i *Instance) SetFixtures(document string) {
	i.t.Helper()
	i.must(i.Server.SetFixtures(strings.NewReader(document)))
	i.APIKey, i.ProjectID, i.OrganizationID = i.Server.Credentials()
}

// Dump returns the whole store as a fixtures document.
func (i *Instance) Dump() string {
	i.t.Helper()
	var b bytes.Buffer
	i.must(i.Server.Dump(&b))
	return b.String()
}

// RunJobs runs the periodic jobs of the service once.
func (i *Instance) RunJobs() { i.Server.RunJobs() }

// Reset restores the initial store.
func (i *Instance) Reset() { i.Server.Reset() }

// SetClock stops the server's clock at a time.
func (i *Instance) SetClock(t time.Time) { i.Server.SetClock(t) }

// Surveys returns the surveys of a project as they are stored, newest first.
func (i *Instance) Surveys(projectID string) []Object { return i.Server.Surveys(projectID) }

// Survey returns a survey as it is stored; nil if it does not exist.
func (i *Instance) Survey(id string) Object { return i.Server.Survey(id) }

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
	i.must(i.Server.DeleteSurvey(id))
}

// Apps returns the import apps of an organization as they are stored, newest first.
func (i *Instance) Apps(organizationID string) []Object { return i.Server.Apps(organizationID) }

// App returns an import app as it is stored; nil if it does not exist.
func (i *Instance) App(id int64) Object { return i.Server.App(id) }

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
	i.must(i.Server.DeleteApp(id))
}

// CreateFlag adds a feature flag, at least its key, and returns it.
func (i *Instance) CreateFlag(flag Object) Object {
	i.t.Helper()
	return i.object(i.Server.CreateFlag(flag))
}

// DeleteFlag deletes a feature flag.
func (i *Instance) DeleteFlag(id int64) {
	i.t.Helper()
	i.must(i.Server.DeleteFlag(id))
}

// SetSurveyWaitPeriod sets the wait period of a project in days.
func (i *Instance) SetSurveyWaitPeriod(projectID string, days int) {
	i.t.Helper()
	i.must(i.Server.SetSurveyWaitPeriod(projectID, days))
}

func (i *Instance) object(o Object, err error) Object {
	i.t.Helper()
	i.must(err)
	return o
}
