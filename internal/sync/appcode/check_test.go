package appcode_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/appcode"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

const (
	nps, draft, stopped, archived = "0190d6a4-0000-7000-8000-000000000001", "0190d6a4-0000-7000-8000-000000000002",
		"0190d6a4-0000-7000-8000-000000000003", "0190d6a4-0000-7000-8000-000000000004"
	none = "0190d6a4-0000-7000-8000-00000000000f"
)

// project returns a survey in each state. NPS has questions with the IDs whyid and whichid.
func project() []source.Object {
	survey := func(id, name, status string, isArchived bool, questions ...any) source.Object {
		return source.Object{Kind: source.Survey, ID: id, Name: name, Attributes: map[string]any{"status": status, "archived": isArchived, "questions": questions}}
	}
	return []source.Object{
		survey(nps, "NPS", "running", false,
			map[string]any{"id": "whyid", "type": "open", "question": "Why?"},
			map[string]any{"id": "whichid", "type": "single_choice", "question": "Which?", "choices": []any{"A", "B"}},
			map[string]any{"id": "openid", "type": "multiple_choice", "question": "What else?", "choices": []any{"C"}, "has_open_choice": true}),
		survey(draft, "Draft", "draft", false), survey(stopped, "Stopped", "completed", false), survey(archived, "Archived", "running", true),
	}
}

// check returns the findings in a directory, one per line.
func check(t *testing.T, dir string, disabled ...string) string {
	t.Helper()
	findings, err := appcode.Check(t.Context(), dir, project(), append(disabled, "asked-again"))
	require.NoError(t, err)
	var lines []string
	for _, one := range findings {
		lines = append(lines, fmt.Sprintf("%s %s:%d %s: %s", one.Severity, one.File, one.Line, one.Rule, one.Message))
	}
	return strings.Join(lines, "\n")
}

func TestCheck(t *testing.T) {
	t.Parallel()
	sent := func(properties string) string { return `posthog.capture("survey sent", ` + properties + `)` }
	for name, c := range map[string]struct{ file, text, want string }{
		"right":                      {"a.ts", sent(`{ $survey_id: "` + nps + `", $survey_response_whyid: text, "$survey_response_whichid": "A" }`), ""},
		"right, by template":         {"a.ts", sent("{ $survey_id: survey.id, [`$survey_response_${question.id}`]: text }"), ""},
		"right, in another language": {"a.py", `posthog.capture("p", event="survey sent", properties={"$survey_id": "` + nps + `", "$survey_response_whyid": text})`, ""},
		"unknown survey":             {"a.ts", "\nconst SURVEY_ID: string = '" + none + "'", "error a.ts:2 unknown-survey: no survey has the ID " + none},
		"unknown survey, rendered":   {"a.tsx", `posthog.renderSurvey("` + none + `", "#here")`, "unknown-survey"},
		"unknown survey, attribute":  {"a.vue", `<Survey surveyId="` + none + `" />`, "unknown-survey"},
		"unknown survey, by default": {"a.js", `const id = process.env.SURVEY_ID || "` + none + `"`, "unknown-survey"},
		"no id of a survey":          {"a.ts", sent(`{ $survey_id: 'newsletter', $survey_response_whyid: 1 }`), "no survey has the ID newsletter"},
		"another id":                 {"a.ts", `const PROJECT = "` + none + `"; const surveyProjectId = "` + none + `"`, ""},
		"draft":                      {"a.ts", `show("` + draft + `")`, `warning a.ts:1 survey-not-running: survey "Draft" is a draft, so PostHog shows it to no one`},
		"stopped":                    {"a.swift", `let id = "` + strings.ToUpper(stopped) + `"`, `"Stopped" is stopped`},
		"archived":                   {"a.kt", `val id = "` + archived + `"`, `"Archived" is archived`},
		"by place": {"a.ts", sent(`{ $survey_id: "` + nps + `", $survey_response: text }`),
			`error a.ts:1 answer-by-place: $survey_response stores an answer by position, which another question can have after the next edit: send $survey_response_whyid for "Why?"`},
		"by place, the second":      {"a.go", `Properties: posthog.NewProperties().Set("$survey_id", "` + nps + `").Set("$survey_response_1", text)`, `send $survey_response_whichid for "Which?"`},
		"by place, assigned":        {"a.js", `p["$survey_response_7"] = text; p.id = "` + nps + `"`, `$survey_response_7 stores an answer by position, but survey "NPS" does not have a question at this position`},
		"by place, in Kotlin":       {"a.kt", `mapOf("\$survey_response" to text)`, "send $survey_response_ID"},
		"by place, read":            {"a.py", `answer = properties.get("$survey_response", ""); other = properties["$survey_response_1"] == "x"`, ""},
		"by place, in a query":      {"a.ts", "const q = `select properties.$survey_response, properties.$survey_response_1 from events where event = 'survey sent'`", ""},
		"unknown question":          {"a.ts", `const key = "$survey_response_gone"`, "error a.ts:1 unknown-question: no survey has a question with the ID gone"},
		"a prefix":                  {"a.ts", "const key = `$survey_response_q${id}`", ""},
		"unknown choice":            {"a.ts", `{ "$survey_response_whichid": "C" }`, `error a.ts:1 unknown-choice: "C" is not a choice of question "Which?", which has ["A" "B"]`},
		"unknown choice, a list":    {"a.ts", `{ $survey_response_whichid: ["A", 'D'] }`, `"D" is not a choice`},
		"an open choice":            {"a.ts", `{ $survey_response_openid: ["C", "mine"] }`, ""},
		"unknown survey, an object": {"a.ts", `export const INITIAL_SURVEY = { id: "` + none + `" }`, "unknown-survey"},
		"by place, beside the id":   {"a.ts", sent("{ $survey_id: survey.id, [`$survey_response_${question.id}`]: text, $survey_response: text }"), ""},
		"by place, without an id":   {"a.ts", "function key(q, i) {\n  return q.id ? `$survey_response_${q.id}` : i === 0\n    ? '$survey_response'\n    : `$survey_response_${i}`\n}", ""},
		"by place, beside its key":  {"a.ts", sent(`{ $survey_id: "` + nps + `", $survey_response: text, $survey_response_whyid: text }`), ""},
		"by place, beside another":  {"a.ts", sent(`{ $survey_id: "` + nps + `", $survey_response_1: "A", $survey_response_whyid: text }`), `send $survey_response_whichid for "Which?"`},
		"by place, of which survey": {"a.ts", sent(`{ $survey_id: id, $survey_response: text }`) + `; const ids = ["` + nps + `", "` + strings.ToUpper(nps) + `"]`, `send $survey_response_whyid for "Why?"`},
		"by place, computed":        {"a.ts", "p[`$survey_response${index ? `_${index}` : ''}`] = text", "answer-by-place: $survey_response stores an answer by position"},
		"by place, by id after all": {"a.ts", `p["$survey_response" + "_" + question.id] = text`, ""},
		"a type":                    {"a.ts", "type Answers = Record<`$survey_response_${string}`, string>", ""},
		"an index before the id":    {"a.ts", "const key = `$survey_response_${survey.questions[0].id}`", ""},
		"no survey id":              {"a.ts", sent(`{ $survey_response_whyid: text }`), `error a.ts:1 no-survey-id: "survey sent" has no $survey_id`},
		"no properties":             {"a.ts", `posthog.capture("survey sent")`, "no-survey-id"},
		"no answer":                 {"a.ts", sent(`{ $survey_id: "` + nps + `" }`), "error a.ts:1 no-question-id"},
		"an object":                 {"a.ts", `fetch(url, { body: JSON.stringify({ event: "survey sent", properties: { $survey_response_whyid: 1 } }) })`, "no-survey-id"},
		"a variable":                {"a.java.kt", `postHog?.capture(user, "survey sent", properties)`, "warning a.java.kt:1 unseen-properties"},
		"a variable of three":       {"a.ts", sent(`properties, { timestamp }`), "warning a.ts:1 unseen-properties"},
		"shown, without an id":      {"a.ts", `posthog.capture("survey shown", { survey_id: id })`, `error a.ts:1 no-survey-id: "survey shown" has no $survey_id`},
		"dismissed":                 {"a.ts", `posthog.capture("survey dismissed", { $survey_id: id }); posthog.capture("survey shown", properties)`, ""},
		"a spread":                  {"a.ts", sent(`{ $survey_id: "` + nps + `", ...answers }`), "warning a.ts:1 unseen-properties"},
		"a named key":               {"a.ts", sent(`{ $survey_id: id, [score.key]: 9 }`), `warning a.ts:1 unseen-properties: answers of "survey sent" are not set here`},
		"a named key alone":         {"a.ts", sent(`{ [score.key]: 9 }`), "error a.ts:1 no-survey-id"},
		"a computed key":            {"a.ts", sent("{ $survey_id: s.id, [`$survey_response_${index}`]: text }"), "unseen-properties: the key $survey_response_ is built from index"},
		"a constant's name":         {"a.ts", sent(`{ $survey_id: s.id, ["$survey_response_" + QUESTION_ONE]: text }`), "warning a.ts:1 unseen-properties: the key $survey_response_ is built from QUESTION_ONE"},
		"a constant, in PHP":        {"a.php", `['event' => 'survey sent', 'properties' => ['$survey_id' => $id, '$survey_response_' . Questions::ONE => $text]]`, "unseen-properties: the key $survey_response_ is built from Questions::ONE:"},
		"an ID, in PHP":             {"a.php", `['event' => 'survey sent', 'properties' => ['$survey_id' => $id, '$survey_response_'.$questionId => $text]]`, ""},
		"a value, in Elixir":        {"a.ex", `Posthog.capture("survey sent", %{"$survey_id" => id, "$survey_response_" <> question => text})`, "unseen-properties: the key $survey_response_ is built from question:"},
		"a method, no constant":     {"a.ts", `const n = "$survey_response_".length`, ""},
		"compared":                  {"a.ts", `if (event.name === "survey sent") track(event)`, ""},
		"expected":                  {"a.ts", `expect(capture).toHaveBeenCalledWith("survey sent", { $survey_id: x })`, ""},
		"a comment":                 {"a.ts", "// $survey_response: text\n  * posthog.capture('survey sent')", ""},
		"a comment of Python":       {"a.py", `# {"$survey_response": text}`, ""},
		"a spread of Python":        {"a.py", "posthog.capture('p', event=\"survey sent\", properties={\n    **props,\n})", "unseen-properties"},
		"generated":                 {"a.ts", "// Code generated by posthog-sync keys. Do not edit: run it again.\nconst surveyId = \"" + none + "\"\n\n\n\n\n\n\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "app", c.file)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
			require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
			found := check(t, strings.TrimSuffix(path, c.file))
			if c.want == "" {
				assert.Empty(t, found)
				return
			}
			assert.Contains(t, found, c.want)
			assert.Len(t, strings.Split(found, "\n"), 1, found)
		})
	}
}

// For a key by position, Check suggests a question's key only if the code shows which survey it belongs to.
func TestCheckNamesNoKeyOfAnotherSurvey(t *testing.T) {
	t.Parallel()
	only := project()[:1]
	for name, c := range map[string]struct{ text, want string }{
		"in the object":   {`send({ $survey_id: "` + nps + `", $survey_response: text })`, `edit: send $survey_response_whyid for "Why?"`},
		"the only one":    {`send({ $survey_id: id, $survey_response: text })`, `with the ID of the question; if the survey is "NPS", $survey_response_whyid for "Why?"`},
		"an unknown one":  {`const SURVEY_ID = "` + none + `"` + "\n" + `send({ $survey_id: SURVEY_ID, $survey_response: text })`, "with the ID of the question\n"},
		"another unknown": {`send({ $survey_id: "nps", $survey_response: text })` + "\n" + `send({ $survey_id: "` + nps + `" })`, "with the ID of the question\n"},
		"past the last":   {`send({ $survey_id: id, $survey_response_3: text })`, "$survey_response_3 stores an answer by position, which another question can have after the next edit: send $survey_response_ID with the ID of the question\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a.ts"), []byte(c.text), 0o600))
			findings, err := appcode.Check(t.Context(), dir, only, []string{"unknown-survey"})
			require.NoError(t, err)
			require.Len(t, findings, 1)
			assert.Contains(t, findings[0].Message+"\n", c.want)
		})
	}
}

// Check examines how an app uses the constants that keys generates.
func TestCheckOfKeys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"src/surveys.ts": "// Code generated by posthog-sync keys. Do not edit: run it again.\n\n\n\n\n\n\n",
		"src/ask.ts":     "import { nps } from './surveys.js'\nposthog.capture('survey sent', { $survey_id: nps.id, [nps.questions.why.key]: text })",
		"src/spread.ts":  "const { nps } = require(\"../src/surveys\")\nposthog.capture('survey sent', { $survey_id: nps.id, ...answers })",
		"src/unnamed.ts": "import { nps } from './surveys'\nposthog.capture('survey sent', { ...answers })",
		"src/wrong.ts":   "import { nps } from \"./surveys\"\nposthog.capture('survey sent', { $survey_id: nps.id, $survey_response_gone: text })",
		"src/other.ts":   "import { nps } from \"./nps\"\nposthog.capture('survey sent', { $survey_id: nps.id, ...answers })",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o750))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}

	found := strings.Split(check(t, dir), "\n")
	require.Len(t, found, 3, found)
	assert.Contains(t, found[0], "warning src/other.ts:2 unseen-properties")
	assert.Contains(t, found[1], "warning src/unnamed.ts:2 unseen-properties", "a survey without an ID must be reported, because the type does not require one")
	assert.Contains(t, found[2], "error src/wrong.ts:2 unknown-question")
}

// Check supports each SDK's language and its form of a key, and ignores comments.
func TestCheckReadsEachLanguage(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a.cjs": "// $survey_response: text\nx = { $survey_response: text }", "a.mts": "// $survey_response: text\nx = { $survey_response: text }",
		"a.cts": "// $survey_response: text\nx = { $survey_response: text }", "a.astro": "<!-- $survey_response: text\nx = { $survey_response: text }",
		"a.php": "// '$survey_response' => 1\n['$survey_response' => 1]", "a.cs": "// [\"$survey_response\"] = 1;\np[\"$survey_response\"] = 1;",
		"a.ex": "# %{\"$survey_response\" => 1}\n%{\"$survey_response\" => 1}", "a.EXS": "# %{\"$survey_response\" => 1}\n%{\"$survey_response\" => 1}",
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		found := check(t, dir)
		assert.Contains(t, found, "error "+name+":2 answer-by-place")
		assert.Len(t, strings.Split(found, "\n"), 1, found)
	}

	dir := t.TempDir()
	for _, name := range []string{"a.cjs", "AnswerTest.php", "AnswerTests.cs", "answer_test.exs"} {
		text := "x = 1"
		if name != "a.cjs" {
			text = `["$survey_response"] = 1`
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	assert.Empty(t, check(t, dir), "the check must skip the tests of an app")
}

// Check fails for a directory without source code, and for an app if the survey IDs are unknown.
func TestCheckOfNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a.md", "node_modules/x/a.js", "e2e/a.js", "a_test.go", "src/test_a.py", "A.spec.ts", "src/ATest.kt"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o750))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(`$survey_response: 1`), 0o600))
	}
	_, err := appcode.Check(t.Context(), dir, project(), nil)
	require.ErrorContains(t, err, "does not contain source files of an app, which end with .js, ")

	_, err = appcode.Check(t.Context(), dir, append(project(), source.Object{Kind: source.Survey, Name: "New"}), nil)
	require.ErrorContains(t, err, `survey "New" does not have an ID yet`)
}

// Check skips files that git ignores, links, and disabled rules.
func TestCheckReadsWhatGitDoes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		".gitignore": "dist\n", "dist/a.js": `$survey_response: 1`, "src/b.js": `x = {$survey_response: 1}`, "src/c.js": `$survey_response_gone`,
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o750))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	require.NoError(t, os.Symlink("b.js", filepath.Join(dir, "src", "d.js")))
	require.NoError(t, exec.CommandContext(t.Context(), "git", "init", "-q", dir).Run())

	assert.Len(t, strings.Split(check(t, dir), "\n"), 2)
	assert.NotContains(t, check(t, dir, "answer-by-place"), "b.js")
}

// An app that does not mark a survey as answered asks the same person again.
func TestCheckOfAppThatAsksAgain(t *testing.T) {
	t.Parallel()
	const answer = `$survey_id: "` + nps + `", $survey_response_whyid: text`
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"no $set":         {`posthog.capture("survey sent", { ` + answer + ` })`, true},
		"$set":            {`posthog.capture("survey sent", { ` + answer + `, $set: { "$survey_responded/` + nps + `": true } })`, false},
		"a variable":      {`posthog.capture("survey sent", { ` + answer + `, $set: responded })`, false},
		"user properties": {`PostHogSDK.shared.capture("survey sent", properties: [` + answer + `], userProperties: responded)`, false},
		"set in the file": {"const key = `$survey_responded/${id}`\n" + `posthog.capture("survey sent", { ` + answer + ` })`, false},
		"a spread":        {`posthog.capture("survey sent", { ` + answer + `, ...more })`, false},
		"unseen":          {`posthog.capture("survey sent", properties)`, false},
		"shown":           {`posthog.capture("survey shown", { $survey_id: "` + nps + `" })`, false},
		"only compared":   {`if (event.name === "survey sent") track(event)`, false},
		"no $set, object": {`fetch(url, { body: JSON.stringify({ event: "survey sent", properties: { ` + answer + ` } }) })`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a.ts"), []byte(c.text), 0o600))
			findings, err := appcode.Check(t.Context(), dir, project(), []string{"unseen-properties"})
			require.NoError(t, err)
			if !c.want {
				assert.Empty(t, findings)
				return
			}
			require.Len(t, findings, 1)
			assert.Equal(t, "asked-again", findings[0].Rule)
			assert.EqualValues(t, "note", findings[0].Severity)
			assert.Contains(t, findings[0].Message, `send $set: {"$survey_responded/ID": true}`)
		})
	}
}
