package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Teammates edit a survey in PostHog and in the configuration, and run pull, plan, apply, and repair. In any order,
// answers never move to another question, and stay attached while their question exists. If only one source was
// edited, pull resolves all differences. The last plan is empty.
func TestAccAnswersStay(t *testing.T) {
	t.Parallel()
	hosted, all := []testserver.Profile{testserver.Hosted}, acctest.Profiles()

	for _, c := range []struct {
		name     string
		profiles []testserver.Profile
		asked    []string
		play     func(s answered)
	}{
		{"a repair of a cut that an apply had adopted", all, []string{"A", "B"}, func(s answered) { s.repairAdopted() }},
		{"a repair of it that writes the ids", all, []string{"A", "B"}, func(s answered) { s.repairAdopted("--write-ids", s.cli.Dir) }},
		{"a save that cuts all answers and rewords one", all, []string{"Why us?", "What next?", "C"}, answered.cutAndReworded},
		{"a question cut twice", hosted, []string{"How was our support?", "B"}, answered.cutTwice},
		{"the printed command, of two questions with one text", hosted, []string{"A", "A", "C"}, answered.printedCommand},
		{"pulled, deleted in the web interface, replaced", all, []string{"A", "B"}, answered.pulledAndReplaced},
		{"pulled, deleted in the web interface, reworded, less code", all, []string{"A", "B"}, answered.pulledAndLessCode},
		{"moved after a pull", all, []string{"A", "B", "C", "D"}, answered.movedAfterPull},
		{"added before and after a refresh", all, []string{"A", "B", "C"}, answered.addedAroundRefresh},
		{"edited after an import and a saved plan", all, []string{"A", "B", "C", "D"}, answered.editedAfterImport},
		{"two new questions in like words", all, []string{"A"}, answered.twoNew},
		{"taken back in the web interface, never applied", all, []string{"A", "B", "C"}, answered.takenBack},
		{"texts swapped, one of them reworded in code", all, []string{"How was support?", "Anything else?"}, answered.swapped},
	} {
		for _, profile := range c.profiles {
			t.Run(fmt.Sprint(c.name, " ", profile), func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile))
				s := answered{pulled{t, env, env.CLI(t)}, profile}
				s.ask(c.asked...)
				s.apply()
				env.AddResponses(s.survey()["id"].(string), 12)
				c.play(s)
			})
		}
	}
}

// answered is a running survey with answers, on a server and in a configuration.
type answered struct {
	pulled
	profile testserver.Profile
}

// ask writes the survey's configuration.
func (s answered) ask(texts ...string) {
	s.t.Helper()
	var questions strings.Builder
	for _, text := range texts {
		fmt.Fprintf(&questions, "    { type = \"open\", question = %q },\n", text)
	}
	s.cli.Write("main.tf", `terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}

resource "posthog_survey" "s" {
  name        = "NPS"
  type        = "popover"
  description = "Ours"
  status      = "running"
  questions = [
`+questions.String()+`  ]
}
`)
}

func (s answered) code() string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.cli.Dir, "main.tf"))
	require.NoError(s.t, err)
	return string(text)
}

// reword edits the configuration.
func (s answered) reword(from, to string) {
	s.t.Helper()
	code := s.code()
	require.Equal(s.t, 1, strings.Count(code, from), code)
	s.cli.Write("main.tf", strings.Replace(code, from, to, 1))
}

func (s answered) ids() []string {
	s.t.Helper()
	var ids []string
	for _, question := range s.survey()["questions"].([]any) {
		id, _ := question.(fields)["id"].(string)
		ids = append(ids, id)
	}
	return ids
}

// run runs a posthog-sync command.
func (s answered) run(args ...string) (exit int, output string) {
	s.t.Helper()
	exit, stdout, stderr := commandLine(s.t, s.t.Context(), s.env.Instance, append(args, "--terraform", s.cli.Path())...)
	return exit, stdout + stderr
}

// stays asserts that the plan is empty before and after an apply, and that the questions have the given IDs.
func (s answered) stays(ids ...string) {
	s.t.Helper()
	for range 2 {
		output, planned := s.cli.Exit("plan", "-detailed-exitcode", "-no-color", "-input=false")
		assert.Zero(s.t, planned, output)
		assert.NotContains(s.t, output, "detached")
		assert.Equal(s.t, ids, s.ids())
		s.apply()
	}
}

// move reorders questions in PostHog.
func move(places ...int) func(list []any) []any {
	return func(list []any) []any {
		moved := make([]any, len(places))
		for i, place := range places {
			moved[i] = list[place]
		}
		return moved
	}
}

// adding adds a question with an ID, as PostHog's interface does.
func adding(text string) func(list []any) []any {
	return func(list []any) []any {
		return append(list, fields{"id": "id of " + text, "type": "open", "question": text})
	}
}

// withNewIDs returns questions with the IDs that PostHog assigns after a save without IDs.
func withNewIDs(list []any) []any {
	for i, question := range list {
		question.(fields)["id"] = fmt.Sprint("new", i)
	}
	return list
}

func edits(all ...func(list []any) []any) func(list []any) []any {
	return func(list []any) []any {
		for _, one := range all {
			list = one(list)
		}
		return list
	}
}

func (s answered) repairAdopted(flags ...string) {
	ids := s.ids()
	snapshot := filepath.Join(s.t.TempDir(), "before.json")
	exit, output := s.run("snapshot", snapshot, "--kind", "surveys")
	require.Zero(s.t, exit, output)
	s.edit(withNewIDs)
	s.cli.Run("state", "rm", "posthog_survey.s")
	s.cli.Run("import", "-input=false", "posthog_survey.s", "1/"+s.survey()["id"].(string))
	s.apply()
	cut := s.ids()

	args := append([]string{"repair", "NPS", "--yes", "--state", s.cli.Dir}, flags...)
	if s.profile == testserver.Documented {
		args = append(args, "--snapshot", snapshot, "--question", cut[0]+"="+ids[0], "--question", cut[1]+"="+ids[1])
	}
	exit, output = s.run(args...)
	if s.profile == testserver.Documented && len(flags) == 0 {
		assert.Equal(s.t, codeRefused, exit, output)
		assert.Contains(s.t, output, "--write-ids")
		s.stays(cut...)
		return
	}
	require.Zero(s.t, exit, output)
	if s.profile == testserver.Hosted {
		assert.Equal(s.t, ids, cut, "the import must find the old IDs in the activity log, and the apply must restore them")
		assert.Contains(s.t, output, "Nothing to repair")
	}
	for _, id := range ids {
		assert.Equal(s.t, len(flags) > 0, strings.Contains(s.code(), id), s.code())
	}
	if s.profile == testserver.Documented { // only an activity log shows that somebody restored the IDs
		plan, planned := s.cli.Exit("plan", "-detailed-exitcode", "-no-color", "-input=false")
		assert.Zero(s.t, planned, plan)
		assert.Contains(s.t, strings.Join(strings.Fields(plan), " "), "If you did not restore these IDs, for example with posthog-sync repair, run:")
		s.apply()
		assert.Equal(s.t, ids, s.ids())
		return
	}
	s.stays(ids...)
}

func (s answered) cutAndReworded() {
	ids := s.ids()
	s.edit(edits(rewording(1, "What next, please?"), withNewIDs))
	ids[1] = "new1" // a similar text after a save without IDs proves nothing
	exit, output := s.run("pull", s.cli.Dir)
	assert.Equal(s.t, codeDifferences, exit, output)
	assert.Equal(s.t, len(ids), strings.Count(output, "detached answers"), output)
	assert.Contains(s.t, s.code(), "What next, please?")

	plan := s.cli.Run("plan", "-no-color", "-input=false", "-out=p.tfplan")
	assert.Equal(s.t, len(ids), strings.Count(plan, "detached answers"), plan)
	exit, output = s.run("review", filepath.Join(s.cli.Dir, "p.tfplan"))
	assert.Zero(s.t, exit, output)
	assert.Equal(s.t, len(ids)-1, strings.Count(output, "detached by a save without IDs, reattached"), output)
	assert.Contains(s.t, output, "possibly detached answers", "review must report the same answers as the plan")
	s.apply()
	s.stays(ids...)
}

func (s answered) cutTwice() {
	ids := s.ids()
	s.later(1)
	s.edit(edits(rewording(0, "How was our support today?"), withoutIDs))
	s.later(2)
	s.edit(withoutIDs)
	s.runPrinted("repair", "NPS")
	assert.Equal(s.t, ids, s.ids())
	assert.Contains(s.t, s.pull(), "How was our support today?")
	s.stays(ids...)
}

func (s answered) printedCommand() {
	ids := s.ids()
	s.edit(edits(rewording(2, "C, please"), withoutIDs))
	s.runPrinted("repair", "NPS")
	assert.Contains(s.t, s.pull(), "C, please")
	s.stays(ids...)
}

// later advances the server's clock by a number of hours.
func (s answered) later(hours int) {
	s.env.SetClock(time.Now().Add(time.Duration(hours) * time.Hour))
}

var printedRepair = regexp.MustCompile(`(?m)^posthog-sync (repair .* --yes)$`)

// runPrinted runs the command that repair prints for questions that the user must decide.
func (s answered) runPrinted(args ...string) {
	s.t.Helper()
	exit, output := s.run(append(args, "--dry-run")...)
	require.Equal(s.t, codeDifferences, exit, output)
	printed := printedRepair.FindStringSubmatch(output)
	require.NotNil(s.t, printed, output)
	exit, output = s.run(strings.Fields(printed[1])...)
	require.Zero(s.t, exit, "%s: %s", printed[1], output)
}

func (s answered) pulledAndReplaced() {
	s.edit(edits(rewording(1, "B, please"), adding("Which feature do you miss?")))
	ids := s.ids()
	s.pull()
	s.edit(edits(move(0, 1), move(1), adding("Another question in its place")))
	s.apply()
	s.stays(ids...)
}

func (s answered) pulledAndLessCode() {
	s.edit(adding("Which feature do you miss?"))
	ids := s.ids()
	s.pull()
	s.edit(edits(move(0, 1), rewording(0, "A, please")))
	s.reword(`    { type = "open", question = "B" },`+"\n", "")
	s.apply()
	s.stays(ids[0], ids[2])
}

func (s answered) movedAfterPull() {
	s.edit(edits(move(3, 0, 2), rewording(1, "In the place of another")))
	s.pull()
	s.edit(move(2, 1, 0))
	ids := s.ids()
	s.pull()
	s.stays(ids...)
}

func (s answered) addedAroundRefresh() {
	s.edit(edits(rewording(0, "A, please"), move(2, 0, 1)))
	s.edit(rewording(2, "B, please"))
	s.pull()
	s.edit(adding("Which feature do you miss?"))
	s.refreshOnly()
	s.edit(adding("Who are you?"))
	ids := s.ids()
	s.pull()
	s.stays(ids...)
}

func (s answered) editedAfterImport() {
	s.cli.Run("state", "rm", "posthog_survey.s")
	s.cli.Run("import", "-input=false", "posthog_survey.s", "1/"+s.survey()["id"].(string))
	s.edit(edits(rewording(0, "A, please"), rewording(1, "B, please")))
	s.cli.Run("plan", "-input=false", "-out=p.tfplan")
	s.cli.Run("apply", "-input=false", "p.tfplan")
	s.reword(`question = "D" },`, "question = \"D\" },\n    { type = \"open\", question = \"Which feature do you miss?\" },")
	s.apply()
	s.edit(move(1, 2, 3, 4))
	s.edit(move(0, 1, 3))
	s.pull()
	s.edit(edits(move(2, 0, 1), rewording(0, "Which one do you miss?"), move(0, 1), adding("In the place of another")))
	ids := s.ids()
	s.pull()
	s.stays(ids...)
}

func (s answered) twoNew() {
	s.edit(adding("What do you like about the editor?"))
	ids := s.ids()
	s.reword(`question = "A" },`, "question = \"A\" },\n    { type = \"open\", question = \"What do you dislike about the editor?\" },")
	plan := s.cli.Run("plan", "-no-color", "-input=false", "-out=p.tfplan")
	assert.Contains(s.t, plan, "This plan removes a question from a running survey")
	exit, output := s.run("review", filepath.Join(s.cli.Dir, "p.tfplan"), "--fail-on", "detached-answers")
	assert.Equal(s.t, codeRefused, exit, output)

	exit, output = s.run("pull", s.cli.Dir)
	assert.Equal(s.t, codeDifferences, exit, output)
	s.apply()
	now := s.survey()["questions"].([]any)
	require.Len(s.t, now, 3)
	for _, q := range now {
		assert.Equal(s.t, q.(fields)["question"] == "What do you like about the editor?", q.(fields)["id"] == ids[1], now)
	}
	s.stays(s.ids()...)
}

func (s answered) takenBack() {
	ids := s.ids()
	stored := s.survey()["questions"].([]any)
	for _, edit := range []fields{
		{"description": "Theirs"}, {"archived": true}, {"end_date": "2026-02-01T00:00:00Z"},
		{"questions": edits(rewording(0, "Other words altogether"))(slices.Clone(s.survey()["questions"].([]any)))},
		{"questions": adding("Which feature do you miss?")(slices.Clone(stored))},
		{"questions": move(2, 0, 1)(stored)},
		{"questions": move(0, 2)(stored)},
	} {
		before := s.survey()
		s.save(edit)
		s.pull()
		for name := range edit {
			s.save(fields{name: before[name]})
		}
		assert.NotContains(s.t, s.pull(), "Theirs")
	}
	assert.Zero(s.t, strings.Count(s.code(), "Which feature"))
	s.stays(ids...)
}

func (s answered) swapped() {
	ids := s.ids()
	s.edit(edits(rewording(0, "Anything else?"), rewording(1, "How was support?")))
	s.reword("How was support?", "How was our support?")
	for range 2 {
		exit, output := s.run("pull", s.cli.Dir)
		assert.Equal(s.t, codeDifferences, exit, output)
		assert.NotContains(s.t, output, `id: ""`)
		assert.Equal(s.t, 2, strings.Count(s.code(), "question = "), s.code())
		assert.Contains(s.t, s.code(), "How was our support?")
	}
	s.apply()
	s.stays(ids...)
}
