package cli

import (
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// After saves without IDs, all commands report the same questions with the same counts, and print the same commands.
// The printed commands work. The file does not contain IDs.
func TestCommandsAgreeOnDetachedAnswers(t *testing.T) {
	t.Parallel()
	reword := func(text string) func(list []any) []any {
		return func(list []any) []any {
			list[0].(fields)["question"] = text
			return list
		}
	}
	for name, c := range map[string]struct {
		edit func(f *writtenFile)
		// lines is the number of reported questions, and commands is the number of printed commands.
		lines, commands int
		// doctor is the exit code of doctor, for which a draft is a failure.
		doctor int
	}{
		"one save":                      {func(f *writtenFile) { f.save(withoutIDs) }, 2, 1, codeDone},
		"one question of it":            {func(f *writtenFile) { f.save(func(l []any) []any { delete(l[1].(fields), "id"); return l }) }, 1, 1, codeDone},
		"two saves":                     {func(f *writtenFile) { f.save(withoutIDs); f.save(reword("What do you like most?")); f.save(withoutIDs) }, 2, 1, codeDone},
		"two saves, answers in between": {func(f *writtenFile) { f.save(withoutIDs); f.answer("cem"); f.save(withoutIDs) }, 2, 1, codeDone},
		"reset to draft": {func(f *writtenFile) {
			f.edit("status: running", "status: draft")
			f.sync()
			f.save(withoutIDs)
		}, 2, 1, codeError},
		"answers under both IDs": {func(f *writtenFile) { f.save(withoutIDs); f.answer("cem") }, 2, 1, codeDone},
		"reworded in the save": {func(f *writtenFile) {
			f.save(func(l []any) []any { return withoutIDs(reword("What do you dislike?")(l)) })
		}, 2, 2, codeDone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newWrittenFile(t)
			f.write("surveys:\n  - {name: NPS, type: popover, status: running, questions: [{type: open, question: What do you like?}, {type: open, question: What is missing?}]}\n")
			f.sync()
			f.answer("ann", "bob")
			keys := filepath.Join(t.TempDir(), "surveys.ts")
			f.must("keys", "live:a", "--out", keys)
			c.edit(f)

			var lines, commands []string
			for command, code := range map[string]int{
				"diff file:" + f.path + " live:a --kind surveys": codeDifferences, "diff live:a file:" + f.path + " --kind surveys": codeDifferences,
				"sync file:" + f.path + " live:a --dry-run": codeDifferences, "repair --dry-run --env a": codeDifferences,
				"doctor --survey NPS --env a": c.doctor, "history NPS --env a": codeDone, "keys live:a --check " + keys: codeDifferences,
				"export --kind surveys --env a " + t.TempDir():          codeDifferences,
				"export --kind surveys --env a --to yaml --stdout":      codeDifferences,
				"diff live:a file:" + f.path + " --format markdown":     codeDifferences,
				"sync file:" + f.path + " live:a --dry-run --select N*": codeDifferences,
			} {
				exit, stdout, stderr := f.run(strings.Fields(command)...)
				assert.Equal(t, code, exit, "%s\n%s%s", command, stdout, stderr)
				if strings.Contains(command, "markdown") {
					continue
				}
				found, printed := detachedLines(stdout+stderr), printedRepairs(stdout+stderr)
				if lines == nil {
					lines, commands = found, printed
				}
				assert.Equal(t, lines, found, "%s\n%s%s", command, stdout, stderr)
				assert.Equal(t, commands, printed, "%s\n%s%s", command, stdout, stderr)
			}
			require.Len(t, lines, c.lines)
			require.Len(t, commands, c.commands)

			before := f.ids("NPS")
			for i, command := range commands {
				_, stdout, stderr := f.run(strings.Fields(command)[1:]...)
				if i == 0 {
					assert.NotEqual(t, before, f.ids("NPS"), "%s did not change the IDs\n%s%s", command, stdout, stderr)
				}
			}
			_, stdout, _ := f.run("diff", "file:"+f.path, "live:a", "--kind", "surveys")
			assert.NotContains(t, stdout, "detached")
			f.must("repair", "--dry-run", "--env", "a")
		})
	}
}

// A survey is compared with its copy in another project, which has other question IDs. The report contains the detached
// answers that repair lists, whether the survey differs from the copy or not.
func TestComparisonsWithACopyReportDetachedAnswers(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"the same": "What is missing?", "edited": "What is still missing?"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newWrittenFile(t)
			f.b.SetFixtures(`{"surveys": []}`)
			f.write("surveys:\n  - {name: NPS, type: popover, status: running, questions: [{type: open, question: What do you like?}, {type: open, question: What is missing?}]}\n")
			f.sync()
			request(t, f.b, http.MethodPost, "/api/projects/1/surveys/", fields{"name": "Other", "type": "popover"}) // so that the IDs of the surveys differ
			f.must("sync", "live:a", "live:b", "--yes", "--kind", "surveys")
			copied := f.b.Server.Surveys("1")[0]
			require.Equal(t, "NPS", copied["name"])
			request(t, f.b, http.MethodPatch, fmt.Sprint("/api/projects/1/surveys/", copied["id"], "/"), fields{"start_date": f.survey("NPS")["start_date"]})
			saveQuestions(t, f.b, copied, func(list []any) []any { list[1].(fields)["question"] = text; return list })
			snapshot := filepath.Join(t.TempDir(), "b.json")
			f.must("snapshot", snapshot, "--env", "b")
			f.answer("ann", "bob")
			f.save(withoutIDs)

			_, stdout, stderr := f.run("repair", "--dry-run", "--env", "a")
			lines := detachedLines(stdout + stderr)
			require.Len(t, lines, 2, "%s%s", stdout, stderr)
			for _, command := range []string{
				"diff live:b live:a", "sync live:b live:a --dry-run", "diff file:" + snapshot + " live:a", "diff live:a file:" + snapshot, "sync file:" + snapshot + " live:a --yes",
			} {
				exit, stdout, stderr := f.run(append(strings.Fields(command), "--kind", "surveys", "--select", "NPS")...)
				assert.Equal(t, codeDifferences, exit, "%s\n%s%s", command, stdout, stderr)
				assert.Equal(t, lines, detachedLines(stdout+stderr), "%s\n%s%s", command, stdout, stderr)
			}
		})
	}
}

// An exported YAML file syncs without a refusal, no matter which IDs have the answers. sync prints the same advice as
// export.
func TestExportedYAMLSyncsAfterASaveWithoutIDs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit func(f *writtenFile)
		sync int
	}{
		"one save":               {func(f *writtenFile) { f.save(withoutIDs) }, codeDone},
		"answers under both IDs": {func(f *writtenFile) { f.save(withoutIDs); f.answer("cem") }, codeDifferences},
		"reworded in the save": {func(f *writtenFile) {
			f.save(func(list []any) []any {
				list[0].(fields)["question"] = "What do you dislike?"
				return withoutIDs(list)
			})
		}, codeDifferences},
	} {
		for _, flag := range []string{"--force", "--question-ids"} {
			t.Run(name+" "+flag, func(t *testing.T) {
				t.Parallel()
				f := newWrittenFile(t)
				f.write("surveys:\n  - {name: NPS, type: popover, status: running, questions: [{type: open, question: What do you like?}, {type: open, question: What is missing?}]}\n")
				f.sync()
				f.answer("ann", "bob")
				c.edit(f)

				file := filepath.Join(t.TempDir(), "exported.yaml")
				exit, stdout, stderr := f.run("export", "--env", "a", "--to", "yaml", flag, file)
				require.Equal(t, codeDifferences, exit, stdout+stderr)
				exported := stdout + stderr

				_, preview, _ := f.run("sync", "file:"+file, "live:a", "--dry-run")
				assert.Equal(t, detachedLines(exported), detachedLines(preview))
				assert.Equal(t, printedRepairs(exported), printedRepairs(preview))
				assert.Equal(t, strings.Contains(exported, "which reattaches the answers"), strings.Contains(preview, "which reattaches the answers"), "%s\n%s", exported, preview)
				exit, stdout, stderr = f.run("sync", "file:"+file, "live:a", "--yes")
				assert.Equal(t, c.sync, exit, "%s\n%s", stdout, stderr)
			})
		}
	}
}

// If the number of answers under a new ID is unknown, a sync requires --allow-detached-answers. The commands that
// export, diff, and sync print contain this flag.
func TestExportedYAMLWithoutCounts(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	f.write("surveys:\n  - {name: NPS, type: popover, status: running, questions: [{type: open, question: Why?, id: why}]}\n")
	f.sync()
	f.answer("ann")
	f.save(withoutIDs)
	f.a.SetFaults(
		testserver.Fault{Operation: "surveys_activity_retrieve", Status: http.StatusForbidden}, testserver.Fault{Operation: "surveys_stats_retrieve", Status: http.StatusForbidden},
	)

	exit, _, _ := f.run("sync", "file:"+f.path, "live:a", "--yes")
	require.Equal(t, codeRefused, exit)
	for command, code := range map[string]int{
		"diff file:" + f.path + " live:a": codeDifferences, "sync file:" + f.path + " live:a --dry-run": codeRefused,
		"export --env a --to yaml --force " + f.path: codeDifferences,
	} {
		exit, stdout, stderr := f.run(strings.Fields(command)...)
		require.Equal(t, code, exit, stdout+stderr)
		assert.Contains(t, stdout+stderr, "There are or may be answers under both IDs.", command)
		printed := regexp.MustCompile(`(?m)^ *posthog-sync (sync .*)$`).FindStringSubmatch(stdout + stderr)
		require.NotNil(t, printed, "%s\n%s%s", command, stdout, stderr)
		assert.Contains(t, printed[1], " --allow-detached-answers")
	}
	f.must("sync", "file:"+f.path, "live:a", "--yes", "--allow-detached-answers")
	assert.Equal(t, map[string]string{"Why?": "why"}, f.ids("NPS"))
}

// save saves the survey's questions in PostHog after an edit.
func (f *writtenFile) save(edit func([]any) []any) { saveQuestions(f.t, f.a, f.survey("NPS"), edit) }
func (f *writtenFile) answer(who ...string)        { respond(f.t, f.a, f.survey("NPS"), who...) }

var (
	detachedLine   = regexp.MustCompile(`(?m)^ *(questions\[\d+\] .*detached answers.* \(.* under the old ID .*)$`)
	printedCommand = regexp.MustCompile(`(?m)^ *(posthog-sync repair .* --yes)$`)
)

func detachedLines(output string) []string  { return firstGroups(detachedLine, output) }
func printedRepairs(output string) []string { return firstGroups(printedCommand, output) }

func firstGroups(pattern *regexp.Regexp, output string) (found []string) {
	for _, match := range pattern.FindAllStringSubmatch(output, -1) {
		found = append(found, match[1])
	}
	return slices.Compact(slices.Sorted(slices.Values(found)))
}

// If the file contains a question's current ID, the question's answers do not count as detached.
func TestWrittenIDDecidesAboutDetachedAnswers(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	const file = "surveys:\n  - {name: NPS, type: popover, status: running, questions: [{type: open, question: What do you like?}, {type: open, question: What is missing?, id: b}]}\n"
	f.write(file)
	f.sync()
	f.answer("ann")
	f.save(func(list []any) []any {
		delete(list[0].(fields), "id")
		list[0].(fields)["question"] = "What do you dislike?"
		return list
	})
	f.write(strings.Replace(file, "{type: open, question: What do you like?}", "{type: open, question: What do you dislike?, id: "+f.ids("NPS")["What do you dislike?"]+"}", 1))
	f.sync()
}

// Without an activity log, only the IDs in the other source are known, and the printed command uses that source.
func TestDetachedAnswersWithoutALog(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Documented)
	s.a.SetFixtures(`{"surveys": [{"id": "0190d6a4-0000-7000-8000-0000000000aa", "project_id": 1, "name": "NPS", "type": "popover", "start_date": "2026-02-01T00:00:00Z", "questions": [{"id": "a", "type": "open", "question": "Why?"}]}]}`)
	file := filepath.Join(t.TempDir(), "before.json")
	s.must("snapshot", file, "--env", "a")
	for _, survey := range s.a.Server.Surveys("1") {
		saveQuestions(t, s.a, survey, withoutIDs)
	}

	code, stdout, stderr := s.run("diff", "file:"+file, "live:a", "--kind", "surveys")
	require.Equal(t, codeDifferences, code, stderr)
	commands := printedRepairs(stdout)
	require.Len(t, commands, 1, stdout)
	s.must(strings.Fields(strings.ReplaceAll(commands[0], "'", ""))[1:]...)
	s.must("diff", "file:"+file, "live:a", "--kind", "surveys")
}

// If the descriptions of questions with equal texts change, sync pairs these questions by position, which may be
// wrong. sync prints the differences, and an ID in the file decides.
func TestSyncWarnsOfPossiblyOtherQuestions(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	const file = "surveys:\n  - {name: NPS, type: popover, status: running, questions: [{type: open, question: Why?, description: a}, {type: open, question: Why?, description: b}]}\n"
	f.write(file)
	f.sync()
	edited := strings.NewReplacer("description: a", "description: c", "description: b", "description: d").Replace(file)
	f.write(edited)
	dryRun := func(code int) string {
		exit, stdout, stderr := f.run("sync", "file:"+f.path, "live:a", "--dry-run")
		require.Equal(t, code, exit, stderr)
		return stdout
	}
	assert.NotContains(t, dryRun(codeDifferences), "Warning", "a survey without responses must not cause a warning")

	f.answer("ann")
	list, _ := f.survey("NPS")["questions"].([]any)
	id, _ := list[1].(fields)["id"].(string)
	stdout := dryRun(codeDifferences)
	assert.Contains(t, stdout, `Warning: questions[0] may become a different question ("Why?", description "a" -> "c"). It keeps the ID `)
	assert.Contains(t, stdout, `Warning: questions[1] may become a different question ("Why?", description "b" -> "d"). It keeps the ID `+id+",")

	f.write(strings.Replace(edited, "description: d", "description: d, id: "+id, 1))
	assert.NotContains(t, dryRun(codeDifferences), "questions[1] is possibly")
}
