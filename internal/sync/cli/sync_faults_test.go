package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// syncScenario is a sync for which a test counts the requests and then disturbs them one by one.
type syncScenario struct {
	name string
	args []string
	// before is the content of b as a document.
	before string
	// writes is the number of the sync's requests that change data.
	writes int
}

const idPrefix = "0190d6a4-0000-7000-8000-00000000000"

// allVerbs creates, updates, and deletes a survey and an import app.
func allVerbs(s *twoSides) syncScenario {
	s.t.Helper()
	postSurvey(s.t, s.a, fields{"name": "New", "type": "popover", "linked_flag_id": 1, "questions": []fields{{"type": "open", "question": "Why?"}}})
	postSurvey(s.t, s.a, fields{"name": "Changed", "type": "popover", "description": "After", "questions": []fields{{"type": "open", "question": "Why not?"}}})
	postApp(s.t, s.a, fields{"name": "New app", "plugin_type": "source", "capabilities": fields{"scheduled_tasks": []any{"runEveryMinute"}}})
	postApp(s.t, s.a, fields{"name": "Changed app", "plugin_type": "source", "description": "After", "capabilities": fields{"scheduled_tasks": []any{"runEveryMinute"}}})

	postSurvey(s.t, s.b, fields{"name": "Changed", "type": "popover", "start_date": "2025-01-01T00:00:00Z", "questions": []fields{{"type": "open", "question": "Why?"}}})
	postSurvey(s.t, s.b, fields{"name": "Extra", "type": "popover", "linked_flag_id": 11})
	postApp(s.t, s.b, fields{"name": "Changed app", "plugin_type": "source", "capabilities": fields{"scheduled_tasks": []any{"runEveryMinute"}}})
	postApp(s.t, s.b, fields{"name": "Extra app", "plugin_type": "source", "capabilities": fields{"scheduled_tasks": []any{"runEveryMinute"}}})
	return syncScenario{name: "all verbs", args: []string{"sync", "live:a", "live:b", "--allow-delete"}, before: s.b.Dump(), writes: 6}
}

// rotated rotates the names of three surveys, and swaps the names of two more.
func rotated(s *twoSides) syncScenario {
	s.t.Helper()
	names := []string{"One", "Two", "Three", "Left", "Right"}
	after := []string{"Two", "Three", "One", "Right", "Left"}
	var desired []fields
	for i, name := range names {
		id := fmt.Sprint(idPrefix, i+1)
		s.b.CreateSurvey(testserver.Object{"id": id, "name": name, "type": "popover"})
		desired = append(desired, fields{"project_id": 1, "id": id, "name": after[i], "type": "popover"})
	}
	text, err := json.Marshal(fields{"surveys": desired})
	require.NoError(s.t, err)
	path := filepath.Join(s.dir, "rotated.json")
	require.NoError(s.t, os.WriteFile(path, text, 0o600))
	return syncScenario{name: "rotated names", args: []string{"sync", "file:" + path, "live:b", "--match", "id"}, before: s.b.Dump(), writes: 7}
}

// syncFaults returns the server's faults by name.
func syncFaults() map[string]testserver.Fault {
	faults := snapshotFaults()
	faults["edit"] = testserver.Fault{Edit: testserver.Object{"description": "By hand"}}
	faults["empty for null"] = testserver.Fault{EmptyForNull: true}
	return faults
}

// A fault affects each request of a sync in turn, once or permanently. No object is duplicated, the report lists
// unfinished actions, and a run without the fault completes them. The sync ends within 90 seconds, not counting
// pauses that PostHog demands. With SYNC_FAULTS=all, every fault affects every scenario, once and permanently, in
// both profiles. Otherwise, the test omits faults with the same code path, and with -short, it uses only faults whose
// outcome a client cannot know.
func TestSyncUnderFaults(t *testing.T) {
	t.Parallel()
	all := os.Getenv("SYNC_FAULTS") == "all"
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		for _, setUp := range []func(*twoSides) syncScenario{allVerbs, rotated, launched} {
			for name, fault := range syncFaults() {
				s := newTwoSides(t, profile)
				scenario := setUp(s)
				isAmbiguous := slices.Contains([]string{"500", "drop after", "html"}, name)
				isFirst := profile == testserver.Hosted && scenario.name == "all verbs"
				if !all && !isFirst && !isAmbiguous && name != "edit" {
					continue
				}
				if testing.Short() && (!isFirst || !isAmbiguous && name != "404" && name != "edit") {
					continue
				}
				t.Run(fmt.Sprint(profile, "/", scenario.name, "/", name), func(t *testing.T) {
					t.Parallel()
					s.t = t
					s.walk(scenario, name, fault, all || isFirst && (isAmbiguous || name == "404"))
				})
			}
		}
	}
}

// walk applies a fault to each request of a sync in turn.
func (s *twoSides) walk(scenario syncScenario, name string, fault testserver.Fault, lasts bool) {
	s.t.Helper()
	for at := range s.requests(scenario) {
		for _, lasting := range []bool{false, true} {
			if lasting && !lasts {
				continue
			}
			fault.From, fault.To = at+1, at+1
			if lasting {
				fault.To = 0
			}
			s.b.SetFaults(fault)
			code, stdout, stderr := s.run(append(scenario.args, "--yes", "--format", "json")...)
			s.b.SetFaults()
			if name != "throttle" && name != "quota" {
				require.LessOrEqual(s.t, s.waited, 90*time.Second, "request %d, lasting %t: %s", at+1, lasting, stderr)
			}
			s.checkDisturbed(scenario, disturbed{
				what: fmt.Sprintf("request %d, lasting %t", at+1, lasting), edited: name == "edit", code: code, stdout: stdout, stderr: stderr,
			})
		}
	}
}

// disturbed is the result of a sync with a fault or an interrupt.
type disturbed struct {
	what                string
	edited, interrupted bool
	code                int
	stdout, stderr      string
}

// If a sync is interrupted at any request, it finishes that request, starts no other request, and reports the
// finished actions. The next run completes the rest.
func TestSyncInterrupted(t *testing.T) {
	t.Parallel()
	for _, setUp := range []func(*twoSides) syncScenario{allVerbs, rotated, launched} {
		s := newTwoSides(t, testserver.Hosted)
		scenario := setUp(s)
		t.Run(scenario.name, func(t *testing.T) {
			t.Parallel()
			s.t = t
			for at := range s.requests(scenario) {
				what := fmt.Sprintf("request %d", at+1)
				ctx, cancel := context.WithCancelCause(t.Context())
				s.delayed = func() { cancel(errInterrupted) }
				s.b.SetFaults(testserver.Fault{From: at + 1, To: at + 1, DelayMS: 1})
				s.b.ResetJournal()
				code, stdout, stderr := s.runWith(ctx, s.program(), append(scenario.args, "--yes", "--format", "json")...)
				s.b.SetFaults()

				require.Equal(t, codeInterrupted, code, what)
				require.Len(t, s.b.Journal(), at+1, "%s: no other request may start", what)
				require.NotZero(t, s.b.Journal()[at].Status, "%s was finished", what)
				s.checkDisturbed(scenario, disturbed{what: what, interrupted: true, code: code, stdout: stdout, stderr: stderr})
			}
		})
	}
}

// requests returns the number of requests that the sync sends to b. It restores b afterwards.
func (s *twoSides) requests(scenario syncScenario) int {
	s.t.Helper()
	s.b.SetFixtures(scenario.before)
	s.b.ResetJournal()
	code, stdout, stderr := s.run(append(scenario.args, "--yes")...)
	require.Equal(s.t, codeDone, code, "%s\n%s", stdout, stderr)
	require.Len(s.t, s.writes(), scenario.writes)
	n := len(s.b.Journal())
	s.b.SetFixtures(scenario.before)
	s.b.ResetJournal()
	return n
}

// checkDisturbed checks the result of a disturbed sync, runs the sync again without a fault, and restores b.
func (s *twoSides) checkDisturbed(scenario syncScenario, d disturbed) {
	s.t.Helper()
	s.requireUniqueNames(d.what)
	var report syncReport
	if d.stdout == "" {
		require.NotEqual(s.t, codeDone, d.code, d.what)
		require.Equal(s.t, 1, strings.Count("\n"+d.stderr, "\nError: ")+strings.Count(d.stderr, "Interrupted: "), "%s: %s", d.what, d.stderr)
		if !d.edited {
			require.Equal(s.t, objectsIn(s.t, scenario.before), objectsIn(s.t, s.b.Dump()), "%s: every write must be reported", d.what)
		}
	} else {
		report = syncReportOf(s.t, d.stdout)
		require.Equal(s.t, slices.ContainsFunc(report.Actions, isOpen) || d.interrupted, d.code != codeDone, "%s: exit code %d: %s", d.what, d.code, d.stdout)
	}
	for _, action := range report.Actions {
		require.NotEqual(s.t, reconcile.Planned, action.Outcome, d.what)
		require.Equal(s.t, isOpen(action), action.Reason != "", "%s: %s %q: %s", d.what, action.Verb, action.Name, action.Reason)
	}

	code, stdout, stderr := s.run(append(scenario.args, "--yes", "--format", "json")...)
	require.Equal(s.t, codeDone, code, "%s: %s\n%s", d.what, stdout, stderr)
	again := syncReportOf(s.t, stdout)
	if d.stdout != "" && !d.edited {
		s.compareRuns(report, again, d)
	}
	if len(again.Actions) > 0 {
		_, stdout, stderr = s.run(append(scenario.args, "--dry-run", "--format", "json")...)
		require.NotEmpty(s.t, stdout, stderr)
		require.Empty(s.t, syncReportOf(s.t, stdout).Actions, d.what)
	}
	s.requireUniqueNames(d.what)
	s.b.SetFixtures(scenario.before)
}

func isOpen(action reconcile.Action) bool { return action.Outcome != reconcile.Done }

// compareRuns compares a disturbed run with the next run. The next run must not repeat finished actions, and must
// complete only actions that the first run reported as unfinished.
func (s *twoSides) compareRuns(report, again syncReport, d disturbed) {
	s.t.Helper()
	has := func(actions []reconcile.Action, same func(reconcile.Action) bool) bool {
		return slices.ContainsFunc(actions, same)
	}
	for _, action := range report.Actions {
		if isOpen(action) || action.Verb == reconcile.Rename {
			continue
		}
		assert.False(s.t, has(again.Actions, func(other reconcile.Action) bool {
			return other.Kind == action.Kind && other.Name == action.Name
		}), "%s: %s %q was reported as done", d.what, action.Verb, action.Name)
	}
	for _, action := range again.Actions {
		assert.True(s.t, has(report.Actions, func(other reconcile.Action) bool {
			return other.Kind == action.Kind && isOpen(other) && (other.Name == action.Name || other.ID == action.ID)
		}), "%s: %s %q was not reported: %s", d.what, action.Verb, action.Name, d.stdout)
	}
}

func (s *twoSides) requireUniqueNames(what string) {
	s.t.Helper()
	seen := map[string]bool{}
	for _, one := range append(s.b.Server.Surveys("1"), s.b.Server.Apps(s.b.OrganizationID)...) {
		name := fmt.Sprint(one["name"])
		require.False(s.t, seen[name], "%s: two objects named %s", what, name)
		seen[name] = true
	}
}

// objectsIn returns a dump's surveys and import apps.
func objectsIn(t *testing.T, dump string) fields {
	t.Helper()
	var document fields
	require.NoError(t, json.Unmarshal([]byte(dump), &document))
	return fields{"surveys": document["surveys"], "apps": document["pipeline_import_apps"]}
}
