package cli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// launch launches the survey, so that its questions can have answers.
func (p pulled) launch() {
	p.t.Helper()
	p.replace(`"draft"`, `"running"`)
	p.apply()
}

// replace edits the configuration.
func (p pulled) replace(old, text string) {
	p.t.Helper()
	code := p.code()
	require.Contains(p.t, code, old)
	p.cli.Write("main.tf", strings.Replace(code, old, text, 1))
}

// code returns the configuration.
func (p pulled) code() string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(p.t, err)
	return string(text)
}

// report runs pull, and returns its exit code and output.
func (p pulled) report() (exit int, stdout string) {
	p.t.Helper()
	exit, stdout, stderr := commandLine(p.t, p.t.Context(), p.env.Instance, "pull", p.cli.Dir, "--terraform", p.cli.Path())
	require.NotEqual(p.t, codeError, exit, "%s\n%s", stdout, stderr)
	return exit, stdout
}

// script saves the questions without the IDs of some, and with one text changed.
func (p pulled) script(at int, text string) {
	p.t.Helper()
	p.edit(func(list []any) []any {
		delete(list[at].(map[string]any), "id")
		return rewording(at, text)(list)
	})
}

// A script copies a question with its ID. pull writes the copy without the ID, so that the original keeps it.
func TestAccPullCopiedQuestion(t *testing.T) {
	t.Parallel()
	for _, isFirst := range []bool{false, true} {
		p := newPulled(t)
		p.launch()
		before := p.ids()
		p.edit(func(list []any) []any {
			copied := maps.Clone(list[0].(map[string]any))
			copied["question"] = "How was the onboarding?"
			if isFirst {
				return slices.Insert(list, 0, any(copied))
			}
			return append(list, copied)
		})

		_, output := p.report()
		code := p.code()
		assert.Contains(t, code, "How was the onboarding?", output)
		_, output = p.report()
		assert.Equal(t, code, p.code(), "a second pull must write nothing\n%s", output)
		assert.NotContains(t, output, "conflict")
		p.apply()
		after := strings.Fields(p.ids())
		require.Len(t, after, 3)
		added := after[2]
		if isFirst {
			added = after[0]
		}
		assert.NotContains(t, before, added)
		assert.Equal(t, before, strings.Join(slices.DeleteFunc(after, func(id string) bool { return id == added }), " "), "the original must keep its ID")
		p.pull()
	}
}

// A teammate adds a copy of a question, and deletes the original after a pull. The state never had both, but the lock file
// did: the copy has not replaced the original.
func TestAccPullCopyOfADeletedQuestion(t *testing.T) {
	t.Parallel()
	p := newPulledFrom(t, testserver.Documented)
	p.launch()
	p.edit(func(list []any) []any {
		copied := maps.Clone(list[0].(map[string]any))
		copied["id"] = "00000000-0000-4000-8000-000000000001"
		return slices.Insert(list, 0, any(copied))
	})
	p.pull()

	p.edit(func(list []any) []any { return slices.Delete(list, 1, 2) })
	p.refreshOnly()
	exit, output := p.report()

	assert.Zero(t, exit, output)
	assert.Equal(t, 1, strings.Count(p.code(), "How was support?"), output)
}

// The user sets the new ID of a question that a save replaced together with its text. The configuration then was
// written from the question under its old ID.
func TestAccPullChosenID(t *testing.T) {
	t.Parallel()
	const old, reworded = "How was support?", "How was our support today?"
	for name, c := range map[string]struct {
		isPulled bool
		// choose is the text that the user writes beside the new ID.
		choose string
		// later is an edit in PostHog after that.
		later         string
		finding, want string
	}{
		"kept text":                 {choose: old, want: reworded},
		"kept text after a pull":    {isPulled: true, choose: reworded, want: reworded},
		"another text after a pull": {isPulled: true, choose: "How was support this week?", finding: "pending", want: "How was support this week?"},
		"an edit in PostHog after":  {isPulled: true, choose: reworded, later: "How was support really?", want: "How was support really?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPulled(t)
			p.launch()
			p.script(0, reworded)
			id, _, _ := strings.Cut(p.ids(), " ")
			if c.isPulled {
				p.report()
			}
			written := old
			if c.isPulled {
				written = reworded
			}
			p.replace(fmt.Sprintf("question = %q", written), fmt.Sprintf("question = %q, id = %q", c.choose, id))
			if c.later != "" {
				p.env.SetClock(time.Now().Add(time.Hour))
				p.edit(rewording(0, c.later))
			}

			_, output := p.report()
			assert.NotContains(t, output, "conflict")
			assert.Equal(t, c.finding != "", strings.Contains(output, "pending"), output)
			assert.Contains(t, p.code(), c.want)
			p.apply()
			assert.Equal(t, id, strings.Fields(p.ids())[0])
			p.pull()
		})
	}
}

// Two equal questions are exported with their IDs, and exchanged in the configuration before the first apply. An edit
// in PostHog goes to the question with its ID.
func TestAccPullEditOfATwinBeforeTheFirstApply(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	p := pulled{t, env, env.CLI(t)}
	env.CreateSurvey(testserver.Object{"name": "NPS", "type": "popover", "questions": []any{
		map[string]any{"id": "q1", "type": "open", "question": "Why?"}, map[string]any{"id": "q2", "type": "open", "question": "Why?"},
	}})
	exit, stdout, stderr := commandLine(t, t.Context(), env.Instance, "export", p.cli.Dir)
	require.Zero(t, exit, "%s\n%s", stdout, stderr)
	file := filepath.Join(p.cli.Dir, "surveys.tf")
	exported, err := os.ReadFile(file)
	require.NoError(t, err)
	exchanged := strings.NewReplacer(`"q1"`, `"q2"`, `"q2"`, `"q1"`).Replace(string(exported))
	require.NotEqual(t, string(exported), exchanged)
	p.cli.Write("surveys.tf", exchanged)

	p.edit(rewording(0, "Why not?"))
	_, output := p.report()
	code, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Regexp(t, `(?s)"q2".*question *= "Why\?".*"q1".*question *= "Why not\?"|question *= "Why\?".*"q2".*question *= "Why not\?".*"q1"`, string(code), output)
}

// A script exchanges the IDs of two questions, and the configuration moves and rewords one. pull writes the IDs, because
// the texts no longer tell the questions apart, and reports the answers that may be detached.
func TestAccPullReportsMovedIDs(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	p.launch()
	respond(t, p.env.Instance, p.survey(), "ann", "bob")
	p.edit(func(list []any) []any {
		first, second := list[0].(map[string]any), list[1].(map[string]any)
		first["id"], second["id"] = second["id"], first["id"]
		return list
	})
	p.replace(`    { type = "open", question = "How was support?" },
    { type = "open", question = "Anything else?" },
`, `    { type = "open", question = "Anything else?" },
    { type = "open", question = "How was our support?" },
`)
	exit, output := p.report()
	assert.Equal(t, codeDifferences, exit)
	assert.Contains(t, output, "possibly detached answers")
}
