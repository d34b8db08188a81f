package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// twoSides is two servers, which are the environments a and b in posthog-sync.yaml.
type twoSides struct {
	t    *testing.T
	a, b *testserver.Instance
	dir  string
	// delayed is called when a fault delays a request to b. The run does not wait.
	delayed func()
	// waited is the total wait of the last run.
	waited time.Duration
}

// Fixtures of the two servers. Flags and actions with the same key or name have different IDs.
const (
	fixturesOfA = `{"feature_flags": [{"id": 1, "project_id": 1, "key": "beta"}, {"id": 2, "project_id": 1, "key": "gamma"}, {"id": 3, "project_id": 1, "key": "a-only"}],
	  "actions": [{"id": 4, "project_id": 1, "name": "signed up"}], "cohorts": [{"id": 5, "project_id": 1}], "surveys": [], "pipeline_import_apps": []}`
	fixturesOfB = `{"feature_flags": [{"id": 12, "project_id": 1, "key": "gamma"}, {"id": 11, "project_id": 1, "key": "beta"}, {"id": 13, "project_id": 1, "key": "b-only"}],
	  "actions": [{"id": 1, "project_id": 1, "name": "left"}, {"id": 14, "project_id": 1, "name": "signed up"}], "cohorts": [{"id": 15, "project_id": 1}], "surveys": [], "pipeline_import_apps": []}`
)

func newTwoSides(t *testing.T, profile testserver.Profile) *twoSides {
	t.Helper()
	s := &twoSides{t: t, dir: t.TempDir()}
	s.a = testserver.Start(t, testserver.Options{Profile: profile, Fixtures: strings.NewReader(fixturesOfA)})
	s.b = testserver.Start(t, testserver.Options{
		Profile: profile, Fixtures: strings.NewReader(fixturesOfB), Sleep: func(context.Context, time.Duration) { s.delayed() },
	})

	environments := "default: a\nenvironments:\n"
	for name, srv := range map[string]*testserver.Instance{"a": s.a, "b": s.b} {
		environments += fmt.Sprintf("  %s: { base_url: %q, project_id: %q, organization_id: %q, api_key_variable: KEY }\n", name, srv.URL, srv.ProjectID, srv.OrganizationID)
	}
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "posthog-sync.yaml"), []byte(environments), 0o600))
	return s
}

// program returns a program whose environments are the two servers.
func (s *twoSides) program() *program {
	p := testProgram(s.t, s.b)
	p.getenv = func(name string) string { return map[string]string{"KEY": s.b.APIKey}[name] }
	p.getwd = func() (string, error) { return s.dir, nil }
	p.progress = nil // set when the run starts
	return p
}

// run runs a command line, and returns its exit code and output.
func (s *twoSides) run(args ...string) (code int, stdout, stderr string) {
	s.t.Helper()
	return s.runWith(s.t.Context(), s.program(), args...)
}

func (s *twoSides) runWith(ctx context.Context, p *program, args ...string) (code int, stdout, stderr string) {
	s.t.Helper()
	clock := newRunClock()
	started := clock.Now()
	defer func() { s.waited = clock.Now().Sub(started) }()
	return runProgramOn(s.t, ctx, p, s.b, clock, args...)
}

// sync syncs a to b and returns the report.
func (s *twoSides) sync(want int, flags ...string) syncReport {
	s.t.Helper()
	code, stdout, stderr := s.run(append([]string{"sync", "live:a", "live:b", "--format", "json"}, flags...)...)
	require.Equal(s.t, want, code, "%s\n%s", stdout, stderr)
	return syncReportOf(s.t, stdout)
}

func syncReportOf(t *testing.T, text string) syncReport {
	t.Helper()
	var report syncReport
	require.NoError(t, json.Unmarshal([]byte(text), &report), text)
	return report
}

// diff returns the differences between a and b.
func (s *twoSides) diff() diffReport {
	s.t.Helper()
	code, stdout, stderr := s.run("diff", "live:a", "live:b", "--fail-on", "none", "--format", "json")
	require.Equal(s.t, codeDone, code, stderr)
	var report diffReport
	require.NoError(s.t, json.Unmarshal([]byte(stdout), &report))
	return report
}

// requireOnlyReads fails if a request changed b since its journal was reset.
func (s *twoSides) requireOnlyReads() {
	s.t.Helper()
	for _, one := range s.b.Journal() {
		require.Equal(s.t, http.MethodGet, one.Method, one.Operation)
	}
}

// writes returns the operations of the requests that changed b.
func (s *twoSides) writes() []string {
	var operations []string
	for _, one := range s.b.Journal() {
		if one.Method != http.MethodGet {
			operations = append(operations, one.Operation)
		}
	}
	return operations
}

// post creates an object as a client would. The server also creates all dependent objects.
func post(t *testing.T, srv *testserver.Instance, path string, body any) map[string]any {
	t.Helper()
	text, err := json.Marshal(body)
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+path, strings.NewReader(string(text)))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+srv.APIKey)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	var answer map[string]any
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&answer))
	require.Equal(t, http.StatusCreated, resp.StatusCode, "%s: %v", text, answer)
	return answer
}

func postSurvey(t *testing.T, srv *testserver.Instance, body map[string]any) map[string]any {
	t.Helper()
	return post(t, srv, "/api/projects/1/surveys/", body)
}

func postApp(t *testing.T, srv *testserver.Instance, body map[string]any) map[string]any {
	t.Helper()
	return post(t, srv, "/api/organizations/"+srv.OrganizationID+"/pipeline_import_apps/", body)
}

// Launch dates in two projects are not a difference if the surveys have the same status, unless --fail-on contains
// dates.
func TestDatesOfTwoProjects(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Hosted)
	survey := func(dates string) string {
		return `{"surveys": [{"project_id": 1, "id": "0190d6a4-0000-7000-8000-0000000000aa", "name": "NPS", "type": "popover", "questions": [{"type": "open", "question": "Why?"}]` + dates + `}]}`
	}
	s.a.SetFixtures(survey(`, "start_date": "2026-01-01T00:00:00Z"`))
	s.b.SetFixtures(survey(`, "start_date": "2026-02-01T00:00:00Z"`))
	s.must("diff", "live:a", "live:b", "--kind", "surveys")
	code, stdout, _ := s.run("diff", "live:a", "live:b", "--kind", "surveys", "--fail-on", "dates")
	assert.Equal(t, codeDifferences, code)
	assert.Contains(t, stdout, "start_date: ")

	s.b.SetFixtures(survey(`, "start_date": "2026-02-01T00:00:00Z", "end_date": "2026-03-01T00:00:00Z"`))
	code, stdout, _ = s.run("diff", "live:a", "live:b", "--kind", "surveys")
	assert.Equal(t, codeDifferences, code, "a running survey must differ from one that has ended")
	assert.Contains(t, stdout, "end_date: ")
}
