package hcledit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

const commented = `resource "posthog_survey" "s" {
  questions = [
    # the score
    { type = "rating", question = "How likely?", display = "number", scale = 10 },
    # the reason
    { type = "open", question = "Why?" }, # keep
  ]
}
`

// A question with another id and the same type and text is edited in place: its comments stay,
// and it gets its id where the code has to state it.
func TestQuestionsWithOtherIDsAreEditedInPlace(t *testing.T) {
	t.Parallel()
	rating := func(id string) any {
		return map[string]any{"id": id, "type": "rating", "question": "How likely?", "display": "number", "scale": 10}
	}
	open := func(id, text string) any { return map[string]any{"id": id, "type": "open", "question": text} }
	list := func(questions ...any) any { return map[string]any{"questions": questions} }
	code := list(rating("a"), open("b", "Why?"))
	reason := `{ type = "open", question = "Why?" }, # keep`

	for name, c := range map[string]struct {
		live   any
		ids    []string
		edited string
	}{
		"the code has to state it": {
			list(rating("a"), open("c", "Why?")), []string{"c"},
			strings.Replace(commented, reason, `{ type = "open", question = "Why?", id = "c" }, # keep`, 1),
		},
		"a plan finds it by itself": {list(rating("a"), open("c", "Why?")), nil, commented},
		"all of them, moved": {
			list(open("c", "Why?"), rating("d")), []string{"c"},
			"resource \"posthog_survey\" \"s\" {\n  questions = [\n    # the reason\n    { type = \"open\", question = \"Why?\", id = \"c\" }, # keep\n" +
				"    # the score\n    { type = \"rating\", question = \"How likely?\", display = \"number\", scale = 10 },\n  ]\n}\n",
		},
		"beside another one": {
			list(rating("a"), open("c", "Why?"), open("d", "Else?")), []string{"c"},
			strings.Replace(commented, reason, "{ type = \"open\", question = \"Why?\", id = \"c\" }, # keep\n    { type = \"open\", question = \"Else?\" },", 1),
		},
	} {
		file, err := Parse("main.tf", []byte(commented))
		require.NoError(t, err)
		findings := file.Merge(file.Resource("posthog_survey", "s"), Versions{code, code, c.live}, hclfile.Order(hclfile.SurveyType), c.ids...)
		edited, err := file.Bytes()
		require.NoError(t, err)
		assert.Equal(t, c.edited, string(edited), name)
		for _, finding := range findings {
			assert.Equal(t, Edited, finding.Outcome, name)
		}
	}
}

// Of several that are alike nobody knows which is which, and another type is another question.
func TestQuestionsThatAreNotToldApart(t *testing.T) {
	t.Parallel()
	question := func(id, kind string) any { return map[string]any{"id": id, "type": kind, "question": "Why?"} }
	identified := func(questions ...any) identified {
		ids := make([]string, len(questions))
		for i := range questions {
			ids[i] = object(questions[i])["id"].(string)
		}
		return identified{ids, questions}
	}
	one, two := identified(question("a", "open")), identified(question("a", "open"), question("b", "open"))

	assert.Equal(t, []string{"a"}, identified(question("c", "open")).reidentified(one, one).ids)
	assert.Equal(t, []string{"c"}, identified(question("c", "link")).reidentified(one, one).ids, "another type")
	assert.Equal(t, []string{"c", "d"}, identified(question("c", "open"), question("d", "open")).reidentified(one, one).ids, "two live")
	assert.Equal(t, []string{"c"}, identified(question("c", "open")).reidentified(two, two).ids, "two in the code")
	assert.Equal(t, []string{"a", "c"}, identified(question("a", "link"), question("c", "open")).reidentified(one, one).ids, "it is there")
	assert.Equal(t, []string{"c"}, identified(question("c", "open")).reidentified(identified(), one).ids, "the code adds it")
}
