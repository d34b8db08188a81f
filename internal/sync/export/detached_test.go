package export

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// askedSurvey returns a survey with open questions. The arguments are pairs of ID and text.
func askedSurvey(idsAndTexts ...string) api.Survey {
	s := survey(1, "Asked")
	var raws []json.RawMessage
	for i := 0; i < len(idsAndTexts); i += 2 {
		raws = append(raws, json.RawMessage(fmt.Sprintf(`{"id":%q,"type":"open","question":%q}`, idsAndTexts[i], idsAndTexts[i+1])))
	}
	s.Questions.Set(raws)
	return s
}

func questionsOf(t *testing.T, s api.Survey) []identity.Question {
	t.Helper()
	raws, _ := s.Questions.Get()
	list, ok := identity.ParseQuestions(marshalList(raws))
	require.True(t, ok)
	return list
}

// logged returns the questions with detached answers that the activity log shows after before became live.
func logged(t *testing.T, before, live api.Survey) Logged {
	t.Helper()
	return Logged{Detached: identity.Replay([][]identity.Question{questionsOf(t, before)}, questionsOf(t, live)).Detached(questionsOf(t, live))}
}

// TestExportAgainReportsDetachedAnswers checks exports over their own files after a save without question IDs. With
// or without written IDs, each export reports the same questions as an export into an empty directory.
func TestExportAgainReportsDetachedAnswers(t *testing.T) {
	t.Parallel()
	before := askedSurvey("a", "Why did you choose us?", "b", "What is missing in the editor?")
	live := askedSurvey("a2", "Why did you choose us?", "b2", "What is missing in the browser?")

	for _, withIDs := range []bool{false, true} {
		options := all()
		options.Code.QuestionIDs = withIDs
		dir := t.TempDir()
		options.Past = func(context.Context, api.Survey) (Logged, error) { return Logged{}, nil }
		_, err := exported(t, dir, &fakeSource{surveys: []api.Survey{before}}, options)
		require.NoError(t, err)

		options.Past = func(context.Context, api.Survey) (Logged, error) { return logged(t, before, live), nil }
		fresh, err := exported(t, t.TempDir(), &fakeSource{surveys: []api.Survey{live}}, options)
		require.NoError(t, err)
		require.Len(t, fresh.Detached, 1)
		require.Len(t, fresh.Detached[0].Questions, 2)

		for range 3 {
			report, err := exported(t, dir, &fakeSource{surveys: []api.Survey{live}}, options)
			require.NoError(t, err)
			assert.Equal(t, fresh.Detached, report.Detached, "IDs written: %t", withIDs)

			text := files(t, dir)["surveys.tf"]
			assert.Regexp(t, `\bid += "a"`, text, "the question that is certainly the same must have its old ID")
			assert.Equal(t, 1, strings.Count(text, "missing in the browser"))
			assert.NotRegexp(t, `\bid += "b2"`, text, "the question that is only possibly the same must not have its old ID")
		}
	}
}

// TestExportWithoutALogComparesWithTheEarlierExport checks that an earlier export replaces an activity log that cannot be
// read. If the state manages the survey, the earlier export may be outdated, so the export reports the old IDs, and writes
// none.
func TestExportWithoutALogComparesWithTheEarlierExport(t *testing.T) {
	t.Parallel()
	before := askedSurvey("a", "Why did you choose us?")
	live := askedSurvey("a2", "Why did you choose us?")
	for isManaged, want := range map[bool]string{false: "detached answers", true: "possibly detached answers"} {
		options, dir := all(), t.TempDir()
		options.Past = func(context.Context, api.Survey) (Logged, error) { return Logged{IsUnreadable: true}, nil }
		options.Agreed = func(string) []identity.Question { return questionsOf(t, before) }
		var unlogged identity.DetachedList
		options.Remember = func(o Live) { unlogged = append(unlogged, o.Unlogged...) }
		_, err := exported(t, dir, &fakeSource{surveys: []api.Survey{before}}, options)
		require.NoError(t, err)
		assert.Empty(t, unlogged)
		if isManaged {
			options.Addresses = map[code.Key]string{{Type: code.SurveyType, ImportID: options.ProjectID + "/" + *live.ID}: "posthog_survey.asked_00000001"}
		}

		report, err := exported(t, dir, &fakeSource{surveys: []api.Survey{live}}, options)
		require.NoError(t, err)
		require.Len(t, report.Detached, 1)
		assert.Contains(t, report.Detached[0].Questions[0].String(), want)
		assert.Equal(t, isManaged, report.Detached[0].Questions[0].IsPossible)
		assert.Equal(t, report.Detached[0].Questions, unlogged)
		assert.Equal(t, !isManaged, strings.Contains(files(t, dir)["surveys.tf"], `"a"`))
	}
}

// TestStatedIDIsDecided checks that a question keeps its current ID if the existing file sets it.
func TestStatedIDIsDecided(t *testing.T) {
	t.Parallel()
	before := askedSurvey("a", "Why did you choose us?", "b", "What is missing in the editor?")
	live := askedSurvey("a2", "Why did you choose us?", "b2", "What is missing in the browser?")

	_, detached, err := Reattach(live, questionsOf(t, live)[1:], logged(t, before, live))
	require.NoError(t, err)
	require.Len(t, detached, 1)
	assert.Equal(t, "a", detached[0].OldID)
	assert.Equal(t, code.Options{QuestionIDs: true, StatedIDs: []string{"a"}}, WithIDs(code.Options{QuestionIDs: true}, detached))
}

// TestStatedIDOfAQuestionWithoutIDIsKept checks that an export keeps a stated ID if a save left the question without one,
// as PostHog versions without an activity log do.
func TestStatedIDOfAQuestionWithoutIDIsKept(t *testing.T) {
	t.Parallel()
	stated := questionsOf(t, askedSurvey("a", "Why did you choose us?", "b", "What is missing in the editor?"))

	now, detached, err := Reattach(askedSurvey("", "Why did you choose us?", "", "What is missing in the browser?"), stated, Logged{})

	require.NoError(t, err)
	assert.Equal(t, []string{"a"}, detached.Certain().OldIDs())
	assert.Equal(t, []string{"b"}, detached.Possible().OldIDs())
	assert.Equal(t, []string{"a", ""}, []string{questionsOf(t, now)[0].ID, questionsOf(t, now)[1].ID})
	assert.Equal(t, code.Options{StatedIDs: []string{"a"}}, WithIDs(code.Options{}, detached))
}

// TestAnswersUnderBothIDs checks that a question with answers under both IDs keeps its current ID until someone
// decides. An ID in an existing file is a decision.
func TestAnswersUnderBothIDs(t *testing.T) {
	t.Parallel()
	before, live := askedSurvey("a", "Why did you choose us?"), askedSurvey("a2", "Why did you choose us?")
	both := logged(t, before, live)
	both.Detached[0].Stays = true

	now, detached, err := Reattach(live, nil, both)
	require.NoError(t, err)
	assert.Equal(t, both.Detached, detached, "the question must be reported")
	assert.Equal(t, questionsOf(t, live), questionsOf(t, now))
	assert.Equal(t, code.Options{OpenIDs: []string{"a2"}}, WithIDs(code.Options{}, detached))

	_, detached, err = Reattach(live, questionsOf(t, before), both)
	require.NoError(t, err)
	assert.Equal(t, code.Options{StatedIDs: []string{"a"}}, WithIDs(code.Options{}, detached))
}

// TestStatedTwins checks that the activity log shows which of two equal questions in a file is which, and that the
// export does not write the ID of the question that a save edited.
func TestStatedTwins(t *testing.T) {
	t.Parallel()
	before := askedSurvey("a", "Why did you choose us?", "x", "What is missing in the editor?", "b", "Why did you choose us?")
	live := askedSurvey("a2", "Why did you choose us?", "x", "What is missing in the editor?", "b2", "Why did you choose them?")
	stated := questionsOf(t, askedSurvey("x", "What is missing in the editor?", "b", "Why did you choose us?", "a", "Why did you choose us?"))

	now, detached, err := Reattach(live, stated, logged(t, before, live))

	require.NoError(t, err)
	assert.Equal(t, "a", questionsOf(t, now)[0].ID)
	assert.Equal(t, "b2", questionsOf(t, now)[2].ID)
	assert.Equal(t, code.Options{StatedIDs: []string{"a"}, OpenIDs: []string{"b2"}}, WithIDs(code.Options{}, detached))
}

// TestStatedIDIsWrittenOnce checks that an export does not write the ID of a question whose text was edited since for an
// equal question, too.
func TestStatedIDIsWrittenOnce(t *testing.T) {
	t.Parallel()
	const text = "Why did you choose us?"
	live := askedSurvey("a2", "Why did you choose them?", "b2", text, "x", "What is missing?", "c2", text, "d2", text)
	stated := questionsOf(t, askedSurvey("a", text, "b", text, "c", text, "x", "What is missing?"))
	fromLog := identity.DetachedList{
		{Position: 0, ID: "a2", OldID: "a", Text: "Why did you choose them?", OldText: text},
		{Position: 1, ID: "b2", OldID: "b", Text: text, OldText: text},
		{Position: 3, ID: "c2", OldID: "c1", Text: text, OldText: text},
	}

	now, _, err := Reattach(live, stated, Logged{Detached: fromLog})

	require.NoError(t, err)
	var ids []string
	for _, q := range questionsOf(t, now) {
		ids = append(ids, q.ID)
	}
	assert.Equal(t, []string{"a", "b", "x", "c", "d2"}, ids)
}

// TestQuestionThatExistedBesideADeletedOne checks that an export does not write the ID of a deleted question for one with
// the same text, if the survey had both at the same time.
func TestQuestionThatExistedBesideADeletedOne(t *testing.T) {
	t.Parallel()
	const text = "Why did you choose us?"
	live, stated := askedSurvey("b", text), questionsOf(t, askedSurvey("a", text))
	for relation, want := range map[identity.Relation]string{identity.Separate: "b", "": "a"} {
		now, _, err := Reattach(live, stated, Logged{Relation: func(string, string) identity.Relation { return relation }})
		require.NoError(t, err)
		assert.Equal(t, want, questionsOf(t, now)[0].ID, "ID of a question with the relation %q", relation)
	}
}

// TestStatedIDOfSeveralIsKept checks that an export keeps the ID that the file states if the question had several IDs,
// even if the question in the file was reworded and retyped since.
func TestStatedIDOfSeveralIsKept(t *testing.T) {
	t.Parallel()
	live, stated := askedSurvey("c", "Why did you choose us?"), questionsOf(t, askedSurvey("a", "How old are you?"))
	stated[0].Type = "rating"
	fromLog := identity.DetachedList{{ID: "c", OldID: "b", Text: "Why did you choose us?", OldText: "Why did you choose us?"}}

	now, detached, err := Reattach(live, stated, Logged{Detached: fromLog, IDs: func(int) []string { return []string{"a", "b", "c"} }})

	require.NoError(t, err)
	assert.Equal(t, "a", questionsOf(t, now)[0].ID)
	require.Len(t, detached, 1)
	assert.Equal(t, "a", detached[0].OldID)
}

// TestStatedIDIsForOneQuestion checks that an export does not write a stated ID twice if the log shows it among the
// earlier IDs of two equal questions.
func TestStatedIDIsForOneQuestion(t *testing.T) {
	t.Parallel()
	const text = "Why did you choose us?"
	live, stated := askedSurvey("a2", text, "b2", text), questionsOf(t, askedSurvey("a", text))
	fromLog := identity.DetachedList{{Position: 0, ID: "a2", OldID: "a", Text: text, OldText: text}, {Position: 1, ID: "b2", OldID: "b", Text: text, OldText: text}}

	now, _, err := Reattach(live, stated, Logged{Detached: fromLog, IDs: func(int) []string { return []string{"a"} }})

	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b"}, []string{questionsOf(t, now)[0].ID, questionsOf(t, now)[1].ID})
}
