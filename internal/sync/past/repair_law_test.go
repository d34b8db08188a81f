package past_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/past"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// asked is a question of the model, which remembers who it is whatever becomes of its id. It is
// itself when it is reworded, retyped or moved, with its id or without; a copy of it is another
// question. One that was deleted and is asked again, word for word, is the same, if no other one
// says that; a copy is the question whose place it takes within one save; and a save that
// changes nothing but ids changes no question.
type asked struct {
	who      int
	id       string
	kind     string
	text     string
	choices  []string
	optional bool
	// copied is the question that a copy was made of since the last save; 0 for none.
	copied int
}

// says is a question without its id.
func (q asked) says() string { return fmt.Sprint(q.kind, q.text, q.choices, q.optional) }

func (q asked) wording() string { return q.kind + ": " + q.text }

func (q asked) wire(withID bool) json.RawMessage {
	fields := map[string]any{"type": q.kind, "question": q.text, "optional": q.optional}
	switch q.kind {
	case "single_choice":
		fields["choices"] = q.choices
	case "rating":
		fields["display"], fields["scale"] = "number", 10
	}
	if withID && q.id != "" {
		fields["id"] = q.id
	}
	raw, _ := json.Marshal(fields)
	return raw
}

// given is an answer: to whom it was given, and under what.
type given struct {
	who     int
	wording string
}

// script is a survey that people edit and answer.
type script struct {
	*rapid.T
	surveys *client.Surveys
	id      string
	// isLogged is set where a feed shows each save. Where it does not, no text is used again.
	isLogged bool

	list, gone []asked
	answers    map[string][]given
	next       int
	// texts are all that were ever used.
	texts []string
	// saved are the lists of all saves.
	saved [][]asked
	kinds map[string]string
}

func (s *script) fresh() asked {
	s.next++
	q := asked{who: s.next, kind: rapid.SampledFrom([]string{"open", "rating", "single_choice"}).Draw(s.T, "kind"), text: s.text(false)}
	if q.kind == "single_choice" {
		q.choices = s.options()
	}
	return q
}

// text is a text that no question of the list has; one that some question had, if may is set.
func (s *script) text(may bool) string {
	if may && s.isLogged && len(s.texts) > 0 && rapid.Bool().Draw(s.T, "again") {
		if text := rapid.SampledFrom(s.texts).Draw(s.T, "text"); !s.isSaid(text) {
			return text
		}
	}
	text := fmt.Sprintf("%s %d?", rapid.SampledFrom([]string{"Why", "How", "What else"}).Draw(s.T, "text"), len(s.texts))
	s.texts = append(s.texts, text)
	return text
}

// isSaid reports whether a question says a text, or did so in the last save.
func (s *script) isSaid(text string) bool {
	return slices.ContainsFunc(slices.Concat(s.list, s.last()), func(q asked) bool { return q.text == text })
}

// last is the last save.
func (s *script) last() []asked {
	if len(s.saved) == 0 {
		return nil
	}
	return s.saved[len(s.saved)-1]
}

// renew makes another question of one that is not saved yet: it is what it says.
func (s *script) renew(q *asked) {
	if !s.isSaved(q.who) {
		s.next++
		q.who, q.copied = s.next, 0
	}
}

// isSaved reports whether a question was in the last save.
func (s *script) isSaved(who int) bool {
	return slices.ContainsFunc(s.last(), func(q asked) bool { return q.who == who })
}

func (s *script) options() []string {
	s.next++
	return []string{"Yes", fmt.Sprint("No ", s.next)}
}

// edit makes one change of the list.
func (s *script) edit() {
	pick := func() int { return rapid.IntRange(0, len(s.list)-1).Draw(s.T, "which") }
	what := rapid.SampledFrom([]string{"drop", "drop", "retype", "reorder", "duplicate", "reword", "reword", "add", "again", "again", "choices", "nothing", "nothing"}).Draw(s.T, "edit")
	switch {
	case what == "add" || len(s.list) == 0:
		s.list = slices.Insert(s.list, rapid.IntRange(0, len(s.list)).Draw(s.T, "at"), s.fresh())
	case what == "again":
		s.askAgain()
	case what == "drop":
		i := pick()
		if s.isSaved(s.list[i].who) {
			s.gone = append(s.gone, s.list[i])
		}
		s.list = slices.Delete(s.list, i, i+1)
	case what == "retype":
		q, kind := &s.list[pick()], rapid.SampledFrom([]string{"open", "rating", "link"}).Draw(s.T, "kind")
		isAlike := func(other asked) bool { return other.kind == kind && other.text == q.text }
		if kind != q.kind && !slices.ContainsFunc(slices.Concat(s.list, s.last()), isAlike) {
			s.renew(q)
			q.kind, q.choices = kind, nil
		}
	case what == "reorder":
		s.list = rapid.Permutation(s.list).Draw(s.T, "order")
	case what == "duplicate":
		s.next++
		q := s.list[pick()]
		q.copied, q.who, q.id = cmp.Or(q.copied, q.who), s.next, ""
		s.list = slices.Insert(s.list, rapid.IntRange(0, len(s.list)).Draw(s.T, "at"), q)
	case what == "reword":
		q := &s.list[pick()]
		s.renew(q)
		q.text = s.text(s.isSaved(q.who))
	case what == "choices":
		if q := &s.list[pick()]; q.kind == "single_choice" {
			q.choices = s.options()
		} else {
			q.optional = !q.optional
		}
	}
}

// askAgain asks a question that was deleted, word for word.
func (s *script) askAgain() {
	if len(s.gone) == 0 {
		return
	}
	q := rapid.SampledFrom(s.gone).Draw(s.T, "gone")
	q.id = ""
	isAlike := func(other asked) bool { return other.wording() == q.wording() && other.who != q.who }
	if slices.ContainsFunc(slices.Concat(s.list, s.last()), isAlike) {
		return // it would be taken for the one that says so already
	}
	if s.isLive(q.who) || slices.ContainsFunc(s.gone, isAlike) {
		s.next++
		q.who = s.next
	}
	s.list = slices.Insert(s.list, rapid.IntRange(0, len(s.list)).Draw(s.T, "at"), q)
}

func (s *script) isLive(who int) bool {
	return slices.ContainsFunc(s.list, func(q asked) bool { return q.who == who })
}

// save sends the list as the web interface does, with all ids, with none, or with some.
func (s *script) save() {
	cut := rapid.SampledFrom([]string{"all", "all", "some", "none"}).Draw(s.T, "cut")
	var raws []json.RawMessage
	for i := range s.list {
		if cut == "all" || cut == "some" && rapid.Bool().Draw(s.T, "cut one") {
			s.list[i].id = ""
		}
		raws = append(raws, s.list[i].wire(true))
	}
	s.replaceByCopies()
	if slices.EqualFunc(s.list, s.last(), func(q, before asked) bool {
		return q.says() == before.says() && (q.id == "" || q.id == before.id)
	}) {
		for i := range s.list {
			s.list[i].who = s.last()[i].who
		}
	}
	s.gone = slices.DeleteFunc(s.gone, func(q asked) bool { return s.isLive(q.who) })

	request := api.SurveyRequest{Questions: nullable.NewNullableWithValue(raws)}
	if raws == nil {
		request.Questions.Set([]json.RawMessage{})
	}
	stored, err := s.surveys.Update(s.T.Context(), s.id, request)
	require.NoError(s.T, err)
	for i, id := range idsIn(s.T, stored) {
		s.list[i].id, s.list[i].copied = id, 0
		s.kinds[id] = s.list[i].kind
	}
	s.saved = append(s.saved, slices.Clone(s.list))
}

// replaceByCopies makes a copy the question that it was made of, if it alone still says what
// that one said, and nothing else tells.
func (s *script) replaceByCopies() {
	for i, q := range s.list {
		original := slices.IndexFunc(s.list, func(other asked) bool { return other.who == q.copied })
		switch {
		case q.copied == 0:
		case original < 0:
			s.list[i].who = q.copied
		case s.list[original].id == "" && s.list[original].wording() != q.wording():
			s.next++
			s.list[i].who, s.list[original].who = q.copied, s.next
		}
	}
}

// answer has people answer.
func (s *script) answer() {
	for _, q := range s.list {
		for range rapid.IntRange(0, 3).Draw(s.T, "answers") {
			if q.id != "" {
				s.answers[q.id] = append(s.answers[q.id], given{q.who, q.wording()})
			}
		}
	}
}

func idsIn(t require.TestingT, stored api.Survey) []string {
	raws, err := stored.Questions.Get()
	require.NoError(t, err)
	list, ok := past.QuestionsOf(raws)
	require.True(t, ok)
	ids := make([]string, len(list))
	for i, q := range list {
		ids[i] = q.ID
	}
	return ids
}

// Answers implements [past.Counter]: the model knows all numbers.
func (s *script) Answers(_ context.Context, id string) past.Count {
	return past.Known(int64(len(s.answers[id])))
}

// Responses implements [past.Counter].
func (s *script) Responses(_ context.Context, held past.Holding) past.Count {
	return past.Known(int64(len(s.answers[held.ID])))
}

// AnswersNow implements [past.Counter].
func (s *script) AnswersNow(context.Context) (map[string]int64, error) {
	now := map[string]int64{}
	for id, answers := range s.answers {
		now[id] = int64(len(answers))
	}
	return now, nil
}

// plan plans a repair from what the service tells, and from a snapshot if there is one.
func (s *script) plan(options past.RepairOptions, older ...past.List) past.RepairPlan {
	now, err := s.surveys.Retrieve(s.T.Context(), s.id)
	require.NoError(s.T, err)
	raws, err := now.Questions.Get()
	require.NoError(s.T, err)
	live, ok := past.QuestionsOf(raws)
	require.True(s.T, ok)

	var feed past.Feed
	if s.isLogged {
		feed, err = past.ReadFeed(s.T.Context(), func(ctx context.Context, page, _ int64) (json.RawMessage, error) {
			return s.surveys.ActivityPage(ctx, s.id, page, 3)
		})
		require.NoError(s.T, err)
		require.True(s.T, feed.IsComplete)
	}
	timeline := past.Follow(live, feed, older...)
	plan, err := past.PlanRepair(s.T.Context(), s.id, raws, timeline, s, options)
	require.NoError(s.T, err)
	return plan
}

// tally is what became of the answers to all scripts.
type tally struct {
	Scripts, Saves, Repaired, Unresolved int
	// Given are all answers, Cut those whose question lost its id.
	Given, Cut int
	// Back are with their question again. Of the others Gone are to questions that nobody asks
	// any more, Outweighed to questions that have answers under another id, and Left the rest.
	Back, Gone, Outweighed, Left int
	// GivenUp are the answers that a person allowed to give up for others.
	GivenUp int
	// Astray are answers that a person moved to another question, by a decision without a feed.
	Astray int
}

// What a repair writes gives every answer back to the question that it was given to, or leaves
// it alone: it never moves one to another question. It never gives up answers for others
// unless that is allowed, never changes anything but ids, and a second one does nothing. Where
// no feed shows what was saved, it writes only what a person decides.
func TestAnswersGoBackToTheirQuestions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		profile testserver.Profile
		// isLogged says whether the activity feed is read; else a snapshot is.
		isLogged bool
	}{{testserver.Hosted, true}, {testserver.Hosted, false}, {testserver.Documented, false}} {
		t.Run(fmt.Sprint(c.profile, " logged=", c.isLogged), func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, testserver.Options{Profile: c.profile})
			service, err := client.New(client.Options{BaseURL: srv.URL, APIKey: srv.APIKey})
			require.NoError(t, err)

			var sum tally
			created := 0
			rapid.Check(t, func(rt *rapid.T) {
				for range 2 {
					s := &script{T: rt, surveys: service.Surveys("1"), isLogged: c.isLogged, answers: map[string][]given{}, kinds: map[string]string{}}
					created++
					s.create(fmt.Sprint("Script ", created))
					s.law(&sum)
				}
			})
			require.Positive(t, sum.Back)
			t.Logf("%+v", sum)
		})
	}
}

func (s *script) law(sum *tally) {
	saves := rapid.IntRange(2, 8).Draw(s.T, "saves")
	snapshotAt := rapid.IntRange(0, saves-1).Draw(s.T, "snapshot")
	var older []past.List
	for k := range saves {
		for range rapid.IntRange(0, 3).Draw(s.T, "edits") {
			s.edit()
		}
		s.save()
		s.answer()
		if k == snapshotAt && !s.isLogged {
			older = []past.List{s.snapshot()}
		}
	}

	before := slices.Clone(s.list)
	options := past.RepairOptions{DetachedAnswers: rapid.Bool().Draw(s.T, "cut answers")}
	plan := s.plan(options, older...)
	if !s.isLogged {
		require.Zero(s.T, plan.Count(past.Planned), "%+v", plan.Questions)
		options.Decisions = decisions(plan)
		plan = s.plan(options, older...)
	}
	past.Repair(s.T.Context(), s.surveys, s, &plan)
	require.Zero(s.T, plan.Count(past.Planned, past.Failed, past.Skipped, past.NotRun), "%+v", plan.Questions)
	s.check(before, options, sum)
	sum.Scripts, sum.Saves = sum.Scripts+1, sum.Saves+saves
	sum.Repaired, sum.Unresolved = sum.Repaired+plan.Count(past.Done), sum.Unresolved+plan.Count(past.Unresolved)

	again := s.plan(past.RepairOptions{DetachedAnswers: options.DetachedAnswers}, older...)
	require.Zero(s.T, again.Count(past.Planned), "%+v", again.Questions)
}

// decisions are those of a person who takes the one question that says the same for the same,
// where it has no answers yet.
func decisions(plan past.RepairPlan) (decisions []past.Decision) {
	proposed := map[string]int{}
	for _, q := range plan.Questions {
		for _, candidate := range q.Others {
			proposed[candidate.ID]++
		}
	}
	for _, q := range plan.Questions {
		if len(q.Others) == 1 && q.Others[0].Evidence == past.SameText && proposed[q.Others[0].ID] == 1 && q.Answers.IsNone() {
			decisions = append(decisions, past.Decision{Question: fmt.Sprintf("questions[%d]", q.Index), ID: q.Others[0].ID})
		}
	}
	return decisions
}

func (s *script) create(name string) {
	for range rapid.IntRange(2, 5).Draw(s.T, "questions") {
		s.list = append(s.list, s.fresh())
	}
	var raws []json.RawMessage
	for i := range s.list {
		s.list[i].id = fmt.Sprint("first-", i)
		raws = append(raws, s.list[i].wire(true))
		s.kinds[s.list[i].id] = s.list[i].kind
	}
	created, err := s.surveys.Create(s.T.Context(), api.SurveyRequest{
		Name: nullable.NewNullableWithValue(name), Type: nullable.NewNullableWithValue(api.Popover), Questions: nullable.NewNullableWithValue(raws),
	})
	require.NoError(s.T, err)
	s.id = *created.ID
	s.saved = append(s.saved, slices.Clone(s.list))
	s.answer()
}

func (q asked) identity() identity.Question {
	content := map[string]any{}
	if q.choices != nil {
		choices := []any{}
		for _, choice := range q.choices {
			choices = append(choices, choice)
		}
		content["choices"] = choices
	}
	return identity.Question{ID: q.id, Type: q.kind, Text: q.text, Content: identity.ContentOf(content)}
}

func (s *script) snapshot() past.List {
	list := past.List{Source: past.FromSnapshot}
	for _, q := range s.list {
		list.Questions = append(list.Questions, past.Remembered([]identity.Question{q.identity()})[0])
	}
	return list
}

// check compares what the service has after a repair with the model.
func (s *script) check(before []asked, options past.RepairOptions, sum *tally) {
	now, err := s.surveys.Retrieve(s.T.Context(), s.id)
	require.NoError(s.T, err)
	ids := idsIn(s.T, now)
	require.Len(s.T, ids, len(before))
	raws, _ := now.Questions.Get()

	lost := map[string]bool{}
	for id := range s.answers {
		lost[id] = !slices.ContainsFunc(before, func(q asked) bool { return q.id == id })
	}
	for i, q := range before {
		var fields map[string]any
		require.NoError(s.T, json.Unmarshal(raws[i], &fields))
		require.Equal(s.T, q.text, fields["question"], "nothing but ids is written")
		require.Equal(s.T, q.kind, fields["type"])
		if ids[i] == q.id {
			continue
		}

		s.list[i].id = ids[i]
		require.True(s.T, lost[ids[i]] || len(s.answers[ids[i]]) == 0)
		if s.isLogged {
			require.Equal(s.T, q.kind, s.kinds[ids[i]], "an id of another kind")
		}
		require.Equal(s.T, i, slices.Index(ids, ids[i]), "two questions with one id")
		require.NotContains(s.T, ids[i+1:], ids[i])
		isDecided := slices.ContainsFunc(options.Decisions, func(d past.Decision) bool { return d.ID == ids[i] })
		for _, answer := range s.answers[ids[i]] {
			if answer.who != q.who && isDecided {
				sum.Astray++
				continue
			}
			require.Equal(s.T, answer.who, q.who, "an answer to %q went to %q", answer.wording, q.wording())
		}
		if !options.DetachedAnswers {
			require.Empty(s.T, s.answers[q.id], "answers were given up for others")
		}
		sum.GivenUp += len(s.answers[q.id])
	}
	s.count(lost, ids, sum)
}

// count adds up what came back and what did not.
func (s *script) count(lost map[string]bool, ids []string, sum *tally) {
	for id, answers := range s.answers {
		for _, answer := range answers {
			sum.Given++
			switch {
			case !lost[id]:
				continue
			case slices.Contains(ids, id):
				sum.Back++
			case !s.isLive(answer.who):
				sum.Gone++ // nobody asks it any more
			case slices.ContainsFunc(s.list, func(q asked) bool { return q.who == answer.who && q.id != "" && len(s.answers[q.id]) > 0 }):
				sum.Outweighed++ // its question has answers under another id
			default:
				sum.Left++
			}
			sum.Cut++
		}
	}
}
