package survey

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
)

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
	history := QuestionHistory{}.AfterWrite(prior, prior)
	for i := range keptLists {
		other, _ := manyQuestions(150-i, false)
		history = history.AfterRead(nil, other, false)
	}

	started := time.Now()
	Match(prior, history, config)
	assert.Less(t, time.Since(started), 5*time.Second)
}
