package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// pulled is a survey on a server and in a configuration that pull updates.
type pulled struct {
	t   *testing.T
	env *acctest.Env
	cli *acctest.CLI
}

func newPulled(t *testing.T) pulled {
	t.Helper()
	return newPulledFrom(t, testserver.Hosted)
}

// newPulledFrom is newPulled for a test server that behaves as the profile says.
func newPulledFrom(t *testing.T, profile testserver.Profile) pulled {
	t.Helper()
	env := acctest.Start(t, acctest.Profile(profile))
	p := pulled{t, env, env.CLI(t)}
	p.cli.Write("main.tf", `terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}

resource "posthog_survey" "s" {
  name       = "NPS"
  type       = "popover"
  status     = "draft"
  appearance = jsonencode({ position = "left", backgroundColor = "#fff" })
  questions = [
    { type = "open", question = "How was support?" },
    { type = "open", question = "Anything else?" },
  ]
}
`)
	p.apply()
	return p
}

func (p pulled) apply() {
	p.t.Helper()
	p.cli.Run("apply", "-auto-approve", "-no-color", "-input=false")
}

func (p pulled) refreshOnly() {
	p.t.Helper()
	p.cli.Run("apply", "-refresh-only", "-auto-approve", "-no-color", "-input=false")
}

// survey returns the only survey on the server.
func (p pulled) survey() map[string]any {
	p.t.Helper()
	surveys := p.env.Surveys(p.t)
	require.Len(p.t, surveys, 1)
	return surveys[0]
}

// save saves fields through the API, as a teammate would in PostHog.
func (p pulled) save(fields map[string]any) {
	p.t.Helper()
	body, err := json.Marshal(fields)
	require.NoError(p.t, err)
	url := p.env.URL + "/api/projects/1/surveys/" + p.survey()["id"].(string) + "/"
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodPatch, url, bytes.NewReader(body))
	require.NoError(p.t, err)
	req.Header.Set("Authorization", "Bearer "+p.env.APIKey)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(p.t, err)
	answer, err := io.ReadAll(resp.Body)
	require.NoError(p.t, err)
	require.NoError(p.t, resp.Body.Close())
	require.Equal(p.t, http.StatusOK, resp.StatusCode, "%s", answer)
}

// edit edits the questions in PostHog.
func (p pulled) edit(change func(list []any) []any) {
	p.t.Helper()
	list, _ := p.survey()["questions"].([]any)
	p.save(map[string]any{"questions": change(list)})
}

func (p pulled) ids() string {
	list, _ := p.survey()["questions"].([]any)
	ids := make([]string, len(list))
	for i := range list {
		ids[i], _ = list[i].(map[string]any)["id"].(string)
	}
	return strings.Join(ids, " ")
}

// pull runs pull, and asserts that no differences are left and that the plan is empty.
func (p pulled) pull() (code string) {
	p.t.Helper()
	exit, stdout, stderr := commandLine(p.t, p.t.Context(), p.env.Instance, "pull", p.cli.Dir, "--terraform", p.cli.Path())
	require.Zero(p.t, exit, "%s\n%s", stdout, stderr)
	_, planned := p.cli.Exit("plan", "-detailed-exitcode", "-no-color", "-input=false")
	assert.Zero(p.t, planned, "the plan is not empty after this pull:\n%s", stdout)

	text, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(p.t, err)
	return string(text)
}

func asking(text string) func(list []any) []any {
	return func(list []any) []any {
		return append(list, map[string]any{"type": "open", "question": text})
	}
}

func rewording(at int, text string) func(list []any) []any {
	return func(list []any) []any {
		list[at].(map[string]any)["question"] = text
		return list
	}
}

// pull writes a text to the configuration. After an apply without changes, pull writes another edit of the same text.
func TestAccPullAgain(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	p.edit(asking("Which feature do you miss?"))
	assert.Contains(t, p.pull(), "Which feature do you miss?")
	p.apply()
	ids := p.ids()

	p.edit(rewording(2, "Altogether other words"))
	assert.Contains(t, p.pull(), "Altogether other words")
	p.edit(func(list []any) []any { return list[1:] })
	assert.NotContains(t, p.pull(), "How was support?")
	p.apply()
	assert.Equal(t, ids[len(ids)-len(p.ids()):], p.ids())
}

// A question that was added in PostHog and pulled keeps its ID, even if an apply follows after someone rewords,
// retypes, or deletes it in PostHog.
func TestAccPulledQuestionsKeepTheirIDs(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	p.edit(asking("Which feature do you miss?"))
	p.pull()
	p.apply()
	ids := p.ids()

	for _, change := range []func(list []any) []any{
		rewording(2, "Completely other words here"),
		func(list []any) []any { return list[:2] },
		func(list []any) []any {
			list[2].(map[string]any)["type"], list[2].(map[string]any)["choices"] = "single_choice", []any{"a", "b"}
			return list
		},
	} {
		p.edit(change)
		p.apply()
		assert.Equal(t, ids, p.ids())
	}
}

// A refresh between an edit and its pull does not affect the pull, no matter what the configuration contains.
func TestAccPullAfterRefresh(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	p.edit(asking("Which feature do you miss?"))
	p.save(map[string]any{"start_date": "2026-01-01T00:00:00Z", "appearance": map[string]any{"position": "right", "backgroundColor": "#fff"}})
	p.refreshOnly()

	code := p.pull()
	assert.Contains(t, code, "Which feature do you miss?")
	assert.Contains(t, code, `"running"`)
	assert.Contains(t, code, `position = "right"`)
}

// pull keeps an edit of the configuration, even after a refresh.
func TestAccPullAfterRefreshLeavesTheCode(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	before, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(t, err)
	p.cli.Write("main.tf", strings.NewReplacer("Anything else?", "What else?", `backgroundColor = "#fff"`, `backgroundColor = "#eee"`).Replace(string(before)))
	p.edit(asking("Which feature do you miss?"))
	p.save(map[string]any{"appearance": map[string]any{"position": "right", "backgroundColor": "#fff"}})
	p.refreshOnly()

	exit, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, "pull", p.cli.Dir, "--terraform", p.cli.Path())
	assert.Equal(t, codeDifferences, exit, "%s\n%s", stdout, stderr)
	after, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(t, err)
	for _, text := range []string{"Which feature do you miss?", "What else?", `backgroundColor = "#eee"`, `position = "right"`} {
		assert.Contains(t, string(after), text, stdout)
	}
}

// pull writes several successive edits in PostHog, without an apply in between.
func TestAccPullTwiceWithoutApply(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	p.save(map[string]any{"start_date": "2026-01-01T00:00:00Z", "name": "Net", "appearance": map[string]any{"position": "right", "backgroundColor": "#fff"}})
	p.edit(asking("Which feature do you miss?"))
	assert.Contains(t, p.pull(), `"running"`)

	p.save(map[string]any{"end_date": "2026-02-01T00:00:00Z", "name": "Promoters", "appearance": map[string]any{"position": "center", "backgroundColor": "#fff"}})
	p.edit(rewording(2, "Altogether other words"))
	ids := p.ids()
	code := p.pull()
	for _, text := range []string{`"completed"`, `"Promoters"`, `position = "center"`, "Altogether other words"} {
		assert.Contains(t, code, text)
	}
	assert.NotContains(t, code, "Which feature do you miss?")
	p.apply()
	assert.Equal(t, ids, p.ids())
}

// If a value is changed in PostHog and changed back, pull also changes it back in the configuration without an apply
// in between. The lock file shows that the value is not an edit of the configuration.
func TestAccPullThereAndBack(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	before, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(t, err)

	fields := []map[string]any{
		{"name": "Net", "appearance": map[string]any{"position": "right", "backgroundColor": "#fff"}, "start_date": "2026-01-01T00:00:00Z"},
		{"name": "NPS", "appearance": map[string]any{"position": "left", "backgroundColor": "#fff"}, "start_date": nil},
	}
	texts := []string{"Altogether other words", "Anything else?"}
	for round := range 4 {
		p.env.SetClock(time.Now().Add(time.Duration(round+1) * time.Hour))
		p.save(fields[round%2])
		p.edit(rewording(1, texts[round%2]))
		code := p.pull()
		assert.Contains(t, code, texts[round%2])
		if round%2 == 1 {
			assert.Equal(t, string(before), code)
		}
	}

	ids := p.ids()
	p.apply()
	assert.Equal(t, ids, p.ids())
}

// A question is added in PostHog and then deleted. pull adds the question to the configuration and then removes it.
func TestAccPullComesAndGoes(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	before, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(t, err)

	p.env.SetClock(time.Now().Add(time.Hour))
	p.edit(asking("Which feature do you miss?"))
	assert.Contains(t, p.pull(), "Which feature do you miss?")
	p.env.SetClock(time.Now().Add(2 * time.Hour))
	p.edit(func(list []any) []any { return list[:2] })
	assert.Equal(t, string(before), p.pull())
}

// If someone resets a configuration value to the value from before the last apply, this is an edit of the
// configuration, and pull keeps it.
func TestAccPullLeavesTheCodeThatGoesBack(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	before, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(t, err)
	p.cli.Write("main.tf", strings.Replace(string(before), `"NPS"`, `"Net"`, 1))
	p.env.SetClock(time.Now().Add(time.Hour))
	p.apply()

	p.cli.Write("main.tf", string(before))
	exit, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, "pull", p.cli.Dir, "--terraform", p.cli.Path())
	assert.Equal(t, codeDifferences, exit, "%s\n%s", stdout, stderr)
	assert.Contains(t, stdout, "pending")
	after, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
}

// After a save without IDs, pull writes the IDs that have the answers for all questions that are certainly the same.
// It reports a reworded question with both texts, and keeps the question's new ID until someone decides. pull writes
// other edits in the same save as usual.
func TestAccPullWritesTheIDsWithTheAnswers(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	ids := strings.Fields(p.ids())
	p.save(map[string]any{"start_date": "2026-01-01T00:00:00Z"})
	p.pull()
	respond(t, p.env.Instance, p.survey(), "ann", "bob")
	p.edit(func(list []any) []any { return rewording(1, "Anything else, please?")(withoutIDs(list)) })
	now := strings.Fields(p.ids())

	for range 2 {
		exit, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, "pull", p.cli.Dir, "--terraform", p.cli.Path())
		assert.Equal(t, codeDifferences, exit, "%s\n%s", stdout, stderr)
		assert.Contains(t, stdout, `possibly detached answers of "Anything else?"`)
		code, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
		require.NoError(t, err)
		assert.Regexp(t, `type = "open", question = "How was support\?", id = "`+ids[0]+`" }`, string(code))
		assert.Contains(t, string(code), `{ type = "open", question = "Anything else, please?" }`)
	}
	p.apply()
	assert.Equal(t, ids[0]+" "+now[1], p.ids())
}

// Without an activity log, only the lock file knows the question IDs of an export that writes none. After a save without
// IDs, each further export reports the same detached answers, and writes the IDs that are certain.
func TestExportAgainWithoutALog(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		env := acctest.Start(t, acctest.Profile(profile))
		env.SetFaults(testserver.Fault{Operation: "surveys_activity_retrieve", Status: http.StatusForbidden})
		dir := t.TempDir()
		first := env.CreateSurvey(testserver.Object{"name": "NPS", "type": "popover", "start_date": "2026-01-01T00:00:00Z", "questions": []any{
			map[string]any{"id": "q1", "type": "open", "question": "How was support?"}, map[string]any{"id": "q2", "type": "open", "question": "Anything else?"},
		}})
		env.AddResponses(first["id"].(string), 3)
		second := env.CreateSurvey(testserver.Object{"name": "Second", "type": "popover", "start_date": "2026-01-01T00:00:00Z", "questions": []any{
			map[string]any{"id": "q3", "type": "open", "question": "What is missing?"},
		}})
		env.AddResponses(second["id"].(string), 3)
		export := func() (exit int, report string) {
			exit, stdout, stderr := commandLine(t, t.Context(), env.Instance, "export", dir, "--kind", "surveys")
			return exit, strings.Join(detachedLines(stdout+stderr), "\n")
		}
		exit, _ := export()
		require.Zero(t, exit)
		saveQuestions(t, env.Instance, env.Server.Survey(first["id"].(string)), func(list []any) []any { return rewording(1, "Anything else, please?")(withoutIDs(list)) })
		saveQuestions(t, env.Instance, env.Server.Survey(second["id"].(string)), withoutIDs)

		var reported string
		for range 3 {
			exit, report := export()
			assert.Equal(t, codeDifferences, exit, profile)
			assert.Contains(t, report, "the old ID q1", profile)
			assert.Contains(t, report, "the old ID q3", profile)
			assert.Contains(t, report, `possibly detached answers of "Anything else?"`, profile)
			if reported == "" {
				reported = report
			}
			assert.Equal(t, reported, report, profile)
			code, err := os.ReadFile(filepath.Join(dir, "surveys.tf"))
			require.NoError(t, err)
			assert.Regexp(t, `id += "q1"`, string(code))
			assert.NotContains(t, string(code), `"q2"`)
		}
	}
}

// pull writes edits that were made between an export and the first apply to the configuration.
func TestAccPullAfterExport(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	cli := env.CLI(t)
	p := pulled{t, env, cli}
	env.CreateSurvey(testserver.Object{"name": "NPS", "type": "popover", "description": "Ours", "questions": []any{
		map[string]any{"id": "q1", "type": "open", "question": "How was support?"}, map[string]any{"id": "q2", "type": "open", "question": "Anything else?"},
	}})
	lock := func() string {
		text, err := os.ReadFile(filepath.Join(cli.Dir, pull.LockName))
		require.NoError(t, err)
		return string(text)
	}
	export := func() {
		exit, stdout, stderr := commandLine(t, t.Context(), env.Instance, "export", cli.Dir)
		require.Zero(t, exit, "%s\n%s", stdout, stderr)
	}

	export()
	before := lock()
	export()
	assert.Equal(t, before, lock(), "a second export must not change the file")

	p.edit(func(list []any) []any { return rewording(0, "How was it?")(list[1:]) })
	p.save(map[string]any{"description": "Theirs"})
	exit, stdout, stderr := commandLine(t, t.Context(), env.Instance, "pull", cli.Dir, "--terraform", cli.Path())
	assert.Zero(t, exit, "%s\n%s", stdout, stderr)
	code, err := os.ReadFile(filepath.Join(cli.Dir, "surveys.tf"))
	require.NoError(t, err)
	assert.Contains(t, string(code), `"Theirs"`)
	assert.Contains(t, string(code), `"How was it?"`)
	assert.NotContains(t, string(code), "How was support?")
	assert.NotContains(t, stdout, "conflict")
}

// A plan that restores the old IDs reattaches answers, so a pipeline that refuses detached answers accepts the plan
// as a file and as JSON. If it is unknown which answers belong to the removed IDs, the pipeline refuses the plan.
func TestAccReviewOfReattachedAnswers(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	p.save(map[string]any{"start_date": "2026-01-01T00:00:00Z"})
	p.pull()
	p.env.AddResponses(p.survey()["id"].(string), 7)
	p.edit(withoutIDs)
	p.cli.Run("plan", "-input=false", "-out=p.tfplan")
	p.cli.Write("p.json", p.cli.Run("show", "-json", "p.tfplan"))
	review := func(file string) (int, string) {
		exit, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, "review", filepath.Join(p.cli.Dir, file), "--fail-on", "detached-answers", "--terraform", p.cli.Path())
		return exit, stdout + stderr
	}

	for _, file := range []string{"p.tfplan", "p.json"} {
		exit, page := review(file)
		assert.Zero(t, exit, page)
		assert.Equal(t, 2, strings.Count(page, "| reattached at"), page)
		assert.Contains(t, page, "detached by a save without IDs, reattached")
	}
	p.env.SetFaults(testserver.Fault{Operation: "surveys_stats_retrieve", Status: http.StatusForbidden})
	exit, page := review("p.json")
	assert.Equal(t, codeRefused, exit, page)
	assert.Contains(t, page, "an unknown number")
}

// Two concurrent pulls in a directory write the same configuration as a single pull. They leave no other files and do
// not change the state.
func TestAccTwoPullsAtOnce(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	p.env.SetClock(time.Now().Add(time.Hour))
	p.edit(rewording(0, "How was our support?"))
	state, err := os.ReadFile(filepath.Join(p.cli.Dir, "terraform.tfstate"))
	require.NoError(t, err)

	var pulls sync.WaitGroup
	for range 2 {
		pulls.Go(func() {
			code, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, "pull", p.cli.Dir, "--terraform", p.cli.Path())
			assert.Equal(t, codeDone, code, "%s\n%s", stdout, stderr)
		})
	}
	pulls.Wait()

	assert.Equal(t, []string{".posthog-sync.lock.json"}, left(t, p.cli.Dir))
	kept, err := os.ReadFile(filepath.Join(p.cli.Dir, "terraform.tfstate"))
	require.NoError(t, err)
	assert.Equal(t, string(state), string(kept))
	written, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(t, err)
	assert.Equal(t, p.pull(), string(written), "a third pull must not change the file")
	assert.Contains(t, string(written), `{ type = "open", question = "How was our support?" }`)
}
