package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const (
	repairedID = "0190d6a4-0000-7000-8000-0000000000aa"
	// likely, why, and picked are the question IDs that have the answers.
	likely, why, picked = "likely", "why", "pick"
)

// repaired is a running survey with two answers to each question.
type repaired struct {
	*testing.T
	*testserver.Instance
	clock time.Time
}

func newRepaired(t *testing.T, profile testserver.Profile) *repaired {
	t.Helper()
	r := &repaired{T: t, Instance: testserver.Start(t, testserver.Options{Profile: profile}), clock: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
	r.tick()
	r.CreateSurvey(testserver.Object{
		"id": repairedID, "name": "NPS", "type": "popover", "created_at": r.clock.Format(time.RFC3339), "start_date": r.clock.Format(time.RFC3339),
		"questions": []any{
			fields{"id": likely, "type": "rating", "question": "How likely?", "display": "number", "scale": 10,
				"branching": fields{"type": "response_based", "responseValues": fields{"detractors": 1, "promoters": "end"}}},
			fields{"id": why, "type": "open", "question": "Why?", "translations": fields{"de": fields{"question": "Warum?"}}},
			fields{"id": picked, "type": "single_choice", "question": "Pick one", "choices": []any{"A", "B"}},
		},
	})
	if profile == testserver.Hosted {
		r.answer("ann")
		r.answer("bob")
	}
	return r
}

// tick advances the clock by an hour.
func (r *repaired) tick() {
	r.clock = r.clock.Add(time.Hour)
	r.SetClock(r.clock)
}

// send sends a request and returns the object in the response.
func (r *repaired) send(method, path string, body any) fields {
	r.Helper()
	text, err := json.Marshal(body)
	require.NoError(r, err)
	request, err := http.NewRequest(method, r.URL+path, strings.NewReader(string(text)))
	require.NoError(r, err)
	request.Header.Set("Authorization", "Bearer "+r.APIKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(r, err)
	defer response.Body.Close()
	require.Less(r, response.StatusCode, 300)
	var object fields
	require.NoError(r, json.NewDecoder(response.Body).Decode(&object))
	return object
}

// answer submits a person's response with answers to all questions.
func (r *repaired) answer(person string) {
	r.Helper()
	r.tick()
	properties := fields{"token": "phc_test", "$survey_id": repairedID, "$survey_completed": true}
	for i, id := range r.ids() {
		properties["$survey_response_"+id] = "x"
		if r.questions()[i].(fields)["type"] == "multiple_choice" {
			properties["$survey_response_"+id] = []string{"x"}
		}
	}
	r.send(http.MethodPost, "/e/", fields{"api_key": "phc_test", "event": "survey sent", "distinct_id": person, "properties": properties})
	r.tick()
}

func (r *repaired) questions() []any { return r.Server.Survey(repairedID)["questions"].([]any) }

func (r *repaired) ids() (ids []string) {
	for _, q := range r.questions() {
		id, _ := q.(fields)["id"].(string)
		ids = append(ids, id)
	}
	return ids
}

// save saves the questions after an edit. It omits all IDs that are not in kept.
func (r *repaired) save(edit func(questions []any) []any, kept ...int) {
	r.Helper()
	r.tick()
	questions := r.questions()
	for i, q := range questions {
		if !strings.Contains(fmt.Sprint(kept), fmt.Sprint(i)) {
			delete(q.(fields), "id")
		}
	}
	if edit != nil {
		questions = edit(questions)
	}
	r.send(http.MethodPatch, "/api/projects/1/surveys/"+repairedID+"/", fields{"questions": questions})
	r.tick()
}

func (r *repaired) run(args ...string) (code int, stdout, stderr string) {
	r.Helper()
	return commandLine(r.T, r.Context(), r.Instance, append(args, "--kind", "surveys")...)
}

// count returns the number of questions with an outcome.
func (r *repairReport) count(outcome past.Outcome) int {
	return past.RepairPlan{Questions: r.Questions}.Count(outcome)
}

// report runs repair and returns its report.
func (r *repaired) report(want int, args ...string) *repairReport {
	r.Helper()
	code, stdout, stderr := r.run(append([]string{"repair", "NPS", "--format", "json"}, args...)...)
	require.Equal(r, want, code, "%s\n%s", stdout, stderr)
	var report repairReport
	require.NoError(r, json.Unmarshal([]byte(stdout), &report), stdout)
	return &report
}

func (r *repaired) writes() int {
	n := 0
	for _, request := range r.Journal() {
		if request.Method == http.MethodPatch || request.Method == http.MethodPut {
			n++
		}
	}
	return n
}

// After a save without IDs, repair shows the damage and writes only the old IDs. It reattaches the answers. A second
// run finds nothing to repair.
func TestRepairGivesAnswersBack(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	before := r.questions()
	r.save(nil)
	r.ResetJournal()

	planned := r.report(codeDifferences, "--dry-run")
	require.Len(t, planned.Questions, 3)
	for _, q := range planned.Questions {
		assert.Equal(t, past.Planned, q.Outcome)
		assert.EqualValues(t, "text", q.Old.Evidence)
		assert.Equal(t, past.ExactCount(2), q.Old.Responses)
		assert.Equal(t, past.ExactCount(0), q.Answers)
	}
	_, checks, _ := r.run("doctor", "--survey", "NPS")
	assert.Contains(t, checks, "warning answers: detached answers of 3 questions\n")
	assert.Contains(t, checks, "\n    posthog-sync repair NPS --yes\n")
	r.report(codeDifferences)
	assert.Zero(t, r.writes(), "without a terminal, only --yes may write")

	done := r.report(codeDone, "--yes")
	assert.Equal(t, before, r.questions())
	assert.Equal(t, 1, r.writes())
	for _, q := range done.Questions {
		assert.Equal(t, past.Done, q.Outcome)
		require.NotNil(t, q.Restored)
		assert.EqualValues(t, 2, *q.Restored)
	}

	assert.Empty(t, r.report(codeDone, "--yes").Questions)
	assert.Equal(t, 1, r.writes())
}

// After three saves without IDs, one of which moves the questions, with answers in between: if you allow it, repair
// restores the ID with the most answers.
func TestRepairAfterSeveralCuts(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	r.save(nil)
	r.answer("cleo")
	r.save(func(q []any) []any { return []any{q[2], q[0], q[1]} })
	r.save(nil)
	r.answer("dora")

	left := r.report(codeDifferences, "--yes")
	require.Len(t, left.Questions, 3)
	for _, q := range left.Questions {
		assert.Equal(t, past.Unresolved, q.Outcome)
		assert.Equal(t, past.Code("detaches_answers"), q.Code)
		assert.Equal(t, past.ExactCount(1), q.Answers)
		assert.Len(t, q.Others, 2)
	}
	assert.Contains(t, left.Questions[0].Reason, "1 answer under its new ID, which would be detached for at most 2 answers under the old one")

	chosen := r.ids()[1] + "=" + likely
	assert.Equal(t, 1, r.report(codeDifferences, "--yes", "--question", chosen).count(past.Done))
	assert.Equal(t, likely, r.ids()[1])
	r.report(codeDone, "--yes", "--allow-detached-answers")
	assert.Equal(t, []string{picked, likely, why}, r.ids())
}

// A question was reworded when it lost its ID, and lost the new ID before anyone answered. Its answers are under the
// first ID, and the report lists this ID with the command that decides.
func TestRepairOfAQuestionCutTwice(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	r.save(func(q []any) []any {
		q[1].(fields)["question"] = "Why, please?"
		return q
	}, 0, 2)
	r.save(nil, 0, 2)

	report := r.report(codeDifferences, "--yes")
	require.Len(t, report.Questions, 1)
	require.NotEmpty(t, report.Questions[0].Others)
	assert.Equal(t, why, report.Questions[0].Others[0].ID)
	code, _, stderr := r.run(strings.Fields(report.Command)[1:]...)
	require.Equal(t, codeDone, code, stderr)
	assert.Equal(t, []string{likely, why, picked}, r.ids())
}

// The printed command assigns each ID to only one question, even if two questions have the same text and content.
func TestRepairCommandGivesAnIDOnce(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	again := func(q []any) []any { return append(q, fields{"type": "open", "question": "Why?"}) }
	r.save(again, 0, 1, 2)
	second := r.ids()[3]
	r.save(func(q []any) []any {
		delete(q[1].(fields), "translations")
		q[1].(fields)["description"], q[3].(fields)["description"] = "In short", "In a word"
		return []any{q[3], q[0], q[1], q[2]}
	}, 0, 2)

	report := r.report(codeDifferences, "--yes")
	command := strings.Fields(report.Command)
	code, stdout, stderr := r.run(command[1:]...)
	require.Equal(t, codeDone, code, "%s\n%s%s", report.Command, stdout, stderr)
	assert.ElementsMatch(t, []string{second, likely, why, picked}, r.ids())
}

// If a question has as many answers under its new ID, repair does not change it, even with --allow-detached-answers,
// until you decide which answers to keep.
func TestRepairKeepsTheGreaterNumber(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	r.save(nil)
	for _, person := range []string{"cleo", "dora"} {
		r.answer(person)
	}
	left := r.report(codeDifferences, "--yes", "--allow-detached-answers")
	assert.Equal(t, past.Code("new_has_more"), left.Questions[0].Code)

	var keep []string
	for _, id := range r.ids() {
		keep = append(keep, "--question", id+"="+id)
	}
	assert.Empty(t, r.report(codeDone, append(keep, "--yes")...).Questions)
}

// PostHog does not count answers that are lists. A multiple choice question with a count of 0 under its new ID may
// therefore have answers.
func TestRepairOfAnswersThatAreLists(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	r.save(func(questions []any) []any {
		return append(questions, fields{"id": "many", "type": "multiple_choice", "question": "Which?", "choices": []any{"x", "y"}})
	}, 0, 1, 2)
	r.answer("cem")
	r.answer("dan")
	r.save(nil, 0, 1, 2)
	assert.Equal(t, 1, r.report(codeDifferences, "--dry-run").count(past.Planned), "no one has answered since the save")

	r.answer("eve")
	report := r.report(codeDifferences, "--yes")
	require.Len(t, report.Questions, 1)
	assert.Equal(t, "detaches_answers", string(report.Questions[0].Code))
	assert.NotEqual(t, "many", r.ids()[3])

	report = r.report(codeDone, "--yes", "--allow-detached-answers")
	assert.Nil(t, report.Questions[0].Restored, "the number of restored answers must be unknown")
	assert.Equal(t, "many", r.ids()[3])
}

// The report lists each uncertain match with the command that decides it, and the printed command works.
func TestRepairListsWhatIsNotCertain(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	r.save(func(q []any) []any {
		q[2].(fields)["question"] = "Pick one, please"
		return append(q, fields{"type": "open", "question": "Anything else?"})
	})

	report := r.report(codeDifferences, "--yes")
	assert.Equal(t, 2, report.count(past.Done))
	require.Equal(t, 1, report.count(past.Unresolved))
	assert.Equal(t, []string{likely, why}, r.ids()[:2])
	command := strings.Fields(report.Command)
	require.Contains(t, command, r.ids()[2]+"="+picked)
	code, _, stderr := r.run(command[1:]...)
	require.Equal(t, codeDone, code, stderr)
	assert.Equal(t, []string{likely, why, picked}, r.ids()[:3])
	assert.Empty(t, r.report(codeDone, "--yes").Questions, "the decision must be kept")
}

// If PostHog does not return counts, a question may have answers under its new ID. repair does not change the
// question unless the survey has no answers, or you allow it.
func TestRepairWithoutNumbers(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	r.save(nil)
	r.SetFaults(testserver.Fault{Operation: "surveys_stats_retrieve", Status: http.StatusForbidden})
	left := r.report(codeDifferences, "--yes")
	require.Equal(t, 3, left.count(past.Unresolved))
	assert.Equal(t, past.Code("may_detach_answers"), left.Questions[0].Code)
	assert.Nil(t, left.Questions[0].Answers.Number)
	assert.Equal(t, 3, r.report(codeDone, "--yes", "--allow-detached-answers").count(past.Done))

	unanswered := newRepaired(t, testserver.Documented)
	file := filepath.Join(t.TempDir(), "before.json")
	code, _, stderr := unanswered.run("snapshot", file)
	require.Equal(t, codeDone, code, stderr)
	unanswered.save(nil)
	assert.Equal(t, past.ExactCount(0), unanswered.report(codeDifferences, "--snapshot", file).Questions[0].Others[0].Responses)
}

// A completed or archived survey can be repaired like any other, and keeps its status.
func TestRepairOfASurveyThatIsOver(t *testing.T) {
	t.Parallel()
	for _, end := range []fields{{"end_date": "2026-02-02T00:00:00Z"}, {"archived": true}} {
		r := newRepaired(t, testserver.Hosted)
		r.save(nil)
		r.send(http.MethodPatch, "/api/projects/1/surveys/"+repairedID+"/", end)
		before := r.Server.Survey(repairedID)
		r.report(codeDone, "--yes")
		after := r.Server.Survey(repairedID)
		assert.Equal(t, []string{likely, why, picked}, r.ids())
		for _, name := range []string{"start_date", "end_date", "archived", "name"} {
			assert.Equal(t, before[name], after[name])
		}
	}
}

// A copy of the survey has the same question IDs, but its own answers. repair does not confuse the two, and does not
// use an ID that only the copy has.
func TestRepairBesideACopy(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	copied := r.CreateSurvey(testserver.Object{"name": "NPS (copy)", "type": "popover", "questions": append(r.questions(), fields{"id": "theirs", "type": "open", "question": "Theirs?"})})
	r.save(nil)
	code, _, stderr := r.run("repair", "NPS", "--yes", "--question", "questions[1]=theirs")
	assert.Equal(t, codeRefused, code)
	assert.Contains(t, stderr, `no source contains the ID "theirs"`)
	r.report(codeDone, "--yes")
	assert.Equal(t, []string{likely, why, picked}, r.ids())
	assert.Equal(t, copied["questions"], r.Server.Survey(copied["id"].(string))["questions"])
}

// repair reports an ID that two questions share, and does not change it.
func TestRepairOfASharedID(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	r.save(func(q []any) []any { return append(q, fields{"id": why, "type": "open", "question": "Copied?"}) }, 0, 1, 2)
	report := r.report(codeDifferences, "--yes")
	require.Equal(t, 2, report.count(past.Unresolved))
	assert.Equal(t, past.SharedID, report.Questions[0].Code)
	assert.Empty(t, report.Command)
	assert.Equal(t, []string{likely, why, picked, why}, r.ids())
}

// A question whose text and type have both changed counts as a different question.
func TestRepairLeavesOtherKinds(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	r.save(func(q []any) []any {
		q[1] = fields{"type": "rating", "display": "emoji", "scale": 5, "question": "Happy?"}
		return q
	})
	report := r.report(codeDone, "--yes")
	assert.Equal(t, 2, report.count(past.Done))
	require.Len(t, report.Gone, 1)
	assert.Equal(t, why, report.Gone[0].ID)
}

// repair refuses a decision that would assign answers to a question of another type, or an ID without answers.
func TestRepairRefusesDecisions(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	r.save(nil, 2)
	r.ResetJournal()
	for decision, says := range map[string]string{
		"questions[1]=" + likely: "so the answers would not fit", "questions[7]=" + why: `does not have a question "questions[7]"`,
		"questions[1]=" + picked: "another question has the ID", "questions[1]=unheard": "no source contains the ID",
	} {
		code, _, stderr := r.run("repair", "NPS", "--yes", "--question", decision)
		assert.Equal(t, codeRefused, code, decision)
		assert.Contains(t, stderr, says)
	}
	for _, twice := range [][]string{{"questions[1]=" + why, r.ids()[1] + "=" + why}, {"questions[1]=" + why, "questions[0]=" + why}} {
		code, _, _ := r.run("repair", "NPS", "--yes", "--question", twice[0], "--question", twice[1])
		assert.Equal(t, codeRefused, code, twice)
	}
	code, _, stderr := r.run("repair", "NPS", "--yes", "--question", "why")
	assert.Equal(t, codeError, code)
	assert.Contains(t, stderr, "Use NEWID=OLDID")
	assert.Zero(t, r.writes())
}

// repair does not overwrite an edit that someone saves between its read and its write.
func TestRepairSeesEditsBeforeItsWrite(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	r.save(nil)
	ids := r.ids()
	r.SetFaults(testserver.Fault{Operation: "surveys_retrieve", Edit: testserver.Object{"questions": []any{fields{"id": "theirs", "type": "open", "question": "Theirs"}}}})
	r.ResetJournal()

	report := r.report(codeDifferences, "--yes")
	assert.Equal(t, 3, report.count(past.Skipped))
	assert.Equal(t, past.Code("changed_since"), report.Questions[0].Code)
	assert.Zero(t, r.writes())
	assert.NotEqual(t, ids, r.ids())
	assert.Equal(t, []string{"theirs"}, r.ids())
}

// If a response is lost or PostHog fails, repair writes the IDs once or not at all, and the report shows which.
func TestRepairUnderFaults(t *testing.T) {
	t.Parallel()
	for name, fault := range snapshotFaults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepaired(t, testserver.Hosted)
			r.save(nil)

			fault.Operation, fault.To = "surveys_partial_update", 1
			r.SetFaults(fault)
			code, stdout, stderr := r.run("repair", "NPS", "--yes", "--format", "json")
			switch {
			case code == codeDone:
				assert.Equal(t, []string{likely, why, picked}, r.ids(), stdout)
			case fault.Status == http.StatusNotFound:
				assert.Contains(t, stdout, `"deleted_since"`, stderr)
			default:
				assert.Equal(t, codeError, code, stderr)
				assert.Contains(t, stdout, `"failed"`)
				assert.NotContains(t, r.ids(), likely)
			}

			r.SetFaults()
			r.report(codeDone, "--yes")
			assert.Equal(t, []string{likely, why, picked}, r.ids())
		})
	}
}

// Without the scope for the activity log, repair names the scope and accepts a snapshot. A snapshot does not show
// saves, so the report lists every question for you to decide.
func TestRepairWithoutTheActivityLog(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Hosted, testserver.Documented} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			r := newRepaired(t, profile)
			file := filepath.Join(t.TempDir(), "before.json")
			code, _, stderr := r.run("snapshot", file)
			require.Equal(t, codeDone, code, stderr)
			r.save(nil)
			if profile == testserver.Hosted {
				r.SetFaults(testserver.Fault{Operation: "surveys_activity_retrieve", Status: http.StatusForbidden})
			}

			code, _, stderr = r.run("repair", "NPS", "--yes")
			assert.Equal(t, codeError, code)
			assert.Contains(t, stderr, "--snapshot")
			code, _, _ = r.run("history", "NPS")
			assert.Equal(t, codeError, code)

			report := r.report(codeDifferences, "--yes", "--snapshot", file)
			require.Equal(t, 3, report.count(past.Unresolved))
			require.NotEmpty(t, report.Notes)
			command := regexp.MustCompile(`'([^']*)'`).ReplaceAllString(report.Command, "$1")
			code, stdout, stderr := r.run(strings.Fields(command)[1:]...)
			require.Equal(t, codeDone, code, stdout+stderr)
			assert.Equal(t, []string{likely, why, picked}, r.ids())
		})
	}
}

// On a terminal, repair asks before it writes.
func TestRepairAsks(t *testing.T) {
	t.Parallel()
	for typed, isWritten := range map[string]bool{"yes\n": true, "no\n": false, "": false} {
		r := newRepaired(t, testserver.Hosted)
		r.save(nil)
		p := testProgram(t, r.Instance)
		p.interactive, p.stdin = true, strings.NewReader(typed)
		_, _, stderr := runProgram(t, t.Context(), p, r.Instance, "repair", "NPS", "--kind", "surveys")
		assert.Contains(t, stderr, "Restore 3 IDs of survey", typed)
		assert.Equal(t, isWritten, r.ids()[0] == likely, typed)
	}
}

// history shows who made each edit, and its effect on each question.
func TestHistory(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	r.save(func(q []any) []any {
		q[0].(fields)["question"] = "How likely are you?"
		return append(q[:2], fields{"type": "link", "question": "See", "link": "https://example.com"})
	}, 0)
	r.send(http.MethodPatch, "/api/projects/1/surveys/"+repairedID+"/", fields{"end_date": r.clock.Format(time.RFC3339)})
	r.report(codeDone, "--yes")

	code, stdout, stderr := r.run("history", "NPS")
	require.Equal(t, codeDone, code, stderr)
	for _, line := range []string{
		`kept      questions[0] "How likely are you?" (rating): reworded from "How likely?"`,
		`detached answers: ID 019b0000-0000-4000-8000-000000000005 instead of why (by text and type)`,
		`new       questions[2] "See" (link): ID `,
		`removed   questions[2] "Pick one" (single_choice): had ID pick, under the old ID: at most 2 answers`,
		`stopped (end_date)`,
		`restored  questions[1] "Why?" (open): ID why again`,
		`no detached answers`,
	} {
		assert.Contains(t, stdout, line)
	}

	for _, format := range []string{"json", "markdown"} {
		code, stdout, stderr := r.run("history", repairedID, "--format", format)
		require.Equal(t, codeDone, code, stderr)
		assert.Contains(t, stdout, "restored")
	}
	code, stdout, _ = r.run("repair", "NPS", "--format", "markdown")
	assert.Equal(t, codeDone, code)
	assert.Contains(t, stdout, "pick")
}
