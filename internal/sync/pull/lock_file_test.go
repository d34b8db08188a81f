package pull_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

const service = "https://eu.posthog.example/"

// pulling is a survey in a configuration, in a state, and in PostHog. Tests pull it repeatedly.
type pulling struct {
	t   *testing.T
	dir string
	// state is the survey in the state after the last refresh, and live is the current survey. written and history
	// are the private state, which cannot be read if written is empty.
	state, live object
	written     string
	history     []byte
	// held contains the values that PostHog had since the last write.
	held attribute.Held
	// planned is the survey in the configuration. sensitive marks its sensitive arguments.
	planned   object
	sensitive any
}

// newPulling returns a survey right after an apply.
func newPulling(t *testing.T, survey object) *pulling {
	t.Helper()
	p := &pulling{t: t, dir: t.TempDir(), written: "2026-01-01T00:00:00Z"}
	p.state = with(survey, object{"id": "0190d6a4-0000-7000-8000-000000000001", "project_id": "12"})
	p.live, p.planned = p.state, p.state
	p.write(survey["name"].(string))
	return p
}

// with returns an object with some values replaced.
func with(of object, other object) object {
	all := maps.Clone(of)
	maps.Copy(all, other)
	return all
}

// write sets the name in the configuration.
func (p *pulling) write(name string) {
	p.t.Helper()
	p.planned = with(p.planned, object{"name": name})
	require.NoError(p.t, os.WriteFile(filepath.Join(p.dir, "main.tf"), []byte("resource \"posthog_survey\" \"s\" {\n  name = "+strconv.Quote(name)+"\n}\n"), 0o600))
}

func (p *pulling) name() string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, "main.tf"))
	require.NoError(p.t, err)
	_, name, _ := strings.Cut(string(text), `name = "`)
	name, _, _ = strings.Cut(name, `"`)
	return name
}

// pull runs one pull, writes the files, and returns the findings.
func (p *pulling) pull() []string {
	p.t.Helper()
	lock, err := pull.ReadLock(p.dir, service)
	require.NoError(p.t, err)
	written, err := json.Marshal(p.written)
	require.NoError(p.t, err)
	held, err := json.Marshal(p.held)
	require.NoError(p.t, err)
	private := map[string]map[string][]byte{address: {"written": written, "applied_questions": p.history, attribute.HeldKey: held}}
	if p.written == "" {
		private = nil
	}

	change := &tfjson.ResourceChange{
		Address: address, Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Name: "s", ProviderName: "ours",
		Change: &tfjson.Change{Actions: update, Before: p.live, After: p.planned, AfterSensitive: p.sensitive},
	}
	if reflect.DeepEqual(p.live, p.planned) {
		change.Change.Actions = noOp
	}
	drift := *change
	drift.Change = &tfjson.Change{Before: p.state, After: p.live}
	plan := &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{change}, ResourceDrift: []*tfjson.ResourceChange{&drift}}
	resources, err := pull.Resources(plan, private, lock, func(string) bool { return true })
	require.NoError(p.t, err)
	resources, err = pull.WithLiteralIDs(p.dir, nil, resources)
	require.NoError(p.t, err)
	changes, found, err := pull.Edit(p.dir, nil, resources)
	require.NoError(p.t, err)

	lock.Note(resources, found)
	lock.Tidy(resources)
	if change, ok := lock.Change(); ok {
		changes = append(changes, change)
	}
	for _, change := range changes {
		require.NoError(p.t, os.WriteFile(filepath.Join(p.dir, change.Path), change.After, 0o600))
	}
	p.planned = with(p.planned, object{"name": p.name()})
	findings := []string{}
	for _, f := range found {
		findings = append(findings, string(f.Outcome)+" "+f.Attribute)
	}
	return findings
}

// lock returns the content of the lock file, or an empty string if the file does not exist.
func (p *pulling) lock() string {
	text, err := os.ReadFile(filepath.Join(p.dir, pull.LockName))
	if os.IsNotExist(err) {
		return ""
	}
	require.NoError(p.t, err)
	return string(text)
}

// A value that PostHog had after the last write can be a merge base: someone copied it by hand, so the configuration
// is outdated.
func TestAnOlderValueIsTheMergeBase(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		finding, want string
	}{
		"First":  {"edited name", "Third"},
		"Second": {"edited name", "Third"},
		"Ours":   {"conflict name", "Ours"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPulling(t, object{"name": "First"})
			p.held = attribute.Held{}
			for _, next := range []string{"Second", "Third"} { // refresh after each change
				p.held.Note(p.live, with(p.live, object{"name": next}))
				p.live = with(p.live, object{"name": next})
			}
			p.state = p.live
			p.write(name)
			assert.Equal(t, []string{c.finding}, p.pull())
			assert.Equal(t, c.want, p.name())
		})
	}
}

// If an edit in PostHog is made and undone, pull writes it to the configuration and removes it again, without an
// apply in between. An edit of the configuration stays pending. pull reports nothing else.
func TestTheLockTellsWhoChangedAValue(t *testing.T) {
	t.Parallel()
	p := newPulling(t, object{"name": "First"})
	assert.Empty(t, p.pull())
	assert.Empty(t, p.lock(), "the lock must be empty if nothing was pulled")

	p.live = with(p.live, object{"name": "Second"})
	assert.Equal(t, []string{"edited name"}, p.pull())
	remembered := p.lock()
	assert.Contains(t, remembered, `"eu.posthog.example/12/0190d6a4-0000-7000-8000-000000000001"`)
	assert.Contains(t, remembered, `"seen": "2026-01-01T00:00:00Z"`)
	p.pull()
	assert.Equal(t, remembered, p.lock(), "a second pull must not change the file")

	p.write("Ours")
	assert.Equal(t, []string{"pending name"}, p.pull())
	p.live = with(p.live, object{"name": "Third"})
	assert.Equal(t, []string{"conflict name"}, p.pull())
	assert.Equal(t, remembered, p.lock(), "the lock must keep the values that pull did not change")

	p.write("Second")
	assert.Equal(t, []string{"edited name"}, p.pull())
	assert.Equal(t, "Third", p.name())
	p.live = with(p.live, object{"name": "First"})
	assert.Equal(t, []string{"edited name"}, p.pull())
	assert.Equal(t, "First", p.name())
	assert.NotContains(t, p.lock(), "0190d6a4", "the lock must not contain a survey whose values equal the applied ones")
}

// A question was reworded in PostHog, pulled, and then saved without its ID. The state has another text, so the plan
// keeps the new ID. The lock contains the text, so pull reports the answers as detached.
func TestDetachedAnswersAfterAPull(t *testing.T) {
	t.Parallel()
	question := func(id, text string) any { return object{"id": id, "type": "open", "question": text} }
	p := newPulling(t, object{"name": "First", "questions": []any{question("a", "One?"), question("b", "Two?")}})
	remembered := fmt.Sprintf(`{"format": 1, "objects": {"eu.posthog.example/12/%s": {"seen": %q, "values": {"questions/b.question": %q}}}}`,
		p.live["id"], p.written, attribute.Hashes("text", "Second?")["text"])
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, pull.LockName), []byte(remembered), 0o600))

	p.live = with(p.live, object{"questions": []any{question("a", "One?"), question("new", "Second?")}})
	p.planned = p.live
	p.history = []byte(`{"written": 1, "accepted": 1, "lists": [[0, 2], [0, 1]], "cuts": {"new": {"old": "b", "likely": true}}, "questions": [
		{"id": "a", "type": "open", "question": "One?"}, {"id": "b", "type": "open", "question": "Two?"}, {"id": "new", "type": "open", "question": "Second?"}]}`)
	assert.Equal(t, []string{"left questions[1].id"}, p.pull())
	assert.JSONEq(t, strings.Replace(remembered, `"values"`, `"cuts": {"new": "b"}, "base": [
		{"id": "a", "type": "open", "question": "One?", "content": "-"}, {"id": "b", "type": "open", "question": "Second?", "content": "-"}
	], "values"`, 1), p.lock(), "the merge base must contain the old ID and the texts")

	// If someone rewords the question under its new ID, it is still the same question.
	p.live = with(p.live, object{"questions": []any{question("a", "One?"), question("new", "Something else entirely")}})
	p.planned = p.live
	p.history = []byte(`{"written": 1, "accepted": 1, "lists": [[0, 2], [0, 1]], "questions": [
		{"id": "a", "type": "open", "question": "One?"}, {"id": "b", "type": "open", "question": "Two?"}, {"id": "new", "type": "open", "question": "Something else entirely"}]}`)
	assert.Contains(t, p.pull(), "left questions[1].id")
	assert.Contains(t, p.lock(), `"new": "b"`)

	// After someone restores the old ID, the lock drops the new ID.
	p.live = with(p.live, object{"questions": []any{question("a", "One?"), question("b", "Two?")}})
	p.planned = p.live
	p.history = []byte(`{"written": 0, "accepted": 0, "lists": [[0, 1]], "questions": [
		{"id": "a", "type": "open", "question": "One?"}, {"id": "b", "type": "open", "question": "Two?"}]}`)
	p.pull()
	assert.NotContains(t, p.lock(), "cuts")
}

// An earlier pull reported that a question has a new ID, and the user sets this ID. pull keeps it.
func TestReportedIDThatTheBlockSetsIsKept(t *testing.T) {
	t.Parallel()
	question := func(id, text string) any { return object{"id": id, "type": "open", "question": text} }
	p := newPulling(t, object{"name": "S", "questions": []any{question("a", "One?")}})
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, pull.LockName), fmt.Appendf(nil, `{"format": 1, "objects": {"eu.posthog.example/12/%s": {"seen": %q, "base": [
		{"id": "a", "type": "open", "question": "One?", "content": "-"}, {"id": "x", "type": "open", "question": "Two?", "content": "-"}],
		"cuts": {"y": "x"}, "values": {"questions/x.question": %q, "questions/x.type": %q}}}}`,
		p.live["id"], p.written, attribute.Hashes("text", "Two?")["text"], attribute.Hashes("text", "open")["text"]), 0o600))
	const block = `resource "posthog_survey" "s" {
  name = "S"
  questions = [
    { type = "open", question = "One?" },
    { type = "open", question = "Two?", id = "y" },
  ]
}
`
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "main.tf"), []byte(block), 0o600))

	p.live = with(p.live, object{"questions": []any{question("a", "One?"), question("y", "Two?")}})
	p.planned = p.live
	p.history = []byte(`{"written": 1, "accepted": 1, "lists": [[0, 1], [0]], "questions": [
		{"id": "a", "type": "open", "question": "One?", "content": "-"}, {"id": "y", "type": "open", "question": "Two?", "content": "-"}]}`)
	assert.Equal(t, []string{"left questions[1].id"}, p.pull())
	text, err := os.ReadFile(filepath.Join(p.dir, "main.tf"))
	require.NoError(t, err)
	assert.Equal(t, block, string(text))
}

// A question was reworded in PostHog and pulled. Then one save deleted it and added an equal one with a new ID at
// another position. The state has another text, so the plan adds the new ID. This does not count as an edit of the
// configuration. If the block sets the new ID, both sides added the question, at different positions.
func TestPlannedIDIsNotStated(t *testing.T) {
	t.Parallel()
	question := func(id, text string) any { return object{"id": id, "type": "open", "question": text} }
	for id, want := range map[string][]string{
		``:             {"edited questions[1]", "edited questions[2].id", "left questions[1].id"},
		`, id = "new"`: {"conflict questions"},
	} {
		p := newPulling(t, object{"name": "S", "questions": []any{question("a", "One?"), question("c", "Three?"), question("b", "Two?")}})
		remembered := fmt.Sprintf(`{"format": 1, "objects": {"eu.posthog.example/12/%s": {"seen": %q, "base": [
			{"id": "a", "type": "open", "question": "One?", "content": "-"}, {"id": "c", "type": "open", "question": "Three?", "content": "-"},
			{"id": "b", "type": "open", "question": "Something else", "content": "-"}], "values": {"questions/b.question": %q}}}}`,
			p.live["id"], p.written, attribute.Hashes("text", "Something else")["text"])
		require.NoError(t, os.WriteFile(filepath.Join(p.dir, pull.LockName), []byte(remembered), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(p.dir, "main.tf"), []byte(`resource "posthog_survey" "s" {
  name = "S"
  questions = [
    { type = "open", question = "One?" },
    { type = "open", question = "Three?" },
    { type = "open", question = "Something else"`+id+` },
  ]
}
`), 0o600))

		p.live = with(p.live, object{"questions": []any{question("a", "One?"), question("new", "Something else"), question("c", "Three?")}})
		p.planned = with(p.live, object{"questions": []any{question("a", "One?"), question("c", "Three?"), question("new", "Something else")}})
		p.history = []byte(`{"written": 1, "accepted": 1, "lists": [[0, 3, 1], [0, 1, 2]], "questions": [
			{"id": "a", "type": "open", "question": "One?", "content": "-"}, {"id": "c", "type": "open", "question": "Three?", "content": "-"},
			{"id": "b", "type": "open", "question": "Two?", "content": "-"}, {"id": "new", "type": "open", "question": "Something else", "content": "-"}]}`)
		assert.Equal(t, want, p.pull(), "id in the block: %q", id)
	}
}

// A save replaced the ID of a question, and the configuration has a question at its position that asks something else. The
// plan reports that the two are only possibly the same, so pull does not write the ID into the block.
func TestGuessedIDIsNotWritten(t *testing.T) {
	t.Parallel()
	question := func(id, text string) any { return object{"id": id, "type": "open", "question": text} }
	for text, want := range map[string][]string{
		"Wholly unlike": {"pending questions[0].question", "left questions[0].id"},
		"Why, exactly?": {"pending questions[0].question", "edited questions[0].id", "left questions[0].id"},
	} {
		p := newPulling(t, object{"name": "S", "questions": []any{question("a", "Why exactly?")}})
		require.NoError(t, os.WriteFile(filepath.Join(p.dir, "main.tf"), []byte(`resource "posthog_survey" "s" {
  name      = "S"
  questions = [{ type = "open", question = "`+text+`" }]
}
`), 0o600))

		p.live = with(p.live, object{"questions": []any{question("new", "Why exactly?")}})
		p.planned = with(p.live, object{"questions": []any{question("a", text)}})
		p.history = []byte(`{"written": 1, "accepted": 1, "lists": [[0], [1]], "cuts": {"new": {"old": "a"}}, "questions": [
			{"id": "new", "type": "open", "question": "Why exactly?", "content": "-"}, {"id": "a", "type": "open", "question": "Why exactly?", "content": "-"}]}`)
		assert.ElementsMatch(t, want, p.pull(), text)
	}
}

// After an apply, the state is the merge base. The entry is kept until something else changes, so an apply does not
// change the file.
func TestAnEntryIsGoodForOneWrite(t *testing.T) {
	t.Parallel()
	p := newPulling(t, object{"name": "First"})
	p.live = with(p.live, object{"name": "Second"})
	p.pull()
	remembered := p.lock()

	p.write("Third")
	p.live = with(p.live, object{"name": "Third"})
	p.state, p.written = p.live, "2026-01-02T00:00:00Z"
	assert.Empty(t, p.pull())
	assert.Equal(t, remembered, p.lock())
	p.live = with(p.live, object{"name": "Second"})
	assert.Equal(t, []string{"edited name"}, p.pull())
	assert.Contains(t, p.lock(), `"seen": "2026-01-02T00:00:00Z"`)
	assert.NotContains(t, p.lock(), `"seen": "2026-01-01T00:00:00Z"`)
}

// The lock contains neither sensitive questions nor their hashes.
func TestSensitiveQuestionsStayOutOfTheLock(t *testing.T) {
	t.Parallel()
	for _, isSensitive := range []bool{false, true} {
		asking := func(text string) object {
			return object{"questions": []any{object{"id": "a", "type": "open", "question": text}}}
		}
		p := newPulling(t, with(object{"name": "First"}, asking("Why?")))
		p.sensitive = object{"questions": isSensitive}
		p.live = with(p.live, with(object{"name": "Second"}, asking("Why, in secret?")))
		p.pull()
		assert.Contains(t, p.lock(), `"name"`)
		assert.Equal(t, !isSensitive, strings.Contains(p.lock(), "in secret"))
		assert.Equal(t, !isSensitive, strings.Contains(p.lock(), "questions/a.question"))
	}
}

// Without a readable private state, the values in the state identify the last write.
func TestAnEntryIsGoodForOneWriteOfAnEncryptedState(t *testing.T) {
	t.Parallel()
	p := newPulling(t, object{"name": "First"})
	p.written = ""
	for _, name := range []string{"Second", "Third"} { // no apply in between
		p.live = with(p.live, object{"name": name})
		assert.Equal(t, []string{"edited name"}, p.pull())
		assert.Equal(t, name, p.name())
	}

	p.write("Fourth")
	p.state = with(p.state, object{"name": "Fourth"}) // applied
	p.live = with(p.live, object{"name": "Fifth"})
	assert.Equal(t, []string{"edited name"}, p.pull())
	assert.Equal(t, "Fifth", p.name())
}

// The lock keeps entries for other PostHog instances. It removes entries for deleted objects with the next change.
func TestEntriesOfOtherObjects(t *testing.T) {
	t.Parallel()
	p := newPulling(t, object{"name": "First"})
	entries := `{"format": 1, "objects": {
  "us.posthog.example/12/0190d6a4-0000-7000-8000-000000000002": {"seen": "x", "values": {"name": "h"}},
  "eu.posthog.example/12/0190d6a4-0000-7000-8000-000000000003": {"seen": "x", "values": {"name": "h"}}
}}`
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, pull.LockName), []byte(entries), 0o600))
	p.pull()
	assert.Equal(t, entries, p.lock())
	p.live = with(p.live, object{"name": "Second"})
	p.pull()
	assert.Contains(t, p.lock(), "us.posthog.example/12/0190d6a4-0000-7000-8000-000000000002")
	assert.NotContains(t, p.lock(), "0190d6a4-0000-7000-8000-000000000003")
}

// An invalid lock file ends the pull with a remedy. Users can safely delete the file: values without an entry count
// as edits of the configuration, so pull keeps them.
func TestBrokenLocks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{\n<<<<<<< HEAD\n":               "contains a merge conflict. Keep the side whose .tf files you keep, or delete the file",
		"<<<<<<< HEAD\n":                  "contains a merge conflict",
		`{"format": 1, "objects": {"a":`:  ": unexpected end of JSON input. Restore the file from version control, or delete it",
		`{"format": 1, "objects": ["a"]}`: "could not read",
		`{"format": 7, "objects": {}}`:    "has format 7, but this version of posthog-sync requires format 1. Use the version that wrote the file, restore the file, or delete it",
		`{}`:                              "has format 0, but this version of posthog-sync requires format 1",
		``:                                "could not read",
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, pull.LockName), []byte(text), 0o600))
		_, err := pull.ReadLock(dir, service)
		assert.ErrorContains(t, err, want, text)
	}

	p := newPulling(t, object{"name": "First"})
	p.live = with(p.live, object{"name": "Second"})
	p.pull()
	require.NoError(t, os.Remove(filepath.Join(p.dir, pull.LockName)))
	p.live = with(p.live, object{"name": "Third"})
	assert.Equal(t, []string{"conflict name"}, p.pull())
	assert.Equal(t, "Second", p.name())
}

// The texts of two questions are swapped in PostHog, and the configuration moves and rewords one of them. A plan
// would confuse the questions by their texts. pull therefore writes the IDs, edits no question twice, and reports that
// the IDs may have moved instead of the texts.
func TestSwappedTexts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.tf"), []byte(`resource "posthog_survey" "s" {
  questions = [
    { type = "open", question = "What is missing?" },
    { type = "open", question = "How is the editor, in short?" },
  ]
}
`), 0o600))
	question := func(id, text string) any { return object{"id": id, "type": "open", "question": text} }
	list := func(questions ...any) object {
		return object{"id": "s", "project_id": "12", "questions": questions}
	}
	change := &tfjson.ResourceChange{
		Address: address, Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Name: "s", ProviderName: "ours",
		Change: &tfjson.Change{
			Actions: update, Before: list(question("a", "What is missing?"), question("b", "How is the editor?")),
			After: list(question("b", "What is missing?"), question("a", "How is the editor, in short?")),
		},
	}
	drift := *change
	drift.Change = &tfjson.Change{Before: list(question("a", "How is the editor?"), question("b", "What is missing?")), After: change.Change.Before}
	private := map[string]map[string][]byte{address: {"applied_questions": []byte(`{"written": 1, "accepted": 1, "lists": [[0, 1], [2, 3]], "questions": [
		{"id": "a", "type": "open", "question": "What is missing?", "content": "-"}, {"id": "b", "type": "open", "question": "How is the editor?", "content": "-"},
		{"id": "a", "type": "open", "question": "How is the editor?", "content": "-"}, {"id": "b", "type": "open", "question": "What is missing?", "content": "-"}]}`)}}

	resources, err := pull.Resources(&tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{change}, ResourceDrift: []*tfjson.ResourceChange{&drift}},
		private, nil, func(string) bool { return true })
	require.NoError(t, err)
	changes, findings, err := pull.Edit(dir, nil, resources)
	require.NoError(t, err)
	require.Len(t, changes, 1)
	assert.Contains(t, string(changes[0].After), `
    { type = "open", question = "How is the editor?", id = "b" },
    { type = "open", question = "How is the editor, in short?", id = "a" },
`)
	var outcomes []string
	for _, f := range findings {
		outcomes = append(outcomes, string(f.Outcome)+" "+f.Attribute)
	}
	assert.ElementsMatch(t, []string{"pending questions", "conflict questions[1].question", "edited questions[0].id", "edited questions[0].question", "edited questions[1].id",
		"left questions[0].id", "left questions[1].id"}, outcomes)
}

// A block with for_each cannot be edited. Detached answers do not hide a teammate's edit of the survey: pull reports both
// until an apply takes the edit back, and the lock does not record it as shared.
func TestDetachedAnswersDoNotHideAnEdit(t *testing.T) {
	t.Parallel()
	question := func(id string) object {
		return object{"questions": []any{object{"id": id, "type": "open", "question": "Why?"}}}
	}
	p := newPulling(t, with(object{"name": "S", "description": "Old"}, question("old")))
	const block = "resource \"posthog_survey\" \"s\" {\n  for_each = toset([\"a\"])\n  name = \"S\"\n  description = \"Old\"\n  questions = [{ type = \"open\", question = \"Why?\" }]\n}\n"
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "main.tf"), []byte(block), 0o600))

	p.live = with(p.live, with(object{"description": "By a teammate"}, question("new")))
	p.history = []byte(`{"written": 1, "accepted": 1, "lists": [[0], [1]], "questions": [
		{"id": "new", "type": "open", "question": "Why?", "content": "-"}, {"id": "old", "type": "open", "question": "Why?", "content": "-"}],
		"cuts": {"new": {"old": "old", "before": 3, "since": 0}}}`)
	assert.Equal(t, []string{"left description", "left questions", "left questions[0].id"}, p.pull())

	p.live = with(p.live, question("old")) // repaired
	p.history = []byte(`{"written": 0, "accepted": 0, "lists": [[0]], "questions": [{"id": "old", "type": "open", "question": "Why?", "content": "-"}]}`)
	assert.Equal(t, []string{"left description"}, p.pull())
}

// A teammate added a question, and answers came in under two of its IDs. pull adds the question, and leaves it to the user
// to set one of the IDs.
func TestPullWritesNoIDIfBothHaveAnswers(t *testing.T) {
	t.Parallel()
	question := func(id, text string) any { return object{"id": id, "type": "open", "question": text} }
	p := newPulling(t, object{"name": "S", "start_date": "2026-01-01T00:00:00Z", "questions": []any{question("a", "Why?")}})
	const block = "resource \"posthog_survey\" \"s\" {\n  name = \"S\"\n  questions = [\n    { type = \"open\", question = \"Why?\" },\n  ]\n}\n"
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "main.tf"), []byte(block), 0o600))

	p.state = with(p.state, object{"questions": []any{question("a", "Why?"), question("x", "Else?")}})
	p.live = with(p.live, object{"questions": []any{question("a", "Why?"), question("y", "Else?")}})
	p.history = []byte(`{"written": 2, "accepted": 1, "lists": [[2, 1], [2, 3], [2]], "questions": [
		{"id": "b", "type": "open", "question": "Why?", "content": "-"}, {"id": "y", "type": "open", "question": "Else?", "content": "-"},
		{"id": "a", "type": "open", "question": "Why?", "content": "-"}, {"id": "x", "type": "open", "question": "Else?", "content": "-"}],
		"cuts": {"y": {"old": "x", "before": 3, "since": 1, "stays": true}}}`)
	assert.Equal(t, []string{"edited questions[1]", "left questions[1].id"}, p.pull())
	text, err := os.ReadFile(filepath.Join(p.dir, "main.tf"))
	require.NoError(t, err)
	assert.Contains(t, string(text), `{ type = "open", question = "Else?" }`)
}

// A teammate deletes a question, and restores it after a pull. An edit of another question that is not applied yet stays
// pending, and does not turn the restored question into a conflict.
func TestRestoredQuestionBesideAPendingOneIsNoConflict(t *testing.T) {
	t.Parallel()
	question := func(id any, text string) any { return object{"type": "open", "question": text, "id": id} }
	why, elseQuestion, ours := question("a", "Why?"), question("b", "Else?"), question("a", "Why, please?")
	p := newPulling(t, object{"name": "S", "questions": []any{why, elseQuestion}})
	p.history = []byte(`{"written": 0, "accepted": 0, "lists": [[0, 1]], "questions": [
		{"id": "a", "type": "open", "question": "Why?", "content": "-"}, {"id": "b", "type": "open", "question": "Else?", "content": "-"}]}`)
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "main.tf"), []byte("resource \"posthog_survey\" \"s\" {\n  name = \"S\"\n  questions = [\n"+
		"    { type = \"open\", question = \"Why, please?\" },\n    { type = \"open\", question = \"Else?\" },\n  ]\n}\n"), 0o600))
	p.planned = with(p.state, object{"questions": []any{ours, elseQuestion}})

	p.live = with(p.live, object{"questions": []any{why}})
	assert.ElementsMatch(t, []string{"edited questions[1]", "pending questions[0].question"}, p.pull())
	p.planned = with(p.state, object{"questions": []any{ours}})
	p.live = p.state
	assert.ElementsMatch(t, []string{"edited questions[1]", "pending questions[0].question"}, p.pull())
	text, err := os.ReadFile(filepath.Join(p.dir, "main.tf"))
	require.NoError(t, err)
	assert.Contains(t, string(text), `"Else?"`)
}

// The configuration has edits of questions that are not applied yet. They stay pending, and do not turn a teammate's second
// edit of another question, or of another attribute, into a conflict.
func TestPendingQuestionsDoNotCauseConflicts(t *testing.T) {
	t.Parallel()
	question := func(id any, text, description string) any {
		q := object{"type": "open", "question": text, "id": id}
		if description != "" {
			q["description"] = description
		}
		return q
	}
	line := func(q any) string {
		text := fmt.Sprintf("    { type = \"open\", question = %q", q.(object)["question"])
		if description, ok := q.(object)["description"]; ok {
			text += fmt.Sprintf(", description = %q", description)
		}
		return text + " },\n"
	}
	why, elseQuestion := question("a", "Why?", ""), question("b", "Else?", "")
	for name, c := range map[string]struct {
		// ours is the configuration, in which TEXT is the text that PostHog has for the first question.
		ours    func(text string) []any
		theirs  []any
		pending []string
	}{
		"added in the configuration": {
			func(text string) []any {
				return []any{question("a", text, ""), elseQuestion, question(nil, "New in the code?", "")}
			},
			[]any{elseQuestion}, []string{"pending questions[2]"},
		},
		"removed in the configuration": {
			func(text string) []any { return []any{question("a", text, "")} },
			[]any{elseQuestion}, []string{"pending questions"},
		},
		"reworded in the configuration": {
			func(text string) []any { return []any{question("a", text, ""), question("b", "Else, please?", "")} },
			[]any{elseQuestion}, []string{"pending questions[1].question"},
		},
		"another attribute": {
			func(text string) []any { return []any{question("a", text, "Ours"), elseQuestion} },
			[]any{elseQuestion}, []string{"pending questions[0].description"},
		},
		"moved in the configuration": {
			func(text string) []any { return []any{elseQuestion, question("a", text, "")} },
			[]any{elseQuestion}, []string{"pending questions"},
		},
		"moved in the configuration, and added by a teammate": {
			func(text string) []any {
				return []any{elseQuestion, question("a", text, ""), question("c", "And?", "")}
			},
			[]any{elseQuestion, question("c", "And?", "")}, []string{"pending questions"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPulling(t, object{"name": "S", "questions": []any{why, elseQuestion}})
			p.history = []byte(`{"written": 0, "accepted": 0, "lists": [[0, 1]], "questions": [
				{"id": "a", "type": "open", "question": "Why?", "content": "-"}, {"id": "b", "type": "open", "question": "Else?", "content": "-"}]}`)
			ours := slices.DeleteFunc(c.ours("Why?"), func(q any) bool { return q.(object)["id"] == "c" })
			list := ""
			for _, q := range ours {
				list += line(q)
			}
			require.NoError(t, os.WriteFile(filepath.Join(p.dir, "main.tf"), []byte("resource \"posthog_survey\" \"s\" {\n  name = \"S\"\n  questions = [\n"+list+"  ]\n}\n"), 0o600))
			p.planned = with(p.state, object{"questions": ours})

			for _, text := range []string{"Why us?", "Why us today?"} {
				p.live = with(p.live, object{"questions": append([]any{question("a", text, "")}, c.theirs...)})
				left := slices.DeleteFunc(p.pull(), func(finding string) bool { return strings.HasPrefix(finding, "edited ") })
				assert.Equal(t, c.pending, left, text)
				written, err := os.ReadFile(filepath.Join(p.dir, "main.tf"))
				require.NoError(t, err)
				assert.Contains(t, string(written), strconv.Quote(text))
				p.planned = with(p.state, object{"questions": c.ours(text)})
			}
		})
	}
}
