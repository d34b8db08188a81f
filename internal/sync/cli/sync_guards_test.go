package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const answeredID = "0190d6a4-0000-7000-8000-0000000000aa"

// withExtras returns two environments. b has one survey with responses, two surveys without responses, and an import
// app. a has none of these objects.
func withExtras(t *testing.T) *twoSides {
	t.Helper()
	s := newTwoSides(t, testserver.Hosted)
	var document fields
	require.NoError(t, json.Unmarshal([]byte(fixturesOfB), &document))
	document["surveys"] = []fields{
		{"project_id": 1, "id": answeredID, "name": "Answered", "type": "popover", "start_date": "2025-01-01T00:00:00Z"},
		{"project_id": 1, "id": idPrefix + "1", "name": "Unanswered", "type": "popover"},
		{"project_id": 1, "id": idPrefix + "2", "name": "Draft", "type": "popover"},
	}
	document["pipeline_import_apps"] = []fields{{"organization_id": s.b.OrganizationID, "id": 7, "name": "GeoIP", "capabilities": fields{"scheduled_tasks": []any{"runEveryDay"}}}}
	document["responses"] = []fields{{"survey_id": answeredID, "count": 12}}
	text, err := json.Marshal(document)
	require.NoError(t, err)
	s.b.SetFixtures(string(text))
	return s
}

func (s *twoSides) names() (names []string) {
	for _, one := range append(s.b.Server.Surveys("1"), s.b.Server.Apps(s.b.OrganizationID)...) {
		names = append(names, fmt.Sprint(one["name"]))
	}
	return names
}

// reasons maps names to the reasons for refused actions.
func reasons(r syncReport) map[string]string {
	refused := map[string]string{}
	for _, action := range r.Actions {
		if action.Outcome == reconcile.Refused {
			refused[action.Name] = action.Reason
		}
	}
	return refused
}

// sync keeps objects that only b has, unless a flag is set. A guard names the flag that overrides it.
func TestSyncDeletes(t *testing.T) {
	t.Parallel()
	all := []string{"Answered", "Unanswered", "Draft", "GeoIP"}
	for _, c := range []struct {
		name   string
		flags  []string
		fault  testserver.Fault
		code   int
		left   []string
		reason map[string]string
	}{
		{name: "default", left: all},
		{
			name: "allow-delete", flags: []string{"--allow-delete"}, code: codeRefused, left: []string{"Answered"},
			reason: map[string]string{"Answered": "it has 12 responses, which would be lost. To keep them, use --archive. To delete the survey with them, use --allow-delete=with-responses"},
		},
		{name: "with-responses", flags: []string{"--allow-delete=with-responses"}},
		{
			name: "unreadable count", flags: []string{"--allow-delete"}, code: codeRefused, left: []string{"Answered", "Unanswered", "Draft"},
			fault:  testserver.Fault{Operation: "surveys_responses_count_retrieve", Status: http.StatusForbidden},
			reason: map[string]string{"Answered": "--allow-delete=with-responses", "Unanswered": "it may have responses, because they could not be counted", "Draft": "403"},
		},
		{
			name: "count not in the answer", flags: []string{"--allow-delete"}, code: codeRefused, left: []string{"Answered", "Unanswered", "Draft"},
			fault:  testserver.Fault{Operation: "surveys_responses_count_retrieve", Status: http.StatusOK, Body: ""},
			reason: map[string]string{"Answered": "--allow-delete=with-responses", "Unanswered": "PostHog does not return", "Draft": "PostHog does not return"},
		},
		{
			name: "never launched", flags: []string{"--allow-delete"}, code: codeRefused, left: []string{"Answered"},
			reason: map[string]string{"Answered": "it has 12 responses, which would be lost"},
		},
		{
			name: "never launched, no statistics", flags: []string{"--allow-delete"}, code: codeRefused, left: []string{"Answered", "Unanswered", "Draft"},
			fault:  testserver.Fault{Operation: "surveys_stats_retrieve", Status: http.StatusNotFound},
			reason: map[string]string{"Answered": "only if a survey of the project has a start_date", "Unanswered": "--allow-delete=with-responses", "Draft": "could not be counted"},
		},
		{
			name: "max-deletes", flags: []string{"--allow-delete=with-responses", "--max-deletes", "3"}, code: codeRefused, left: all,
			reason: map[string]string{"Answered": "--max-deletes 4", "Unanswered": "4 objects would be deleted", "Draft": "the limit is 3", "GeoIP": "use --max-deletes 4"},
		},
		{name: "archive", flags: []string{"--archive"}, left: all},
		{name: "archive and delete", flags: []string{"--archive", "--allow-delete"}, left: []string{"Answered", "Unanswered", "Draft"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := withExtras(t)
			if strings.HasPrefix(c.name, "never launched") {
				s.b.PatchSurvey(answeredID, testserver.Object{"start_date": nil})
			}
			if c.fault.Operation != "" {
				s.b.SetFaults(c.fault)
			}
			report := s.sync(c.code, append([]string{"--yes"}, c.flags...)...)

			assert.ElementsMatch(t, c.left, s.names())
			found := reasons(report)
			require.Len(t, found, len(c.reason))
			for name, reason := range c.reason {
				assert.Contains(t, found[name], reason)
			}
			for _, one := range s.b.Server.Surveys("1") {
				assert.Equal(t, strings.HasPrefix(c.name, "archive"), one["archived"] == true, one["name"])
			}

			s.b.ResetJournal()
			again := s.sync(c.code, append([]string{"--yes"}, c.flags...)...)
			assert.Equal(t, len(c.reason), len(again.Actions))
			s.requireOnlyReads()
		})
	}
}

// sync reads the number of responses again immediately before it deletes a survey.
func TestSyncDeletesOnlyWhatHasNoResponsesThen(t *testing.T) {
	t.Parallel()
	s := withExtras(t)
	flags := []string{"--yes", "--allow-delete", "--kind", "surveys", "--exclude", "Answered"}

	s.b.SetFaults(testserver.Fault{Operation: "surveys_responses_count_retrieve", From: 2, Status: http.StatusForbidden})
	report := s.sync(codeError, flags...)
	assert.Equal(t, 1, report.count(reconcile.Failed))
	assert.Equal(t, 1, report.count(reconcile.NotRun), "nothing may be deleted after a failure")
	assert.Contains(t, report.Actions[0].Reason, "not deleted, because its responses cannot be counted")
	assert.Len(t, s.names(), 4)

	s.b.SetFaults(testserver.Fault{Operation: "surveys_responses_count_retrieve", From: 2, Status: http.StatusOK, Body: map[string]any{idPrefix + "1": 3}})
	report = s.sync(codeDifferences, flags...)
	assert.Equal(t, 1, report.count(reconcile.Skipped))
	assert.ElementsMatch(t, []string{"Answered", "Unanswered", "GeoIP"}, s.names())
}

// sync skips an object that was changed, deleted, or created after the plan.
func TestSyncSkipsWhatWasChangedSince(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Hosted)
	scenario := allVerbs(s)
	run := func() syncReport {
		t.Helper()
		code, stdout, stderr := s.run(append(scenario.args, "--yes", "--format", "json")...)
		require.Equal(t, codeDifferences, code, stderr)
		return syncReportOf(t, stdout)
	}
	skipped := func(r syncReport, name string) string {
		t.Helper()
		for _, action := range r.Actions {
			if action.Name == name {
				require.Equal(t, reconcile.Skipped, action.Outcome, action.Reason)
				return action.Reason
			}
		}
		t.Fatalf("the plan has no action for %s", name)
		return ""
	}

	s.b.SetFaults(
		testserver.Fault{Operation: "surveys_retrieve", Edit: testserver.Object{"description": "By hand"}},
		testserver.Fault{Operation: "pipeline_import_apps_retrieve", Edit: testserver.Object{"icon": "by-hand.png"}},
	)
	report := run()
	for _, name := range []string{"Changed", "Extra", "Changed app", "Extra app"} {
		assert.Contains(t, skipped(report, name), "it changed after the plan")
	}
	assert.Equal(t, 2, report.count(reconcile.Done), "only the creates must be done")
	assert.ElementsMatch(t, []string{"Changed", "Extra", "Changed app", "Extra app", "New", "New app"}, s.names())

	s.b.SetFixtures(scenario.before)
	s.b.SetFaults(testserver.Fault{Operation: "surveys_create", DelayMS: 1})
	s.delayed = func() {
		s.delayed = func() {}
		s.b.CreateSurvey(testserver.Object{"name": "New", "type": "popover"})
	}
	report = run()
	assert.Contains(t, skipped(report, "New"), "was created after the plan")
	s.requireUniqueNames("created at the same time")
}

// If b does not have a flag, sync fails before it writes anything, and the error contains the flag's key.
func TestSyncFindsFlagsByKey(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Hosted)
	postSurvey(t, s.a, fields{"name": "Plain", "type": "popover"})
	postSurvey(t, s.a, fields{"name": "Linked", "type": "popover", "linked_flag_id": 3})
	postSurvey(t, s.a, fields{"name": "Targeted", "type": "popover", "targeting_flag_id": 2})

	code, stdout, stderr := s.run("sync", "live:a", "live:b", "--yes")
	assert.Equal(t, codeError, code)
	assert.Empty(t, stdout)
	assert.Contains(t, stderr, `live:b does not have the feature flag "a-only", to which survey "Linked" refers. Create the flag there, or map it to another flag with --map-flag a-only=KEY`)
	s.requireOnlyReads()

	code, _, stderr = s.run("sync", "live:a", "live:b", "--yes", "--map-flag", "a-only=nothing")
	assert.Equal(t, codeError, code)
	assert.Contains(t, stderr, `live:b does not have the feature flag "nothing"`)

	s.sync(codeDone, "--yes", "--map-flag", "a-only=b-only")
	flags := map[string]string{}
	for _, one := range s.b.Server.Surveys("1") {
		flags[fmt.Sprint(one["name"])] = fmt.Sprint(one["linked_flag_id"], " ", one["targeting_flag_id"])
	}
	assert.Equal(t, map[string]string{"Plain": "<nil> <nil>", "Linked": "13 <nil>", "Targeted": "<nil> 12"}, flags)

	// PostHog does not list the flags that target a survey.
	again := s.sync(codeDone, "--yes", "--map-flag", "a-only=b-only")
	assert.Equal(t, 3, again.Same)

	// Without the scope, sync knows only the flags that b's surveys use.
	s.b.SetFaults(testserver.Fault{Operation: "feature_flags_list", Status: http.StatusForbidden})
	again = s.sync(codeDone, "--yes", "--map-flag", "a-only=b-only")
	assert.Equal(t, 3, again.Same)
	code, _, stderr = s.run("sync", "live:a", "live:b", "--yes")
	assert.Equal(t, codeError, code)
	assert.Contains(t, stderr, `cannot find out whether live:b has the feature flag "a-only", to which survey "Linked" refers`)
	assert.Contains(t, stderr, "Add the scope feature_flag:read to the key")
	assert.NotContains(t, stderr, "does not have the feature flag")
}

// sync refuses a survey that refers to an action or a cohort by ID, unless the ID is mapped.
func TestSyncMapsActionsAndCohorts(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Hosted)
	postSurvey(t, s.a, fields{
		"name": "Linked", "type": "popover", "conditions": fields{"actions": fields{"values": []any{fields{"id": 4, "name": "signed up"}}}},
		"targeting_flag_filters": fields{"groups": []any{fields{"variant": "", "rollout_percentage": 50, "properties": []any{fields{"key": "id", "type": "cohort", "value": 5}}}}},
	})

	_, stdout, _ := s.run("sync", "live:a", "live:b", "--yes", "--map-action", "signed up=14")
	assert.Contains(t, stdout, "the cohort 5 belongs to another project. To set the cohort in this project, use --map-cohort 5=ID")
	_, stdout, _ = s.run("sync", "live:a", "live:b", "--yes", "--map-cohort", "5=15")
	assert.Contains(t, stdout, `no one action "signed up" is known: name it with --map-action "signed up=ID"`)
	assert.Len(t, s.sync(codeRefused, "--yes").Actions, 1)
	s.requireOnlyReads()

	flags := []string{"--yes", "--map-action", "signed up=14", "--map-cohort", "5=15"}
	s.sync(codeDone, flags...)
	assert.Contains(t, s.b.Dump(), `"value":15`)
	s.b.ResetJournal()
	again := s.sync(codeDone, flags...)
	s.requireOnlyReads()
	assert.Equal(t, 1, again.Same)
	assert.Empty(t, again.Skipped, "a mapped reference must not count as a difference")
}

// PostHog stores the flag that targeting depends on by ID. The ID has no meaning in another project.
func TestSyncRefusesFlagsThatTargetingDependsOn(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Documented)
	postSurvey(t, s.a, fields{
		"name": "First", "type": "popover",
		"targeting_flag_filters": fields{"groups": []any{fields{"variant": "", "rollout_percentage": 50, "properties": []any{fields{"key": "3", "type": "flag", "value": true, "operator": "flag_evaluates_to"}}}}},
	})

	report := s.sync(codeRefused, "--yes")
	assert.Contains(t, report.Actions[0].Reason, "it depends on the feature flag 3 by its number, which means nothing in another project")
	s.requireOnlyReads()
}

// A new survey has no previous values to keep, and sync does not launch a completed survey.
func TestSyncWordsWhatIsNotCopied(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Hosted)
	postSurvey(t, s.a, fields{"name": "Over", "type": "popover", "start_date": "2026-01-01T00:00:00Z", "end_date": "2026-01-02T00:00:00Z"})
	_, stdout, _ := s.run("sync", "live:a", "live:b", "--dry-run")
	assert.Contains(t, stdout, `start_date is not copied: it is "2026-01-01T00:00:00Z" in live:a`)
	_, stdout, _ = s.run("sync", "live:a", "live:b", "--dry-run", "--keep-schedule")
	assert.NotContains(t, stdout, "launch it")
	assert.NotContains(t, stdout, "as a draft")
}

// An unnamed action does not match another unnamed action. It must be mapped by its ID.
func TestSyncLinksNoForeignAction(t *testing.T) {
	t.Parallel()
	linked := func(ids ...int) fields {
		var values []any
		for _, id := range ids {
			values = append(values, fields{"id": id})
		}
		return fields{"actions": fields{"values": values}}
	}
	s := newTwoSides(t, testserver.Documented)
	postSurvey(t, s.a, fields{"name": "Linked", "type": "popover", "conditions": linked(905)})
	postSurvey(t, s.b, fields{"name": "Other", "type": "popover", "conditions": linked(977)})

	code, stdout, _ := s.run("sync", "live:a", "live:b", "--yes")
	assert.Equal(t, codeRefused, code)
	assert.Contains(t, stdout, `--map-action "905=ID"`)
	assert.Len(t, s.b.Server.Surveys("1"), 1)

	code, stdout, stderr := s.run("sync", "live:a", "live:b", "--yes", "--map-action", "905=14")
	require.Equal(t, codeDone, code, stderr)
	assert.NotContains(t, stderr, "Warning")
	assert.NotContains(t, stdout, "stays")
	assert.Contains(t, s.b.Dump(), `"values":[{"id":14}]`)
}

// If two of B's actions have the same name, sync asks the user which action to use.
func TestSyncDoesNotChooseBetweenActionsOfOneName(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Hosted)
	s.b.SetFixtures(`{"actions": [{"id": 14, "project_id": 1, "name": "signed up"}, {"id": 15, "project_id": 1, "name": "signed up"}]}`)
	for _, id := range []int{14, 15} {
		postSurvey(t, s.b, fields{"name": fmt.Sprint("Other ", id), "type": "popover", "conditions": fields{"actions": fields{"values": []any{fields{"id": id}}}}})
	}
	postSurvey(t, s.a, fields{"name": "Linked", "type": "popover", "conditions": fields{"actions": fields{"values": []any{fields{"id": 4}}}}})

	code, stdout, _ := s.run("sync", "live:a", "live:b", "--yes")
	assert.Equal(t, codeRefused, code)
	assert.Contains(t, stdout, `no one action "signed up" is known: name it with --map-action "signed up=ID"`)
	assert.Len(t, s.b.Server.Surveys("1"), 2)
}

// sync does not create an app that PostHog would hide, because no later sync could find the app.
func TestSyncCreatesNoHiddenApp(t *testing.T) {
	t.Parallel()
	s := withExtras(t)
	s.a.CreateApp(testserver.Object{"name": "Works on events", "capabilities": fields{"methods": []any{"onEvent"}}})
	path := filepath.Join(s.dir, "apps.json")
	require.NoError(t, os.WriteFile(path, []byte(s.a.Dump()), 0o600))

	code, stdout, stderr := s.run("sync", "file:"+path, "live:b", "--yes")
	assert.Equal(t, codeRefused, code, stderr)
	assert.Contains(t, stdout, `every sync would create it again. To skip it, use --exclude "Works on events"`)
	s.requireOnlyReads()
}

// sync reports which answers it detaches, and how many.
func TestSyncSaysWhichAnswersItDetaches(t *testing.T) {
	t.Parallel()
	s := withExtras(t)
	questions := []fields{{"type": "open", "question": "Why?"}, {"type": "open", "question": "What else?"}}
	s.b.PatchSurvey(answeredID, testserver.Object{"questions": questions})
	postSurvey(t, s.a, fields{"name": "Answered", "type": "popover", "questions": questions[:1]})

	flags := []string{"sync", "live:a", "live:b", "--kind", "surveys", "--allow-detached-answers"}
	for _, format := range []string{"text", "markdown"} {
		code, stdout, stderr := s.run(append(flags, "--dry-run", "--format", format)...)
		assert.Equal(t, codeDifferences, code, stderr)
		assert.Contains(t, stdout, `detaches the answers to "What else?": the survey has 12 responses`)
	}
	code, stdout, _ := s.run(append(flags, "--rehearse")...)
	assert.Equal(t, codeDifferences, code)
	assert.Contains(t, stdout, `the survey has 12 responses`)

	s.b.SetFaults(testserver.Fault{Operation: "surveys_responses_count_retrieve", Status: http.StatusForbidden})
	_, stdout, _ = s.run(append(flags, "--dry-run")...)
	assert.Contains(t, stdout, `detaches the answers to "What else?": the survey has an unknown number of responses (could not read its number of responses: `)
	s.b.SetFaults()

	s.a.SetFixtures(fixturesOfA)
	_, stdout, _ = s.run(append(flags, "--dry-run", "--allow-delete=with-responses")...)
	assert.Contains(t, stdout, "- delete survey \"Answered\"\n    loses 12 responses\n")
	assert.NotContains(t, stdout, "\n    0 responses")
}

// sync refuses an update that removes a question from a survey with responses, unless a flag allows it. If the survey
// has no responses, sync does not refuse.
func TestSyncRefusesToDetachAnswers(t *testing.T) {
	t.Parallel()
	questions := []fields{{"type": "open", "question": "Why?"}, {"type": "open", "question": "What else?"}}
	for name, c := range map[string]struct {
		survey string
		flags  []string
		fault  testserver.Fault
		code   int
		reason string
		kept   int
	}{
		"answered":          {survey: "Answered", code: codeRefused, reason: "it would detach answers. To allow this, use --allow-detached-answers", kept: 2},
		"answered, allowed": {survey: "Answered", flags: []string{"--allow-detached-answers"}, code: codeDone, kept: 1},
		"unanswered":        {survey: "Unanswered", code: codeDone, kept: 1},
		"unknown": {
			survey: "Unanswered", code: codeRefused, reason: "it may detach answers. To allow this, use --allow-detached-answers", kept: 2,
			fault: testserver.Fault{Operation: "surveys_responses_count_retrieve", Status: http.StatusForbidden},
		},
		"answered since it was planned": {
			survey: "Unanswered", code: codeDifferences, reason: "1 response arrived after the plan; run again", kept: 2,
			fault: testserver.Fault{Operation: "surveys_responses_count_retrieve", From: 2, Status: http.StatusOK, Body: fields{idPrefix + "1": 1}},
		},
		"answered since, allowed": {
			survey: "Unanswered", flags: []string{"--allow-detached-answers"}, code: codeDone, kept: 1,
			fault: testserver.Fault{Operation: "surveys_responses_count_retrieve", From: 2, Status: http.StatusInternalServerError},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := withExtras(t)
			id := map[string]string{"Answered": answeredID, "Unanswered": idPrefix + "1"}[c.survey]
			s.b.PatchSurvey(id, testserver.Object{"questions": questions})
			postSurvey(t, s.a, fields{"name": c.survey, "type": "popover", "questions": questions[:1]})
			if c.fault.Operation != "" {
				s.b.SetFaults(c.fault)
			}

			report := s.sync(c.code, append([]string{"--yes", "--kind", "surveys"}, c.flags...)...)
			require.Len(t, report.Actions, 1)
			assert.Contains(t, report.Actions[0].Reason, c.reason)
			assert.Equal(t, name == "unanswered" || name == "answered since, allowed", strings.Contains(detachedAnswers(report.Actions[0]), "no responses"))
			list, _ := s.b.Server.Survey(id)["questions"].([]any)
			assert.Len(t, list, c.kept)
		})
	}
}

// sync never archives or unarchives a survey or changes its dates: unarchiving a running survey shows it to
// respondents.
func TestSyncNeitherArchivesNorUnarchives(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Hosted)
	const start = "2026-01-01T00:00:00Z"
	postSurvey(t, s.a, fields{"name": "Out", "type": "popover"})
	postSurvey(t, s.a, fields{"name": "In", "type": "popover", "archived": true})
	postSurvey(t, s.a, fields{"name": "Over", "type": "popover", "start_date": start, "end_date": "2026-01-02T00:00:00Z"})
	postSurvey(t, s.b, fields{"name": "Out", "type": "popover", "archived": true, "start_date": start})
	postSurvey(t, s.b, fields{"name": "In", "type": "popover", "start_date": start})

	s.sync(codeDone, "--yes", "--select", "Out", "--select", "In")
	states := map[string]any{}
	for _, survey := range s.b.Server.Surveys("1") {
		states[fmt.Sprint(survey["name"])] = survey["archived"]
	}
	assert.Equal(t, map[string]any{"Out": true, "In": false}, states)

	_, stdout, _ := s.run("sync", "live:a", "live:b", "--dry-run", "--keep-schedule")
	assert.Contains(t, stdout, "archived: true -> false")
	assert.NotContains(t, stdout, "launch it", "the plan must not launch a survey that is a draft in a or has ended")
	postSurvey(t, s.a, fields{"name": "Shown", "type": "popover", "start_date": start})
	postSurvey(t, s.b, fields{"name": "Shown", "type": "popover", "archived": true, "start_date": start})
	_, stdout, _ = s.run("sync", "live:a", "live:b", "--dry-run", "--keep-schedule")
	assert.Contains(t, stdout, `~ update survey "Shown" and launch it`)
}

// A warning lists values of --map-flag, --map-action, and --map-cohort that no survey needs, because they may be
// misspelled.
func TestSyncNamesMapsWithoutEffect(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Hosted)
	postSurvey(t, s.a, fields{"name": "Linked", "type": "popover", "linked_flag_id": 1})

	code, _, stderr := s.run("sync", "live:a", "live:b", "--dry-run", "--map-flag", "betta=gamma", "--map-action", "signed up=14", "--map-cohort", "5=15")
	assert.Equal(t, codeDifferences, code)
	assert.Contains(t, stderr, `Warning: --map-flag betta=gamma has no effect: no synced survey of live:a refers to "betta".`)
	assert.Contains(t, stderr, `Warning: --map-action signed up=14 has no effect`)
	assert.Contains(t, stderr, `Warning: --map-cohort 5=15 has no effect`)

	_, _, stderr = s.run("sync", "live:a", "live:b", "--dry-run", "--map-flag", "beta=gamma")
	assert.NotContains(t, stderr, "Warning")
	for _, wrong := range [][]string{{"--map-action", "signed up=x"}, {"--map-cohort", "5=x"}} {
		code, _, stderr = s.run(append([]string{"sync", "live:a", "live:b", "--dry-run"}, wrong...)...)
		assert.Equal(t, codeError, code)
		assert.Contains(t, stderr, `"x" is not an ID`)
	}
}

// A snapshot of one kind does not affect objects of the other kind, and a misspelled list is an error. Neither causes
// deletions.
func TestSyncOfPartOfASnapshot(t *testing.T) {
	t.Parallel()
	s := withExtras(t)
	deleteAll := []string{"live:b", "--yes", "--allow-delete=with-responses"}
	for kind, left := range map[string][]string{"surveys": {"GeoIP"}, "apps": {"Answered", "Unanswered", "Draft"}} {
		path := filepath.Join(s.dir, kind+".json")
		code, _, stderr := s.run("snapshot", "--env", "a", "--kind", kind, path)
		require.Equal(t, codeDone, code, stderr)
		code, _, stderr = s.run(append([]string{"sync", "file:" + path, "--dry-run", "--format", "json"}, "live:b", "--allow-delete=with-responses")...)
		require.Equal(t, codeDifferences, code, stderr)

		before := s.b.Dump()
		code, _, stderr = s.run(append([]string{"sync", "file:" + path}, deleteAll...)...)
		require.Equal(t, codeDone, code, stderr)
		assert.ElementsMatch(t, left, s.names(), kind)
		s.b.SetFixtures(before)
	}

	path := filepath.Join(s.dir, "misspelt.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"projects": [{"id": 1}], "surveyz": []}`), 0o600))
	s.b.ResetJournal()
	code, _, stderr := s.run(append([]string{"sync", "file:" + path}, deleteAll...)...)
	assert.Equal(t, codeError, code)
	assert.Contains(t, stderr, `not a snapshot: line 1: the key "surveyz" is not supported`)
	s.requireOnlyReads()
}

// On a terminal, sync asks for confirmation and accepts only "yes".
func TestSyncAsks(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]int{"yes\n": codeDone, "y\n": codeDifferences, "": codeDifferences} {
		s := newTwoSides(t, testserver.Hosted)
		postSurvey(t, s.a, fields{"name": "New", "type": "popover"})
		p := s.program()
		p.interactive, p.stdin = true, strings.NewReader(answer)

		code, stdout, stderr := s.runWith(t.Context(), p, "sync", "live:a", "live:b")
		assert.Equal(t, want, code, "%q", answer)
		assert.Contains(t, stderr, "+ create survey \"New\" as a draft\n", "%q", answer)
		assert.Contains(t, stderr, "Carry out 1 action on live:b?", "%q", answer)
		assert.Contains(t, stdout, `+ create survey "New" as a draft`)
		assert.Equal(t, want == codeDone, len(s.names()) == 1, "%q", answer)
	}
}

// sync refuses unsupported sources before it writes anything.
func TestSyncOfWrongSides(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Hosted)
	postSurvey(t, s.a, fields{"name": "A", "type": "popover"})
	postSurvey(t, s.b, fields{"name": "B", "type": "popover"})
	twice := filepath.Join(s.dir, "twice.json")
	require.NoError(t, os.WriteFile(twice, []byte(`{"surveys": [
	  {"project_id": 1, "id": "`+idPrefix+`1", "name": "Same", "type": "popover"}, {"project_id": 1, "id": "`+idPrefix+`2", "name": "Same ", "type": "popover"}]}`), 0o600))
	empty := filepath.Join(s.dir, "empty.json")
	require.NoError(t, os.WriteFile(empty, []byte(`{}`), 0o600))
	s.b.ResetJournal()

	for complaint, args := range map[string][]string{
		"Set the first argument to live:NAME or file": {"tf:.", "live:b"},
		"sync can write only to a live project":       {"live:a", "file:b.json"},
		"--match id requires two sources of the same": {"live:a", "live:b", "--match", "id"},
		"names must be unique":                        {"file:" + twice, "live:b"},
		"nothing to compare with live:b":              {"file:" + empty, "live:b", "--allow-delete"},
		"--max-deletes is -1":                         {"live:a", "live:b", "--max-deletes", "-1"},
		"--map-flag \"beta\": must":                   {"live:a", "live:b", "--map-flag", "beta"},
		"cannot be used together":                     {"live:a", "live:b", "--yes", "--dry-run"},
		"must be one of unanswered, with-respo":       {"live:a", "live:b", "--allow-delete=all"},
	} {
		code, stdout, stderr := s.run(append([]string{"sync"}, args...)...)
		assert.Equal(t, codeError, code, complaint)
		assert.Empty(t, stdout, complaint)
		assert.Contains(t, stderr, complaint)
	}
	s.requireOnlyReads()
}

// A sync back to a snapshot restores the IDs in the snapshot, even if a save without IDs changed a text. If answers
// arrived since then, the user must allow it.
func TestSyncRestoresTheIDsOfASnapshot(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(list []any) []any{
		"ids alone":    withoutIDs,
		"and one text": edits(rewording(1, "Anything else, please?"), withoutIDs),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(testserver.Hosted))
			env.CreateSurvey(testserver.Object{"name": "NPS", "type": "popover", "start_date": "2026-01-01T00:00:00Z", "questions": []any{
				fields{"id": "q1", "type": "open", "question": "How was support?"}, fields{"id": "q2", "type": "open", "question": "Anything else?"},
			}})
			snapshot := filepath.Join(t.TempDir(), "before.json")
			p := pulled{t: t, env: env}
			run := func(want int, args ...string) string {
				code, stdout, stderr := commandLine(t, t.Context(), env.Instance, append(args, "--kind", "surveys")...)
				require.Equal(t, want, code, "%s\n%s", stdout, stderr)
				return stdout
			}
			run(codeDone, "snapshot", snapshot)
			respond(t, env.Instance, p.survey(), "ann", "bob")
			p.edit(edit)
			respond(t, env.Instance, p.survey(), "cem")
			ids := p.ids()

			back := []string{"sync", "file:" + snapshot, "live", "--yes", "--match", "id"}
			refusal := run(codeRefused, back...)
			for _, id := range []string{"q1", "q2"} {
				assert.Contains(t, refusal, "reattaches the answers under the ID "+id+", and detaches those under the ID ")
			}
			assert.Contains(t, refusal, "--allow-detached-answers")
			assert.Equal(t, ids, p.ids())

			run(codeDone, append(back, "--allow-detached-answers")...)
			assert.Equal(t, "q1 q2", p.ids())
			assert.Equal(t, "Anything else?", p.survey()["questions"].([]any)[1].(fields)["question"])
			assert.Contains(t, run(codeDone, back...), "Nothing to do")
		})
	}
}
