package identity

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// anyQuestion draws from few values, so that equal questions, families of similar texts, and retyped questions are
// frequent.
var anyQuestion = rapid.Custom(func(t *rapid.T) Question {
	texts := []string{"Why?", "Why?", "What do you like?", "What do you dislike?", "What do you like best?", "Why not?", "Cafe\u0301?", "Caf\u00e9?", "a&b", "a&amp;b", "x"}
	contents := []string{"", "", "a", "b", "a+b+c", "a+b+d", "x+y+z", "?"}
	return Question{
		Type:    rapid.SampledFrom([]string{"open", "open", "link"}).Draw(t, "type"),
		Text:    rapid.SampledFrom(texts).Draw(t, "text"),
		Content: contentNamed(rapid.SampledFrom(contents).Draw(t, "content")),
	}
})

// anyEdit draws a list of questions with IDs, and the list after a commit that adds, deletes, moves, and edits
// questions, some of which set their IDs.
func anyEdit(t *rapid.T) (before, after []Question) {
	before = rapid.SliceOfN(anyQuestion, 0, 6).Draw(t, "before")
	for i := range before {
		before[i].ID = fmt.Sprint("id ", i)
	}

	pool := append(slices.Clone(before), rapid.SliceOfN(anyQuestion, 0, 3).Draw(t, "added")...)
	pool = rapid.SampledFrom([][]Question{pool, rapid.Permutation(pool).Draw(t, "order")}).Draw(t, "moved")
	for _, q := range pool {
		edited := anyQuestion.Draw(t, "edited")
		switch rapid.IntRange(0, 7).Draw(t, "edit") {
		case 0:
			continue
		case 1:
			q.Text = edited.Text
		case 2:
			q.Content = edited.Content
		case 3:
			q.Type = edited.Type
		case 4:
			q = Question{Type: q.Type, Text: edited.Text, Content: edited.Content}
		}
		if rapid.IntRange(0, 4).Draw(t, "stated") > 0 {
			q.ID = ""
		}
		after = append(after, q)
	}
	if rapid.IntRange(0, 5).Draw(t, "unknown") == 0 && len(after) > 0 {
		after[0].ID = Unknown
	}
	return before, after
}

// isSame reports whether two questions are equal in everything but their IDs.
func isSame(q, other Question) bool {
	return q.Type == other.Type && newTexts().same(q.Text, other.Text) && q.Content == other.Content && q.Content.isKnown()
}

func count(list []Question, is func(Question) bool) (n int) {
	for _, q := range list {
		if is(q) {
			n++
		}
	}
	return n
}

// For any commit, each pair follows the table above [Match].
func TestMatchKeepsToItsRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := anyEdit(t)
		pairs := Match(before, after)
		fail := func(i int, what string) {
			t.Fatalf("questions[%d] %s: %s\nbefore %q\nafter  %q", i, what, summaryOf(pairs, before), before, after)
		}

		taken, ids := map[int]bool{}, map[string]bool{}
		for i, pair := range pairs {
			q := after[i]
			if pair.Index >= 0 && taken[pair.Index] || pair.ID != "" && ids[pair.ID] {
				fail(i, "gets the answers of another one")
			}
			taken[pair.Index], ids[pair.ID] = true, true

			same := func(other Question) bool { return isSame(q, other) }
			isOpen := func(other Question) bool { return isSame(q, other) && other.ID == "" }
			switch {
			case statedID(q) != "" && (pair.ID != q.ID || pair.Index != IndexByID(before, q.ID)):
				fail(i, "loses the ID that it states")
			case q.ID == Unknown && pair.Rule != New:
				fail(i, "has an ID that is not known, and gets one")
			case q.ID == "" && count(before, same) == 1 && count(after, isOpen) == 1 && pair.Rule != Identical && !has(after, before[slices.IndexFunc(before, same)].ID):
				fail(i, "was not edited, and loses its answers")
			case len(pair.Candidates) > 0 && (pair.Rule != New || pair.ID != ""):
				fail(i, "has candidates and an ID")
			case (pair.Rule == New) != (pair.Index < 0):
				fail(i, "is new and has an index")
			}

			text := newTexts()
			isTrue := map[Rule]bool{
				New: true, SameID: pair.Was.ID == q.ID, Identical: isSame(q, pair.Was),
				SameText:     text.same(q.Text, pair.Was.Text),
				SimilarText:  text.similarity(q.Text, pair.Was.Text) >= similarShare,
				SamePosition: pair.Index == i && len(before) == len(after),
			}
			isCertain := pair.Rule == SameID || pair.Rule == Identical
			isType := pair.Rule == SameID || pair.Rule == New || pair.Was.Type == q.Type
			if !isTrue[pair.Rule] || !isType || isCertain && !pair.IsCertain || pair.Rule == SamePosition && pair.IsCertain {
				fail(i, "is not what its rule says")
			}
		}
	})
}

// withoutTwins returns the questions without those that equal an earlier one.
func withoutTwins(list []Question) (distinct []Question) {
	for _, q := range list {
		if !slices.ContainsFunc(distinct, func(other Question) bool { return isSame(q, other) }) {
			distinct = append(distinct, q)
		}
	}
	return distinct
}

// If nothing moved, the result doesn't depend on the lists' direction: the match of two reversed lists is the reversed
// match. Equal questions are paired from the beginning.
func TestMatchOfReversedListsIsReversed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := anyEdit(t)
		before, after = withoutTwins(before), withoutTwins(after)

		pairs := Match(before, after)
		reversedBefore, reversedAfter := slices.Clone(before), slices.Clone(after)
		slices.Reverse(reversedBefore)
		slices.Reverse(reversedAfter)
		reversed := Match(reversedBefore, reversedAfter)
		slices.Reverse(reversed)
		if a, b := summaryOf(pairs, before), summaryOf(reversed, reversedBefore); a != b {
			t.Fatalf("matches are %s, but %s if both lists are reversed\nbefore %q\nafter  %q", a, b, before, after)
		}
	})
}

// survey is a survey in PostHog with its remembered history. Questions are identified by their first ID.
type survey struct {
	first  []string
	live   []Question
	past   History
	minted int
	// isLost contains questions that lost their ID and their whole text in one save.
	isLost map[string]bool
}

func (s *survey) mint(what string) string {
	s.minted++
	return fmt.Sprint(what, " ", s.minted)
}

// text returns text that is unlike all others.
func (s *survey) text() string {
	s.minted++
	return string([]rune{rune('一' + 2*s.minted), rune('一' + 2*s.minted + 1), rune('一' + 2*s.minted)})
}

func (s *survey) insert(at int, first string, q Question) {
	s.first, s.live = slices.Insert(s.first, at, first), slices.Insert(s.live, at, q)
}

func (s *survey) remove(at int) (first string, q Question) {
	first, q = s.first[at], s.live[at]
	s.first, s.live = slices.Delete(s.first, at, at+1), slices.Delete(s.live, at, at+1)
	return first, q
}

// save changes the survey as teammates and scripts would. Some of them omit IDs.
func (s *survey) save(t *rapid.T) {
	s.live = slices.Clone(s.live)
	kind := rapid.SampledFrom([]string{"add", "delete", "move", "reword", "no IDs", "no IDs, moved", "not all IDs"}).Draw(t, "save")
	if len(s.live) == 0 {
		kind = "add"
	}
	at := rapid.IntRange(0, max(0, len(s.live)-1)).Draw(t, "at")

	switch kind {
	case "add":
		id := s.mint("added")
		s.insert(at, id, Question{ID: id, Type: rapid.SampledFrom([]string{"open", "link"}).Draw(t, "type"), Text: s.text(), Content: NoContent})
	case "delete":
		s.remove(at)
	case "move":
		first, q := s.remove(at)
		s.insert(rapid.IntRange(0, len(s.live)).Draw(t, "to"), first, q)
	case "reword":
		s.live[at].Text = s.text()
	default:
		for i := range s.live {
			if kind == "not all IDs" && (i == at || rapid.Bool().Draw(t, "keeps its ID")) {
				continue
			}
			s.live[i].ID = s.mint("minted")
			if kind != "no IDs, moved" && rapid.IntRange(0, 3).Draw(t, "reworded") == 0 {
				s.live[i].Text, s.isLost[s.first[i]] = s.text(), true
			}
		}
		if kind == "no IDs, moved" {
			first, q := s.remove(at)
			s.insert(rapid.IntRange(0, len(s.live)).Draw(t, "to"), first, q)
		}
	}
}

// check fails if a configuration that equals PostHog's questions gives one of them an ID other than the one with its
// answers.
func (s *survey) check(t *rapid.T) []Pair {
	config := WithoutIDs(s.live)
	pairs := s.past.Match(s.live, config)
	for i, pair := range pairs {
		owner := slices.Index(s.first, pair.ID)
		switch {
		case pair.Index != i || pair.ID != s.first[i] && !s.isLost[s.first[i]]:
			t.Fatalf("the answers of questions[%d] of %q, under ID %q, are detached: %s", i, s.live, s.first[i], summaryOf(pairs, s.live))
		case owner >= 0 && owner != i:
			t.Fatalf("questions[%d] of %q gets the answers of questions[%d]: %s", i, s.live, owner, summaryOf(pairs, s.live))
		}
	}

	decoded, err := Decode(s.past.Encode())
	if again := decoded.Match(s.live, config); err != nil || summaryOf(pairs, s.live) != summaryOf(again, s.live) {
		t.Fatalf("matches are %s, but %s after the private state was decoded: %v", summaryOf(pairs, s.live), summaryOf(again, s.live), err)
	}
	return pairs
}

// Saves omit all or some IDs, change texts, or change the order. An apply of the resulting questions then gives each
// question the ID with its answers.
func TestApplyReattachesAnswersAfterAnySave(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &survey{isLost: map[string]bool{}}
		for i := range rapid.IntRange(1, 5).Draw(t, "questions") {
			id := fmt.Sprint("written ", i)
			s.insert(i, id, Question{ID: id, Type: rapid.SampledFrom([]string{"open", "link"}).Draw(t, "type"), Text: s.text(), Content: NoContent})
		}
		s.past = s.past.AfterWrite(s.live)

		for range rapid.IntRange(1, 8).Draw(t, "saves") {
			s.save(t)
			for range rapid.IntRange(1, 3).Draw(t, "reads") {
				s.past = s.past.AfterRead(nil, s.live, false)
			}
			pairs := s.check(t)
			if rapid.IntRange(0, 3).Draw(t, "apply") > 0 {
				continue
			}
			for i, pair := range pairs {
				s.live[i].ID, s.first[i] = pair.ID, pair.ID
			}
			s.past = s.past.AfterWrite(s.live)
			if found := s.past.Detached(s.live); len(found) > 0 || !s.past.KeepsIDs(ids(s.live)) {
				t.Fatalf("the plan after an apply is not empty: %q\n%s", s.live, found.Lines())
			}
		}
	})
}

func ids(list []Question) (ids []string) {
	for _, q := range list {
		ids = append(ids, q.ID)
	}
	return ids
}

// Matching a translated survey with 150 questions and ten versions parses each text once, not once for each pair.
func TestMatchReadsEachTextOnce(t *testing.T) { //nolint:paralleltest // it counts allocations
	const n = 150
	questions := func(text string) (list []Question) {
		for i := range n {
			list = append(list, Question{ID: fmt.Sprint(i), Type: "open", Text: fmt.Sprintf(text, i, i*i), Content: NoContent})
		}
		return list
	}
	h := History{}.AfterWrite(questions("Question %d: how satisfied are you with the speed of part %d?"))
	for v := range keptVersions + 1 {
		h = h.AfterRead(nil, questions(fmt.Sprintf("Question %%d: how happy are you with the speed of part %%d in version %d?", v)), false)
	}
	config := WithoutIDs(questions("Frage %d: Wie zufrieden sind Sie damit, wie schnell Teil %d ist?"))

	var m *matcher
	allocations := testing.AllocsPerRun(1, func() {
		m = newMatcher(h, h.Newest(), config)
		m.pairIdentical(true)
		m.pairSameText()
		m.pairSimilar()
	})
	if texts := n * (len(h.versions) + 1); len(m.texts.pairs) > texts || len(m.texts.canonical) > texts || allocations > n*n {
		t.Errorf("matching %d texts cleaned %d texts and split %d, with %.0f allocations", texts, len(m.texts.canonical), len(m.texts.pairs), allocations)
	}
}
