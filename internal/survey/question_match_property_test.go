package survey

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// script is a list of questions and what an edit script made of it. Every text is
// written in letters of its own, so that no two of them are alike.
type script struct {
	prior, config []Question
	// origin is the prior question of each configured one, -1 for an inserted one;
	// edited says that its text is not the one that it was, retyped its type.
	origin          []int
	edited, retyped map[int]bool
}

var kindsOfQuestion = rapid.SampledFrom([]string{"open", "open", "rating"})

func newScript(t *rapid.T) *script {
	s := &script{edited: map[int]bool{}, retyped: map[int]bool{}}
	for j := range rapid.IntRange(0, 6).Draw(t, "questions") {
		q := s.written(t, j)
		q.ID = types.StringValue(fmt.Sprint("id ", j))
		s.prior = append(s.prior, q)
		q.ID = types.StringNull()
		s.config, s.origin = append(s.config, q), append(s.origin, j)
	}
	return s
}

// written is a question in the letters of a number.
func (s *script) written(t *rapid.T, number int) Question {
	text := strings.Repeat(string(rune('一'+2*number))+string(rune('一'+2*number+1)), 4)
	return Question{Type: types.StringValue(kindsOfQuestion.Draw(t, "type")), Question: types.StringValue(text)}
}

func (s *script) String() string {
	var b strings.Builder
	for j, q := range s.prior {
		fmt.Fprintf(&b, "was %d: %s %s\n", j, q.Type.ValueString(), q.Question.ValueString())
	}
	for i, q := range s.config {
		fmt.Fprintf(&b, "now %d: %s %s %s, was %d\n", i, q.Type.ValueString(), q.Question.ValueString(), q.ID, s.origin[i])
	}
	return b.String()
}

// Edits of a script, by name.
var edits = map[string]func(t *rapid.T, s *script, at, fresh int){
	"insert": func(t *rapid.T, s *script, at, fresh int) {
		s.config, s.origin = slices.Insert(s.config, at, s.written(t, fresh)), slices.Insert(s.origin, at, -1)
	},
	"delete": func(_ *rapid.T, s *script, at, _ int) {
		s.config, s.origin = slices.Delete(s.config, at, at+1), slices.Delete(s.origin, at, at+1)
	},
	"move": func(t *rapid.T, s *script, at, _ int) {
		q, origin := s.config[at], s.origin[at]
		s.config, s.origin = slices.Delete(s.config, at, at+1), slices.Delete(s.origin, at, at+1)
		to := rapid.IntRange(0, len(s.config)).Draw(t, "to")
		s.config, s.origin = slices.Insert(s.config, to, q), slices.Insert(s.origin, to, origin)
	},
	"edit": func(_ *rapid.T, s *script, at, _ int) {
		s.config[at].Question = types.StringValue(s.config[at].Question.ValueString() + "?")
		s.edited[s.origin[at]] = true
	},
	"rewrite": func(t *rapid.T, s *script, at, fresh int) {
		s.config[at].Question = s.written(t, fresh).Question
		s.edited[s.origin[at]] = true
	},
	"options": func(t *rapid.T, s *script, at, _ int) {
		s.config[at].Optional = types.BoolValue(rapid.Bool().Draw(t, "optional"))
		s.config[at].ButtonText = types.StringValue("Go")
	},
	"retype": func(_ *rapid.T, s *script, at, _ int) {
		s.config[at].Type = types.StringValue(map[string]string{"open": "rating", "rating": "open"}[s.config[at].Type.ValueString()])
		if j := s.origin[at]; j >= 0 {
			s.retyped[j] = !s.config[at].Type.Equal(s.prior[j].Type)
		}
	},
}

// run draws a script of edits out of those named.
func run(t *rapid.T, names ...string) *script {
	s := newScript(t)
	for step := range rapid.IntRange(0, 8).Draw(t, "edits") {
		name := rapid.SampledFrom(names).Draw(t, "edit")
		most := len(s.config) - 1
		if name == "insert" {
			most++
		}
		if most >= 0 {
			edits[name](t, s, rapid.IntRange(0, most).Draw(t, "at"), 1000+step)
		}
	}
	return s
}

// want fails with the script unless something holds of a configured question.
func (s *script) want(t *rapid.T, holds bool, i int, found []int, what string) {
	if !holds {
		t.Fatalf("question %d %s; all are matched as %v\n%s", i, what, found, s)
	}
}

// Whatever is done to a list of questions: no prior question is given out twice, or
// to one of another type; one whose type and text stayed is the one that it was.
func TestIDsNeverMove(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := run(t, "insert", "delete", "move", "edit", "rewrite", "options", "retype")
		found := matched(s.prior, s.config)
		taken := map[int]bool{}
		for i, j := range found {
			s.want(t, j < len(s.prior) && (j < 0 || !taken[j]), i, found, "gets what another one has")
			taken[j] = true
			if j >= 0 {
				s.want(t, s.config[i].Type.Equal(s.prior[j].Type), i, found, "gets the id of another type")
			}
			if origin := s.origin[i]; origin >= 0 && !s.edited[origin] && !s.retyped[origin] {
				s.want(t, j == origin, i, found, "stayed as it was and loses its id")
			}
		}
	})
}

// While none moves, a question of whose text half stays is the one that it was,
// whatever comes, goes and is edited around it.
func TestIDsStayWithEditedTexts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := run(t, "insert", "delete", "edit", "options")
		found := matched(s.prior, s.config)
		for i, origin := range s.origin {
			s.want(t, origin < 0 || found[i] == origin, i, found, "was edited and loses its id")
		}
	})
}

// While none moves, comes or goes, a question is the one that it was, whatever its
// text becomes.
func TestIDsStayWithRewrittenTexts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := run(t, "rewrite", "edit", "options")
		found := matched(s.prior, s.config)
		for i := range s.origin {
			s.want(t, found[i] == i, i, found, "was rewritten and loses its id")
		}
	})
}

// A new question gets no id as long as every old one is there with its type and text.
func TestNewQuestionsAreNew(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := run(t, "insert", "move", "options")
		found := matched(s.prior, s.config)
		for i, origin := range s.origin {
			s.want(t, found[i] == origin, i, found, "is not matched with its origin")
		}
	})
}

// An id that the configuration gives is kept whatever is done to the question and
// to the others, and no other question gets it.
func TestConfiguredIDsWin(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		s := run(t, "insert", "delete", "move", "edit", "rewrite", "options", "retype")

		named := map[int]bool{}
		for i, origin := range s.origin {
			switch rapid.IntRange(0, 3).Draw(t, "id?") {
			case 0:
			case 1:
				s.config[i].ID = types.StringValue(fmt.Sprint("of nobody ", i))
				named[i] = true
			default:
				if named[i] = origin >= 0; named[i] {
					s.config[i].ID = s.prior[origin].ID
				}
			}
		}

		found := matched(s.prior, s.config)
		taken := map[int]bool{}
		for i, j := range found {
			isOfNobody := named[i] && (s.origin[i] < 0 || !s.config[i].ID.Equal(s.prior[s.origin[i]].ID))
			s.want(t, j < 0 || !taken[j], i, found, "gets what another one has")
			taken[j] = true
			s.want(t, !isOfNobody || j < 0, i, found, "has an id of its own and gets another")
			s.want(t, isOfNobody || !named[i] || j == s.origin[i], i, found, "loses the id that it is given")
		}
	})
}

// Of questions with one text, as many stay matched as there are on both sides, and
// those that stand in the order in which they stood keep it.
func TestSameTexts(t *testing.T) {
	t.Parallel()

	someTexts := rapid.SliceOfN(rapid.SampledFrom([]string{"Why?", "Why?", "What else?", "How?"}), 0, 6)
	rapid.Check(t, func(t *rapid.T) {
		before, after := someTexts.Draw(t, "before"), someTexts.Draw(t, "after")
		prior, config := asked(before), asked(after)

		found := matched(prior, config)
		for _, text := range []string{"Why?", "What else?", "How?"} {
			matched := 0
			for i, j := range found {
				if j >= 0 && after[i] == text && before[j] == text {
					matched++
				}
			}

			if want := min(count(before, text), count(after, text)); matched != want {
				t.Fatalf("%d of %d questions %q keep their id: %v", matched, want, text, found)
			}
		}

		// Some questions deleted, none moved: what is left is in order.
		kept := rapid.SliceOfN(rapid.Bool(), len(before), len(before)).Draw(t, "kept")

		var left []string
		for j, keep := range kept {
			if keep {
				left = append(left, before[j])
			}
		}

		if found := matched(prior, asked(left)); !slices.IsSorted(found) || slices.Contains(found, -1) {
			t.Fatalf("of %q %q are left, matched as %v", before, left, found)
		}
	})
}

func asked(texts []string) []Question {
	out := make([]Question, len(texts))
	for i, text := range texts {
		out[i] = Question{Type: types.StringValue("open"), Question: types.StringValue(text)}
	}
	return out
}

func count(texts []string, text string) int {
	n := 0
	for _, one := range texts {
		if one == text {
			n++
		}
	}
	return n
}
