package cli

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// webEdits lists edits in PostHog, and whether the apps' code must change after them.
var webEdits = []struct {
	name    string
	isFound bool
	edit    func(fields testserver.Object, questions []any)
}{
	{"a question is reworded", true, func(_ testserver.Object, questions []any) { questionOf(questions, 1)["question"] = "Why not?" }},
	{"a question is retyped", true, func(_ testserver.Object, questions []any) { questionOf(questions, 1)["type"] = "multiple_choice" }},
	{"a question loses its id", true, func(_ testserver.Object, questions []any) {
		questionOf(questions, 0)["id"] = "0190d6a4-0000-7000-8000-00000000000f"
	}},
	{"questions are reordered", true, func(fields testserver.Object, questions []any) {
		fields["questions"] = []any{questions[1], questions[0]}
	}},
	{"a question is dropped", true, func(fields testserver.Object, questions []any) { fields["questions"] = questions[:1] }},
	{"a question is added", true, func(fields testserver.Object, questions []any) {
		fields["questions"] = append(questions, map[string]any{"id": "0190d6a4-0000-7000-8000-00000000000c", "type": "open", "question": "More?"})
	}},
	{"a choice is added", true, func(_ testserver.Object, questions []any) {
		questionOf(questions, 1)["choices"] = []any{"Price", "Speed", "Design"}
	}},
	{"choices are reordered", true, func(_ testserver.Object, questions []any) {
		questionOf(questions, 1)["choices"] = []any{"Speed", "Price"}
	}},
	{"a question may be skipped", true, func(_ testserver.Object, questions []any) { questionOf(questions, 1)["optional"] = true }},
	{"the scale is changed", true, func(_ testserver.Object, questions []any) { questionOf(questions, 0)["scale"] = 5 }},
	{"the survey is renamed", true, func(fields testserver.Object, _ []any) { fields["name"] = "Other" }},
	{"nothing", false, func(testserver.Object, []any) {}},
	{"the survey is launched", false, func(fields testserver.Object, _ []any) { fields["start_date"] = "2026-01-02T00:00:00Z" }},
	{"colors", false, func(fields testserver.Object, _ []any) { fields["appearance"] = map[string]any{"position": "left"} }},
	{"targeting", false, func(fields testserver.Object, _ []any) {
		fields["conditions"] = map[string]any{"url": "https://example.com"}
	}},
	{"the description of the survey", false, func(fields testserver.Object, _ []any) { fields["description"] = "New" }},
	{"a button", false, func(_ testserver.Object, questions []any) { questionOf(questions, 0)["buttonText"] = "Go" }},
	{"branching", false, func(_ testserver.Object, questions []any) {
		questionOf(questions, 0)["branching"] = map[string]any{"type": "end"}
	}},
	{"a limit", false, func(fields testserver.Object, _ []any) { fields["responses_limit"] = 10 }},
}

func questionOf(questions []any, i int) map[string]any { return questions[i].(map[string]any) }

// keysRun runs posthog-sync keys against a server.
func keysRun(t *testing.T, srv *testserver.Instance, args ...string) (code int, printed string) {
	t.Helper()
	p := testProgram(t, srv)
	var output bytes.Buffer
	p.stdout, p.stderr = &output, &output
	return p.main(append([]string{"keys"}, args...)), output.String()
}

// A generated file is out of date only after edits that require changes to an app's code. Generating the file again
// updates it, and keeps the names of all remaining questions and choices.
func TestKeysCheckFindsEdits(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		for _, edit := range webEdits {
			t.Run(string(profile)+"/"+edit.name, func(t *testing.T) {
				t.Parallel()
				srv := testserver.Start(t, testserver.Options{Profile: profile})
				questions := []any{
					map[string]any{"id": "0190d6a4-0000-7000-8000-00000000000a", "type": "rating", "display": "number", "scale": 10, "question": "How likely?"},
					map[string]any{"id": "0190d6a4-0000-7000-8000-00000000000b", "type": "single_choice", "question": "Why?", "choices": []any{"Price", "Speed"}},
				}
				created := surveyIDOf(t, srv.CreateSurvey(testserver.Object{"name": "NPS", "type": "popover", "questions": questions}))
				for _, file := range []string{"surveys.ts", "surveys.json"} {
					requireStale(t, srv, created, edit.isFound, filepath.Join(t.TempDir(), file), func() testserver.Object {
						fields := testserver.Object{"questions": cloned(questions)}
						edit.edit(fields, fields["questions"].([]any))
						return fields
					})
					srv.PatchSurvey(created, testserver.Object{"name": "NPS", "questions": questions})
				}
			})
		}
	}
}

// requireStale checks a generated file before and after an edit.
func requireStale(t *testing.T, srv *testserver.Instance, id string, isFound bool, file string, edit func() testserver.Object) {
	t.Helper()
	code, printed := keysRun(t, srv, "--out", file)
	require.Equal(t, codeDone, code, printed)
	code, printed = keysRun(t, srv, "--check", file)
	require.Equal(t, codeDone, code, printed)

	srv.PatchSurvey(id, edit())
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	code, printed = keysRun(t, srv, "--check", file)
	if !isFound {
		require.Equal(t, codeDone, code, printed)
		return
	}
	require.Equal(t, codeDifferences, code, printed)
	assert.Contains(t, printed, "@@")
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "a check must not write")

	code, printed = keysRun(t, srv, "--out", file)
	require.Equal(t, codeDone, code, printed)
	code, printed = keysRun(t, srv, "--check", file)
	require.Equal(t, codeDone, code, printed)
}

// cloned returns copies of questions.
func cloned(questions []any) []any {
	copies := make([]any, len(questions))
	for i := range questions {
		copies[i] = maps.Clone(questionOf(questions, i))
	}
	return copies
}

// The codebook shows a survey's history from PostHog's activity log.
func TestKeysHistory(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	first := map[string]any{"id": "0190d6a4-0000-7000-8000-00000000000a", "type": "single_choice", "question": "Why?", "choices": []any{"Price", "Speed"}}
	created := surveyIDOf(t, srv.CreateSurvey(testserver.Object{"name": "NPS", "type": "popover", "questions": []any{first}}))

	second := maps.Clone(first)
	second["question"], second["choices"] = "Why | not?", []any{"Price", "Design"}
	srv.PatchSurvey(created, testserver.Object{"questions": []any{second}})
	srv.PatchSurvey(created, testserver.Object{"appearance": map[string]any{"position": "left"}})
	srv.PatchSurvey(created, testserver.Object{"start_date": "2026-01-02T00:00:00Z"})
	third := maps.Clone(second)
	third["id"] = "0190d6a4-0000-7000-8000-00000000000b"
	srv.PatchSurvey(created, testserver.Object{"questions": []any{third}})

	file := filepath.Join(t.TempDir(), "codebook.md")
	code, printed := keysRun(t, srv, "--out", file, "--history")
	require.Equal(t, codeDone, code, printed)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	_, history, found := strings.Cut(string(text), "### History\n\n| When | What |\n|---|---|\n")
	require.True(t, found, string(text))
	rows, _, _ := strings.Cut(history, "\n\n")
	for _, want := range [][]string{
		{"edited", "detached answers: ID 0190d6a4-0000-7000-8000-00000000000b instead of 0190d6a4-0000-7000-8000-00000000000a"},
		{"launched"}, {"edited (appearance)"}, {"edited", "reworded from", "Why \\| not?"}, {"created"},
	} {
		row, rest, _ := strings.Cut(rows, "\n")
		for _, words := range want {
			assert.Contains(t, row, words)
		}
		rows = rest
	}
	assert.Empty(t, rows)

	code, printed = keysRun(t, srv, "--check", file, "--history")
	assert.Equal(t, codeDone, code, printed)
}

func surveyIDOf(t *testing.T, survey testserver.Object) string {
	t.Helper()
	id, ok := survey["id"].(string)
	require.True(t, ok)
	return id
}
