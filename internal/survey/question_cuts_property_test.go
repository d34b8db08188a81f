package survey

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// saves are a survey that people save in the web interface and scripts without ids, and what
// is remembered of it. A question is known by the number that it has from the beginning.
type saves struct {
	live   []savedQuestion
	past   QuestionHistory
	minted int
	log    []string
}

type savedQuestion struct {
	number   int
	question Question
	// isLost is set when the question lost its id and its whole text in one save: nobody can tell
	// that it is the same.
	isLost bool
}

func (s *saves) mint() types.String {
	s.minted++
	return types.StringValue(fmt.Sprint("minted ", s.minted))
}

// text is a text unlike all others.
func (s *saves) text() types.String {
	s.minted++
	return types.StringValue(fmt.Sprint(string(rune('一'+2*s.minted)), string(rune('一'+2*s.minted+1)), string(rune('一'+2*s.minted))))
}

func (s *saves) list() []Question { return questionsOf(s.live) }

func questionsOf(saved []savedQuestion) []Question {
	list := make([]Question, len(saved))
	for i, one := range saved {
		list[i] = one.question
	}
	return list
}

// originalID is the id that a question had first.
func originalID(number int) string { return fmt.Sprint("id ", number) }

// save are the ways to save, each on a list with at least one question.
var saveWays = map[string]func(t *rapid.T, s *saves){
	"add": func(t *rapid.T, s *saves) {
		number := 100 + s.minted
		q := Question{ID: types.StringValue(originalID(number)), Type: types.StringValue(kindsOfQuestion.Draw(t, "type")), Question: s.text()}
		s.live = slices.Insert(s.live, rapid.IntRange(0, len(s.live)).Draw(t, "at"), savedQuestion{number: number, question: q})
	},
	"delete": func(t *rapid.T, s *saves) {
		at := rapid.IntRange(0, len(s.live)-1).Draw(t, "at")
		s.live = slices.Delete(s.live, at, at+1)
	},
	"move": func(t *rapid.T, s *saves) {
		at := rapid.IntRange(0, len(s.live)-1).Draw(t, "at")
		one := s.live[at]
		s.live = slices.Delete(s.live, at, at+1)
		s.live = slices.Insert(s.live, rapid.IntRange(0, len(s.live)).Draw(t, "to"), one)
	},
	"reword": func(t *rapid.T, s *saves) {
		s.live[rapid.IntRange(0, len(s.live)-1).Draw(t, "at")].question.Question = s.text()
	},
	"without ids": func(t *rapid.T, s *saves) {
		for i := range s.live {
			s.live[i].question.ID = s.mint()
		}
		if at := rapid.IntRange(0, len(s.live)).Draw(t, "rewritten"); at < len(s.live) {
			s.live[at].question.Question, s.live[at].isLost = s.text(), true
		}
	},
	"without ids, moved": func(t *rapid.T, s *saves) {
		for i := range s.live {
			s.live[i].question.ID = s.mint()
		}
		s.live = rapid.Permutation(s.live).Draw(t, "order")
	},
	"without some ids": func(t *rapid.T, s *saves) {
		kept := rapid.IntRange(0, len(s.live)-1).Draw(t, "kept")
		for i := range s.live {
			if i == kept || rapid.Bool().Draw(t, "id") {
				continue
			}
			s.live[i].question.ID = s.mint()
			if rapid.IntRange(0, 3).Draw(t, "reworded") == 0 {
				s.live[i].question.Question, s.live[i].isLost = s.text(), true
			}
		}
	},
}

// Whatever is saved without ids, all or some of them, with other texts or in another order: a
// configuration that says what the service holds gives every question the id that it had
// first, and none that of another one. It is written, and agrees with the service then.
func TestNoCutIsAdopted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &saves{}
		for number := range rapid.IntRange(1, 5).Draw(t, "questions") {
			q := Question{ID: types.StringValue(originalID(number)), Type: types.StringValue(kindsOfQuestion.Draw(t, "type")), Question: s.text()}
			s.live = append(s.live, savedQuestion{number: number, question: q})
		}
		s.past = s.past.AfterWrite(s.list())

		names := []string{"add", "delete", "move", "reword", "without ids", "without ids, moved", "without some ids"}
		for range rapid.IntRange(1, 8).Draw(t, "saves") {
			name := rapid.SampledFrom(names).Draw(t, "save")
			if len(s.live) == 0 {
				name = "add"
			}
			before := s.list()
			saveWays[name](t, s)
			s.log = append(s.log, fmt.Sprint(name, ": ", s.list()))
			s.past = s.past.AfterRead(before, s.list(), false)
			for range rapid.IntRange(0, 2).Draw(t, "refreshes") {
				s.past = s.past.AfterRead(s.list(), s.list(), false)
			}
			s.check(t)
			if rapid.IntRange(0, 3).Draw(t, "apply") == 0 {
				s.apply()
				s.check(t)
			}
		}
	})
}

// config is the configuration that says what the service holds, without ids.
func (s *saves) config() []Question {
	config := keysOnly(s.list())
	for i := range config {
		config[i].ID = types.StringNull()
	}
	return config
}

func (s *saves) check(t *rapid.T) {
	t.Helper()
	for i, from := range Match(s.list(), s.past, s.config()) {
		one, id := s.live[i], from.ID.ValueString()
		if from.Prior != i || id != originalID(one.number) && !one.isLost {
			t.Fatalf("question %d of %v gets the id %q, as %d\n%v", i, s.list(), id, from.Prior, s.log)
		}
		if owner := slices.IndexFunc(s.live, func(other savedQuestion) bool { return originalID(other.number) == id }); owner >= 0 && owner != i {
			t.Fatalf("question %d of %v gets the id of another one\n%v", i, s.list(), s.log)
		}
	}
}

// apply gives the questions the ids that a plan says. Those whose past nobody can tell have
// none from before from then on.
func (s *saves) apply() {
	for i, from := range Match(s.list(), s.past, s.config()) {
		s.live[i].question.ID = from.ID
	}
	s.past = s.past.AfterWrite(s.list())
}
