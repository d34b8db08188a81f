package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// An export equals the live source, a sync of the export does nothing, and the same surveys always produce the same
// bytes.
func TestExportedYAMLIsTheLiveSide(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			s := newTwoSides(t, profile)
			rapid.Check(t, func(rt *rapid.T) {
				s.fill(rt, profile)
				file := filepath.Join(t.TempDir(), "surveys.yaml")
				s.must("export", "--env", "a", "--to", "yaml", file)
				written, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Equal(t, string(written), s.must("export", "--env", "a", "--to", "yaml"))

				s.must("diff", "file:"+file, "live:a", "--kind", "surveys")
				s.must("diff", "live:a", "file:"+file, "--kind", "surveys")
				s.must("sync", "file:"+file, "live:a", "--yes")
			})
		})
	}
}

// must runs a command line that must succeed, and returns its output.
func (s *twoSides) must(args ...string) string {
	s.t.Helper()
	code, stdout, stderr := s.run(args...)
	require.Equal(s.t, codeDone, code, "%v: %s%s", args, stdout, stderr)
	return stdout
}

const writtenExample = "../../../examples/yaml/surveys.yaml"

// writtenFile is a YAML survey file that someone edits.
type writtenFile struct {
	*twoSides
	path string
}

func newWrittenFile(t *testing.T) *writtenFile {
	t.Helper()
	text, err := os.ReadFile(writtenExample)
	require.NoError(t, err)
	f := &writtenFile{newTwoSides(t, testserver.Hosted), filepath.Join(t.TempDir(), "surveys.yaml")}
	f.a.SetFixtures(`{"surveys": []}`)
	f.write(string(text))
	return f
}

func (f *writtenFile) write(text string) {
	require.NoError(f.t, os.WriteFile(f.path, []byte(text), 0o600))
}

// edit replaces a text that occurs exactly once in the file.
func (f *writtenFile) edit(from, to string) {
	f.t.Helper()
	text, err := os.ReadFile(f.path)
	require.NoError(f.t, err)
	require.Equal(f.t, 1, strings.Count(string(text), from), from)
	f.write(strings.Replace(string(text), from, to, 1))
}

// sync syncs the file twice. The second sync must do nothing.
func (f *writtenFile) sync(flags ...string) string {
	f.t.Helper()
	args := append([]string{"sync", "file:" + f.path, "live:a", "--yes"}, flags...)
	done := f.must(args...)
	require.Contains(f.t, f.must(args...), "Nothing to do")
	f.must("diff", "file:"+f.path, "live:a", "--kind", "surveys", "--fail-on", "missing,changed")
	return done
}

func (f *writtenFile) survey(name string) fields {
	for _, one := range f.a.Server.Surveys("1") {
		if one["name"] == name {
			return one
		}
	}
	f.t.Fatalf("no survey is named %q", name)
	return nil
}

// ids maps a survey's question texts to IDs.
func (f *writtenFile) ids(name string) map[string]string {
	ids := map[string]string{}
	list, _ := f.survey(name)["questions"].([]any)
	for _, one := range list {
		question, _ := one.(fields)
		ids[fmt.Sprint(question["question"])] = fmt.Sprint(question["id"])
	}
	return ids
}

// Surveys of every kind are written by hand for an empty project, and are then reworded, moved, launched, stopped,
// and deleted. A sync also overwrites a teammate's edits in PostHog.
func TestSurveysWrittenByHand(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	require.Contains(t, f.sync(), "12 done")
	require.NotNil(t, f.survey("Quarterly NPS")["start_date"])
	require.Nil(t, f.survey("Onboarding")["start_date"])

	before := f.ids("Onboarding")
	f.edit("What brought you back?", "What has brought you back?")
	require.Contains(t, f.sync(), `questions[2].question: "What brought you back?" -> "What has brought you back?"`)
	require.Equal(t, before["What brought you back?"], f.ids("Onboarding")["What has brought you back?"])

	f.edit("      - name: first\n        type: open\n        question: What do you want to do first?\n        branching: {type: specific_question, question: last}\n", "")
	f.edit("        question: Is there anything else?\n        optional: true\n", "        question: Is there anything else?\n        optional: true\n"+
		"      - name: first\n        type: open\n        question: What do you want to do first?\n        branching: {type: specific_question, question: last}\n")
	f.sync()
	moved := f.ids("Onboarding")
	for _, text := range []string{"What do you want to do first?", "Is there anything else?"} {
		require.Equal(t, before[text], moved[text])
	}

	f.edit("  - name: Dark mode\n    type: popover\n", "  - name: Dark mode\n    type: popover\n    status: running\n")
	code, page, _ := f.run("sync", "file:"+f.path, "live:a", "--dry-run", "--format", "markdown")
	require.Equal(t, codeDifferences, code)
	require.Contains(t, page, "### Dark mode\n\n**launched**, 0 responses\n\n> [!WARNING]\n> Asks everybody, on every page, once a person, without a limit.")
	require.Contains(t, page, "| kept at 0 | Do you use the dark mode? | stay attached (survey: 0 responses) |")
	require.Contains(t, f.sync(), `update survey "Dark mode" and launch it`)
	f.edit("  - name: Dark mode\n    type: popover\n    status: running\n", "  - name: Dark mode\n    type: popover\n    status: completed\n")
	f.sync()
	require.NotNil(t, f.survey("Dark mode")["end_date"])
	f.edit("    status: completed\n", "")
	require.NotNil(t, f.survey("Dark mode")["end_date"])

	edited := f.survey("Satisfaction")
	f.a.PatchSurvey(fmt.Sprint(edited["id"]), fields{"description": "Edited in the web interface", "start_date": "2026-01-01T00:00:00Z"})
	code, stdout, _ := f.run("diff", "file:"+f.path, "live:a", "--kind", "surveys")
	require.Equal(t, codeDifferences, code)
	require.Contains(t, stdout, `description: "" -> "Edited in the web interface"`)
	f.sync()
	require.NotNil(t, f.survey("Satisfaction")["start_date"], "a file without status must not stop a survey")

	f.edit("  - name: Old pricing\n    type: popover\n    archived: true\n    questions:\n      - {type: open, question: What do you think of the new prices?}\n", "")
	f.sync() // sync does not change objects that the file lacks
	require.Contains(t, f.sync("--allow-delete"), `delete survey "Old pricing": done`)
}

// Mistakes in a file are errors with the file name and line. Values that may be intended cause warnings.
func TestMistakesInWrittenSurveys(t *testing.T) {
	t.Parallel()
	const first = "surveys:\n  - name: NPS\n"
	for text, want := range map[string]string{
		first + "    typ: api\n    archived: yes": "Error: FILE: line 3: surveys[0].typ is not supported. The nearest key is type\n" +
			"FILE: line 4: surveys[0].archived is \"yes\". It must be true or false\n",
		first + "    type: popover\n    appearance:\n      backgroundColour: red": "Warning: FILE: line 5: surveys[0].appearance.backgroundColour is not a known key. " +
			"Did you mean appearance.backgroundColor?",
	} {
		srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
		file := filepath.Join(t.TempDir(), "surveys.yaml")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		for _, args := range [][]string{{"lint", "file:" + file}, {"sync", "file:" + file, "live", "--yes"}} {
			code, _, stderr := commandLine(t, t.Context(), srv, args...)
			if strings.HasPrefix(want, "Error: ") {
				assert.Equal(t, codeError, code, args)
			} else {
				assert.Equal(t, codeDone, code, args) // a newer version may support this key
			}
			assert.Contains(t, strings.ReplaceAll(stderr, file, "FILE"), want, args)
		}
	}
}

// Editors with the JSON schema accept all files that the program accepts.
func TestWrittenExampleFitsItsSchema(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile("../../../schemas/surveys.schema.json")
	require.NoError(t, err)
	text, err := os.ReadFile(writtenExample)
	require.NoError(t, err)
	var document any
	require.NoError(t, yaml.Unmarshal(text, &document))
	raw, err := json.Marshal(document)
	require.NoError(t, err)
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(value))

	value.(map[string]any)["x-shared"] = map[string]any{"anything": true} //nolint:forcetypeassert,errcheck // it is valid
	require.NoError(t, schema.Validate(value))
	surveys := value.(map[string]any)["surveys"].([]any) //nolint:forcetypeassert,errcheck // it is valid
	surveys[0].(map[string]any)["namee"] = "NPS"         //nolint:forcetypeassert,errcheck // it is valid
	require.Error(t, schema.Validate(value))
}

// Without an API key, the file can still be read. Its surveys do not have IDs.
func TestWrittenSurveysNeedNoKey(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	p := f.program()
	p.getenv = func(string) string { return "" }
	for _, args := range [][]string{{"lint"}, {"draw"}} {
		p := *p
		code, stdout, stderr := f.runWith(t.Context(), &p, append(args, "file:"+f.path)...)
		require.Equal(t, codeDone, code, stderr)
		require.NotEmpty(t, stdout)
	}
	code, _, stderr := f.run("keys", "file:"+f.path)
	require.Equal(t, codeError, code)
	require.Contains(t, stderr, "does not have IDs before a sync. Use the source live instead")
}

// If PostHog stopped a survey at its response limit, the next sync does not launch it again, unless the limit is
// raised.
func TestWrittenSurveyStaysStoppedAtItsLimit(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	f.write("surveys:\n  - {name: NPS, type: popover, status: running, responses_limit: 2, questions: [{type: open, question: Why?}]}\n")
	f.sync()
	id := fmt.Sprint(f.survey("NPS")["id"])
	f.a.AddResponses(id, 2)
	f.a.PatchSurvey(id, fields{"end_date": "2026-05-01T00:00:00Z", "responses_limit": nil}) // PostHog stops the survey

	f.a.SetFaults(testserver.Fault{Operation: "surveys_responses_count_retrieve", Status: http.StatusForbidden})
	stays := f.must("sync", "file:"+f.path, "live:a", "--yes")
	require.Regexp(t, `status stays "completed": .*; it is unknown whether it has reached responses_limit: could not read its number of responses: 403`, stays)
	require.NotNil(t, f.survey("NPS")["end_date"])
	f.a.SetFaults()

	stays = f.must("sync", "file:"+f.path, "live:a", "--yes")
	require.Contains(t, stays, `survey "NPS" is left alone`)
	require.Regexp(t, `status stays "completed": .*To run it again, raise the limit`, stays)
	require.NotNil(t, f.survey("NPS")["end_date"])

	stopped := f.must("diff", "file:"+f.path, "live:a", "--kind", "surveys")
	assert.Contains(t, stopped, `survey "NPS" is not running: it has reached responses_limit`)

	f.edit("responses_limit: 2", "responses_limit: 5")
	require.Contains(t, f.sync(), "and launch it")
	require.Nil(t, f.survey("NPS")["end_date"])
}

// respond sends responses with answers to all of a survey's questions.
func respond(t *testing.T, srv *testserver.Instance, survey fields, respondents ...string) {
	t.Helper()
	questions, _ := survey["questions"].([]any)
	for _, respondent := range respondents {
		properties := fields{"token": "phc_test", "$survey_id": survey["id"], "$survey_completed": true}
		for _, q := range questions {
			properties[fmt.Sprint("$survey_response_", q.(fields)["id"])] = "x"
		}
		request(t, srv, http.MethodPost, "/e/", fields{"api_key": "phc_test", "event": "survey sent", "distinct_id": respondent, "properties": properties})
	}
}

// saveQuestions saves a survey's questions in PostHog after an edit.
func saveQuestions(t *testing.T, srv *testserver.Instance, survey fields, edit func(list []any) []any) {
	t.Helper()
	list, _ := survey["questions"].([]any)
	request(t, srv, http.MethodPatch, fmt.Sprint("/api/projects/1/surveys/", survey["id"], "/"), fields{"questions": edit(list)})
}

// request sends a request that must succeed.
func request(t *testing.T, srv *testserver.Instance, method, path string, body any) {
	t.Helper()
	text, err := json.Marshal(body)
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), method, srv.URL+path, strings.NewReader(string(text)))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+srv.APIKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Contains(t, []int{http.StatusOK, http.StatusCreated}, response.StatusCode)
}

// A new ID in the file makes a question new, as in a Terraform configuration. Existing answers do not move to the new
// ID, so a sync detaches them only if the user allows it.
func TestWrittenIDMakesANewQuestion(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	f.write("surveys:\n  - {name: NPS, type: popover, status: running, questions: [{type: open, question: Why?}, {type: open, question: Else?}]}\n")
	f.sync()
	before := f.ids("NPS")
	respond(t, f.a, f.survey("NPS"), "ann", "bob", "cem", "dan")
	f.edit("question: Else?", "question: Which team?, id: team")

	code, stdout, _ := f.run("sync", "file:"+f.path, "live:a", "--yes")
	require.Equal(t, codeRefused, code, stdout)
	require.NotContains(t, stdout, "reattaches", "the preview must not announce that answers are reattached, because the new ID has none")
	require.Contains(t, stdout, "it would detach answers. To allow this, use --allow-detached-answers")
	require.Equal(t, before, f.ids("NPS"))

	f.sync("--allow-detached-answers")
	require.Equal(t, map[string]string{"Why?": before["Why?"], "Which team?": "team"}, f.ids("NPS"))

	// If two questions have the same text, the question without an ID is the existing one.
	f.edit("question: Which team?, id: team", "question: Why?, id: again")
	f.sync("--allow-detached-answers")
	list, _ := f.survey("NPS")["questions"].([]any)
	require.Equal(t, []any{before["Why?"], "again"}, []any{list[0].(fields)["id"], list[1].(fields)["id"]})
}

// IDs in the file take precedence. If a save omitted them, diff reports the answers under these IDs, and a sync
// restores the IDs.
func TestSyncRestoresWrittenIDs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		respondents []string
		want        string
	}{
		"answers":    {[]string{"ann", "bob"}, "detached answers (at most 2 answers under the old ID twin, no answers under the new ID "},
		"no answers": {nil, "No answers are affected."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newWrittenFile(t)
			f.write("surveys:\n  - {name: NPS, type: popover, status: running, questions: [{type: open, question: Why?, id: twin}, {type: open, question: Else?}]}\n")
			f.sync()
			respond(t, f.a, f.survey("NPS"), c.respondents...)
			before := f.ids("NPS")
			saveQuestions(t, f.a, f.survey("NPS"), withoutIDs)
			now := f.ids("NPS")
			require.NotEqual(t, "twin", now["Why?"])

			code, stdout, _ := f.run("diff", "file:"+f.path, "live:a", "--kind", "surveys")
			assert.Equal(t, codeDifferences, code)
			assert.Contains(t, stdout, fmt.Sprintf("questions[0].id: \"twin\" -> %q", now["Why?"]))
			assert.Contains(t, stdout, c.want)
			if c.respondents == nil {
				assert.NotContains(t, stdout, "detached")
			} else {
				assert.Regexp(t, `(?m)^ +posthog-sync repair NPS --env a --yes$`, stdout, "the command must be on its own line")
			}

			code, stdout, stderr := f.run("sync", "file:"+f.path, "live:a", "--yes")
			assert.Contains(t, stdout, "1 done", stderr)
			assert.Equal(t, codeDone, code)
			want := before
			if c.respondents == nil {
				want["Else?"] = now["Else?"] // this question has no answers
			}
			assert.Equal(t, want, f.ids("NPS"), "each question must have the ID in the file or the ID that has answers")
		})
	}
}

// L17: a sync restores the IDs that have the answers even if the file does not set IDs, and its preview uses the same
// words as a plan. The preview also reports an ID that is not replaced.
func TestL17SyncRestoresIDsWithAnswers(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	f.write("surveys:\n  - {name: NPS, type: popover, status: running, questions: [{type: open, question: Why?}, {type: open, question: What is missing?}]}\n")
	f.sync()
	before := f.ids("NPS")
	f.answer("ann", "bob")
	f.save(withoutIDs)
	now := f.ids("NPS")
	f.edit("question: What is missing?", "question: What is missing now?")
	f.edit("[{type: open, question: Why?}, ", "[")
	f.edit("now?}]", "now?}, {type: open, question: Why?}]")

	code, stdout, stderr := f.run("sync", "file:"+f.path, "live:a", "--dry-run")
	assert.Equal(t, codeDifferences, code, stderr)
	assert.Contains(t, stdout, fmt.Sprintf("questions[0] \"Why?\": detached answers (at most 2 answers under the old ID %s, no answers under the new ID %s)", before["Why?"], now["Why?"]))
	assert.Contains(t, stdout, "This sync restores the old IDs, which reattaches the answers.")
	assert.Equal(t, now, f.ids("NPS"), "a preview must not write")

	code, stdout, stderr = f.run("sync", "file:"+f.path, "live:a", "--yes")
	assert.Equal(t, codeDone, code, stderr)
	assert.NotContains(t, stdout, "detached answers (", "all answers must be reattached")
	assert.Equal(t, map[string]string{"Why?": before["Why?"], "What is missing now?": before["What is missing?"]}, f.ids("NPS"))
	f.sync()

	f.save(withoutIDs)
	f.answer("cem")
	now = f.ids("NPS")
	code, stdout, stderr = f.run("sync", "file:"+f.path, "live:a", "--yes")
	assert.Equal(t, codeDifferences, code, stderr)
	assert.Contains(t, stdout, "There are or may be answers under both IDs.")
	assert.NotContains(t, stdout, "This sync restores")
	assert.Equal(t, now, f.ids("NPS"))
}

// L17: an old ID that the file sets for one question is not restored for another one.
func TestL17SyncRestoresAnIDOnce(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	f.write("surveys:\n  - {name: NPS, type: popover, status: running, questions: [{type: open, question: Why?, id: why}]}\n")
	f.sync()
	f.answer("ann")
	f.save(withoutIDs)
	f.save(func(list []any) []any {
		list[0].(fields)["description"] = "In PostHog"
		return append(list, fields{"type": "open", "question": "Why?", "id": "again"})
	})
	f.edit("[{", "[{type: open, question: Why?, description: In the file}, {")

	f.run("sync", "file:"+f.path, "live:a", "--yes", "--allow-detached-answers")

	list, _ := f.survey("NPS")["questions"].([]any)
	require.Len(t, list, 2)
	assert.NotEqual(t, "why", list[0].(fields)["id"])
	assert.Equal(t, "why", list[1].(fields)["id"])
}

// L17: the activity log tells which of two equal questions had the ID that the file sets. The other one keeps its own
// answers.
func TestL17SyncFindsTheQuestionOfAStatedID(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	f.write("surveys:\n  - {name: NPS, type: popover, status: running, questions: [{type: open, question: Why?, id: why}]}\n")
	f.sync()
	f.save(func(list []any) []any { return append(list, fields{"type": "open", "question": "Why?", "id": "again"}) })
	f.answer("ann")
	f.save(withoutIDs)
	f.edit("[{", "[{type: open, question: Why?}, {")

	f.sync()

	list, _ := f.survey("NPS")["questions"].([]any)
	require.Len(t, list, 2)
	assert.Equal(t, "again", list[0].(fields)["id"])
	assert.Equal(t, "why", list[1].(fields)["id"])
}

// A question that was deleted in PostHog returns only after diff and a sync's preview have reported it, with the
// effect on its answers.
func TestDeletedQuestionReturnsFromYAML(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		id, want string
	}{
		"without an ID": {"", "It returns with a new ID, and its earlier answers stay under the old one (at most 2 answers)."},
		"with its ID":   {", id: missing", "It returns with that ID, which reattaches its answers (at most 2 answers)."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newWrittenFile(t)
			f.write("surveys:\n  - {name: NPS, type: popover, status: running, questions: [{type: open, question: Why?}, {type: open, question: What is missing?, id: missing}]}\n")
			f.sync()
			f.answer("ann", "bob")
			f.save(func(list []any) []any { return list[:1] })
			f.edit(", id: missing", c.id)

			for _, args := range [][]string{
				{"diff", "file:" + f.path, "live:a"}, {"diff", "live:a", "file:" + f.path}, {"sync", "file:" + f.path, "live:a", "--dry-run"},
			} {
				exit, stdout, stderr := f.run(append(args, "--kind", "surveys")...)
				require.Equal(t, codeDifferences, exit, stderr)
				assert.Contains(t, stdout, `questions[1] "What is missing?": PostHog no longer contains the question "What is missing?" with the ID "missing". `+c.want)
			}
			exit, stdout, stderr := f.run("sync", "file:"+f.path, "live:a", "--yes")
			require.Equal(t, codeDone, exit, "%s\n%s", stdout, stderr)
			assert.Equal(t, c.id != "", f.ids("NPS")["What is missing?"] == "missing")
			_, stdout, _ = f.run("diff", "file:"+f.path, "live:a", "--kind", "surveys")
			assert.NotContains(t, stdout, "no longer contains")
		})
	}
}

// A file that sets question IDs may describe a survey that PostHog accepts and a new survey must not have. Only errors that
// the file adds are refused.
func TestNewErrorsBesideQuestionIDsAreRefused(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	f.write("surveys:\n  - {name: NPS, type: popover, questions: [{type: rating, scale: 5, display: number, question: Why?, id: why}]}\n")
	f.sync()
	f.save(func(list []any) []any {
		list[0].(map[string]any)["scale"] = 4
		return list
	})
	f.edit("scale: 5", "scale: 4, description: Your view")
	f.sync()

	f.save(withoutIDs)
	f.sync()

	f.edit("scale: 4", "scale: 6")
	exit, stdout, _ := f.run("sync", "file:"+f.path, "live:a", "--yes")
	assert.Equal(t, codeRefused, exit, stdout)
	assert.Contains(t, stdout, "questions[0].scale is 6")
}

// If both IDs have answers, a sync restores the ID in the file only if the user allows it.
func TestSyncCountsAnswersUnderBothIDs(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	f.write("surveys:\n  - {name: NPS, type: popover, status: running, questions: [{type: open, question: Why?, id: twin}]}\n")
	f.sync()
	respond(t, f.a, f.survey("NPS"), "ann", "bob")
	saveQuestions(t, f.a, f.survey("NPS"), withoutIDs)
	respond(t, f.a, f.survey("NPS"), "cem")
	now := f.ids("NPS")

	code, stdout, _ := f.run("sync", "file:"+f.path, "live:a", "--yes")
	assert.Equal(t, codeRefused, code, stdout)
	assert.Contains(t, stdout, fmt.Sprintf("reattaches the answers under the ID twin, and detaches those under the ID %s (1 answer)", now["Why?"]))
	assert.Contains(t, stdout, "--allow-detached-answers")
	assert.Equal(t, now, f.ids("NPS"))

	f.sync("--allow-detached-answers")
	assert.Equal(t, map[string]string{"Why?": "twin"}, f.ids("NPS"))
}

// If a file contains a flag ID that the project does not have, sync fails before it writes anything. sync checks the
// flag even if no survey uses it.
func TestWrittenSurveyOfAMissingFlag(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	f.a.SetFixtures(fixturesOfA)
	f.write("surveys:\n  - {name: Linked, type: popover, linked_flag_id: 1}\n  - {name: Targeted, type: popover, targeting_flag_id: 2}\n  - {name: Plain, type: popover}\n")
	f.sync()
	listed := func() int {
		return len(slices.DeleteFunc(f.a.Journal(), func(r testserver.Request) bool { return r.Operation != "feature_flags_list" }))
	}
	require.Equal(t, 1, listed(), "only the first of three runs may list feature flags, because the others find them in the surveys")

	f.edit("Plain, type: popover", "Plain, type: popover, linked_flag_id: 99")
	f.edit("linked_flag_id: 1}", "linked_flag_id: 3}")
	code, stdout, stderr := f.run("sync", "file:"+f.path, "live:a", "--yes")
	require.Equal(t, codeError, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, `live:a does not have a feature flag with the ID 99, to which survey "Plain" refers. Use the ID of an existing flag, or create the flag first`)
	require.NotContains(t, stderr, "the id 3")
	require.EqualValues(t, json.Number("1"), f.survey("Linked")["linked_flag_id"])

	// If the API key cannot list flags, PostHog checks the flag.
	f.edit("linked_flag_id: 99", "linked_flag_id: 3")
	f.a.SetFaults(testserver.Fault{Operation: "feature_flags_list", Status: http.StatusForbidden})
	f.sync()
}

// sync deletes a flag that may be used elsewhere only if the user allows it.
func TestWrittenSurveyWithoutItsFlag(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	f.a.SetFixtures(fixturesOfA)
	f.write("surveys: [{name: NPS, type: popover, targeting_flag_id: 2}]\n")
	f.sync()

	f.edit(", targeting_flag_id: 2", ", targeting_flag_filters: {groups: [{rollout_percentage: 50}]}")
	code, stdout, _ := f.run("sync", "file:"+f.path, "live:a", "--yes")
	require.Equal(t, codeRefused, code)
	require.Contains(t, stdout, `PostHog would delete feature flag "gamma", even if something else uses it. To allow this, use --allow-delete`)
	require.EqualValues(t, json.Number("2"), f.survey("NPS")["targeting_flag_id"])

	f.sync("--allow-delete")
	f.edit(", targeting_flag_filters: {groups: [{rollout_percentage: 50}]}", "")
	f.sync() // the survey's own flag
}

// Values that PostHog normalizes or drops do not differ from the file. Other changes are reported as PostHog stores
// them.
func TestWrittenInAnotherFormThanStored(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ first, edited, report string }{
		"languages": {
			"translations: {pt-BR: {name: F}, DE: {name: G}}, questions: [{type: open, question: Q, translations: {zh-Hant: {question: P}, pt_BR: {question: R}}}]",
			"translations: {pt-BR: {name: F2}, DE: {name: G}}, questions: [{type: open, question: Q, translations: {zh-Hant: {question: P2}, pt_BR: {question: R}}}]",
			"    questions[0].translations.zh-hant.question: \"P\" -> \"P2\"\n    translations.pt-br.name: \"F\" -> \"F2\"\n",
		},
		"dropped texts": {
			"translations: {de: {name: Y, nme: X}}, questions: [{type: open, question: Q, translations: {de: {question: F, button_text: W, choices: [a]}}}]",
			"translations: {de: {name: Z, nme: X}}, questions: [{type: open, question: Q, translations: {de: {question: F2, button_text: W, choices: [a]}}}]",
			"    questions[0].translations.de.question: \"F\" -> \"F2\"\n    translations.de.name: \"Y\" -> \"Z\"\n",
		},
		"dropped languages": {
			"translations: {de: {}, fr: {nme: X}}, questions: [{type: open, question: Q, translations: {de: {}, fr: {link: ''}}}]",
			"translations: {de: {name: Y}, fr: {nme: X}}, questions: [{type: open, question: Q, translations: {de: {}, fr: {question: F}}}]",
			"    questions[0].translations.fr: (none) -> {\"question\":\"F\"}\n    translations.de: (none) -> {\"name\":\"Y\"}\n",
		},
		"choices": {
			"questions: [{type: single_choice, question: Q, choices: [a, b], translations: {DE: {question: F}}}]",
			"questions: [{type: single_choice, question: Q, choices: [a, b], translations: {DE: {question: F, choices: [c, d]}}}]",
			"    questions[0].translations.de.choices: (none) -> [\"c\",\"d\"]\n",
		},
		"base language": {"base_language: ''", "base_language: DE", "    base_language: \"en\" -> \"DE\"\n"},
		"filters": {
			"targeting_flag_filters: {groups: [{properties: [{key: n, type: person, operator: min, value: '5'}]}], payloads: {'true': {a: [1, 2]}}, super_groups: []}",
			"targeting_flag_filters: {groups: [{properties: [{key: n, type: person, operator: min, value: '6'}]}], payloads: {'true': {a: [1, 2]}}, super_groups: []}",
			"    targeting_flag_filters.groups[0].properties[0].value: \"5\" -> \"6\"\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newWrittenFile(t)
			for _, said := range []string{c.first, c.edited} {
				f.write("surveys:\n  - {name: A, type: popover, " + said + "}\n")
				done := f.sync()

				if said == c.edited {
					require.Contains(t, done, "update survey \"A\": done\n"+c.report+"1 done")
				}
				f.must("sync", "file:"+f.path, "live:a", "--rehearse")
			}
		})
	}
}

// If the filters in the file omit keys, a flag keeps them. Keys with empty values, which PostHog's interface writes,
// make no difference, and a sync clears other keys.
func TestWrittenFiltersOverThoseOfTheWebInterface(t *testing.T) {
	t.Parallel()
	f := newWrittenFile(t)
	f.write("surveys:\n  - {name: A, type: popover, targeting_flag_filters: {groups: [{properties: [{key: plan, type: person, operator: exact, value: [a]}]}]}}\n")
	f.sync()
	filters := func() fields {
		flag, _ := f.survey("A")["targeting_flag"].(fields)
		stored, _ := flag["filters"].(fields)
		return stored
	}

	groups, snapshot := filters()["groups"], filepath.Join(t.TempDir(), "a.json")
	f.must("snapshot", snapshot, "--env", "a", "--kind", "surveys")
	for _, saved := range []fields{
		{"multivariate": nil, "payloads": fields{}, "super_groups": []any{}},
		{"multivariate": fields{"variants": []any{fields{"key": "v", "rollout_percentage": 100}}}, "payloads": fields{"v": "1"}, "super_groups": []any{fields{}}},
	} {
		saved["groups"] = groups
		f.a.PatchSurvey(fmt.Sprint(f.survey("A")["id"]), fields{"targeting_flag": fields{"filters": saved}})

		if saved["multivariate"] == nil {
			f.must("diff", "file:"+snapshot, "live:a", "--kind", "surveys")
			require.Contains(t, f.must("sync", "file:"+snapshot, "live:a", "--yes", "--kind", "surveys"), "Nothing to do")
			require.Contains(t, f.must("sync", "file:"+f.path, "live:a", "--yes"), "Nothing to do")
		}

		f.sync()
		require.Equal(t, groups, filters()["groups"])
		for _, key := range []string{"multivariate", "payloads", "super_groups"} {
			require.Empty(t, filters()[key])
		}
	}
}
