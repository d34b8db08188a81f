package survey

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
)

// list reads questions written as "type:text" or "type:text#id".
func list(short string) []Question {
	var out []Question
	for one := range strings.FieldsSeq(short) {
		body, id, hasID := strings.Cut(one, "#")
		kind, text, _ := strings.Cut(body, ":")
		q := Question{Type: types.StringValue(kind), Question: types.StringValue(text)}
		if hasID {
			q.ID = types.StringValue(id)
		}
		out = append(out, q)
	}
	return out
}

// matched has the prior place of each configured question where nothing is known of
// the last apply.
func matched(prior, config []Question) []int {
	places := []int{}
	for _, from := range Match(prior, QuestionHistory{}, config) {
		places = append(places, from.Prior)
	}
	return places
}

func TestMatch(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		prior, config string
		want          []int
	}{
		"unchanged":             {"open:a#1 open:b#2", "open:a open:b", []int{0, 1}},
		"reordered":             {"open:a#1 open:b#2 link:c#3", "link:c open:a open:b", []int{2, 0, 1}},
		"inserted in front":     {"open:a#1 open:b#2", "open:new open:a open:b", []int{-1, 0, 1}},
		"neighbour deleted":     {"open:a#1 open:b#2", "open:b", []int{1}},
		"text edited":           {"open:a#1 open:b#2", "open:a open:b2", []int{0, 1}},
		"retyped":               {"open:a#1", "link:a", []int{-1}},
		"retyped, edited":       {"open:one#1 link:why-not#2", "rating:new open:why-not?", []int{-1, -1}},
		"retyped, edit beside":  {"open:why-so#1 link:why-not#2", "rating:new open:why-so?", []int{-1, 0}},
		"moved by id, edited":   {"open:a#1 open:b#2", "open:b2#2 open:a#1", []int{1, 0}},
		"same text twice":       {"open:a#1 open:a#2", "open:a open:a", []int{0, 1}},
		"same text, one gone":   {"open:a#1 open:a#2", "open:a", []int{0}},
		"id of nobody":          {"open:a#1", "open:a#9", []int{-1}},
		"id wins over text":     {"open:a#1 open:b#2", "open:b#1", []int{0}},
		"edited below insert":   {"open:a#1 open:b#2 open:c#3", "open:new open:a open:b2 open:c", []int{-1, 0, 1, 2}},
		"insert, edit beside":   {"open:why-not#1 open:b#2", "open:new open:why-not? open:b", []int{-1, 0, 1}},
		"edit, insert beside":   {"open:a#1 open:b#2", "open:a2 open:new open:b", []int{0, -1, 1}},
		"edited, others moved":  {"open:a#1 open:b#2 open:c#3", "open:c open:b2 open:a", []int{2, 1, 0}},
		"delete, edit beside":   {"open:why-not#1 open:how-so#2 open:c#3", "open:how-so? open:c", []int{1, 2}},
		"same text, first gone": {"open:a#1 open:b#2 open:a#3", "open:b open:a", []int{1, 2}},
		"replaced":              {"open:a#1 open:b#2", "open:a open:new", []int{0, 1}},
		"replaced by other":     {"open:a#1 open:b#2", "open:a link:new", []int{0, -1}},
		"nothing before":        {"", "open:a", []int{-1}},
		"nothing after":         {"open:a#1", "", []int{}},
		"reordered, cleaned":    {"open:a<b></b>#1 open:b#2", "open:b open:a<b>", []int{1, 0}},
		"cleaned beside equal":  {"open:a<b></b>#1 open:a<b>#2", "open:a<b>", []int{1}},
		"deleted with one edit": {"open:a#1 rating:b#2 open:c#3", "open:a rating:b2", []int{0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, matched(list(c.prior), list(c.config)))
		})
	}
}

// manyQuestions are questions with ids, and the same as a configuration has them: in other
// words where reworded is set, as in a survey that was translated.
func manyQuestions(n int, reworded bool) (prior, config []Question) {
	for i := range n {
		text := fmt.Sprintf("Question %d: how satisfied are you with the speed of part %d of our product?", i, i*i)
		q := Question{ID: types.StringValue(fmt.Sprint(i)), Type: types.StringValue("open"), Question: types.StringValue(text)}
		prior = append(prior, q)
		if reworded {
			q.Question = types.StringValue(fmt.Sprintf("Frage %d: Wie zufrieden sind Sie damit, wie schnell Teil %d unseres Produkts ist?", i, i*i))
		}
		q.ID = types.StringNull()
		config = append(config, q)
	}
	return prior, config
}

// BenchmarkMatch matches 150 questions. The share of it in a plan has to stay small even
// when all of them are reworded.
func BenchmarkMatch(b *testing.B) {
	for name, reworded := range map[string]bool{"unchanged": false, "reworded": true} {
		prior, config := manyQuestions(150, reworded)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Match(prior, QuestionHistory{}, config)
			}
		})
	}
}

// A survey that was translated is matched in a moment: what takes milliseconds took half a
// minute when every pair of questions was compared again for each that was found.
func TestMatchOfRewordedQuestionsIsQuick(t *testing.T) {
	t.Parallel()
	prior, config := manyQuestions(150, true)
	history := QuestionHistory{}.AfterWrite(prior)
	for i := range keptLists {
		other, _ := manyQuestions(150-i, false)
		history = history.AfterRead(nil, other, false)
	}

	started := time.Now()
	Match(prior, history, config)
	assert.Less(t, time.Since(started), 5*time.Second)
}
