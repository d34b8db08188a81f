package identity

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

func decodeQuestion(t *testing.T, raw string) Question {
	t.Helper()
	list, ok := ParseQuestions([]byte("[" + raw + "]"))
	assert.True(t, ok, raw)
	return list[0]
}

// PostHog, Terraform, and YAML write the same content differently.
func TestContentIsTheSameInEachSpelling(t *testing.T) {
	t.Parallel()
	for a, b := range map[string]string{
		`{}`:                   `{"description": "", "choices": [], "link": null, "translations": {}, "optional": true, "buttonText": "Go", "id": "A", "type": "open"}`,
		`{"description": "a"}`: `{"description": " a "}`,
		`{"description": "a&b", "choices": ["x"]}`:          `{"choices": ["x"], "description": "a&amp;b"}`,
		`{"lowerBoundLabel": "low", "upperBoundLabel":"x"}`: `{"lower_bound_label": "low", "upper_bound_label":"x"}`,
		`{"scale": 5}`:     `{"scale": 5.0}`,
		`{"display": "é"}`: `{"display": "e\u0301"}`,
		`{"translations": {"de-DE": {"choices": ["x"]}}}`:                       `{"translations": {"de_de": {"choices": ["x"]}}}`,
		`{"translations": {"de": {"question": "Warum?"}}}`:                      `{"translations": "{\"de\": {\"question\": \"Warum?\"}}"}`,
		`{"translations": {"de": {"question": "Warum?"}, "": {"question": 1}}}`: `{"translations": {"de": {"question": "Warum?", "description": ""}}}`,
		`{"validation": [{"type": "min_length", "value": 3}]}`:                  `{"validation": [{"value": 3, "type": "min_length"}]}`,
	} {
		assert.Equal(t, decodeQuestion(t, a).Content, decodeQuestion(t, b).Content, "%s and %s", a, b)
	}
	assert.Equal(t, NoContent, decodeQuestion(t, `{}`).Content)
	assert.Equal(t, HashContent(map[string]any{"validation": []any{json.Number("3")}}), HashContent(map[string]any{"validation": jsonvalue.Text(`[3]`)}))
	assert.Equal(t, NoContent, HashContent(map[string]any{"scale": func() {}}))
}

func TestContentDiffers(t *testing.T) {
	t.Parallel()
	seen := map[Content]string{}
	for _, raw := range []string{
		`{}`, `{"description": "a"}`, `{"description": "b"}`, `{"description": "{\"a\": 1}"}`, `{"description": "{\"a\": 2}"}`, `{"link": "a"}`, `{"scale": 5}`, `{"scale": 7}`, `{"scale": "x"}`, `{"display": "a"}`, `{"lowerBoundLabel": "a"}`,
		`{"upperBoundLabel": "a"}`, `{"choices": ["a", "b"]}`, `{"choices": ["b", "a"]}`, `{"choices": ["a"]}`, `{"choices": [1]}`, `{"choices": [true]}`,
		`{"validation": [{"type": "min_length"}]}`, `{"validation": [{"type": "max_length"}]}`, `{"translations": {"de": {"question": "a"}}}`, `{"translations": {"fr": {"question": "a"}}}`,
	} {
		content := decodeQuestion(t, raw).Content
		assert.Empty(t, seen[content], "%s has the content of another question", raw)
		seen[content] = raw
	}
}

func TestContentSimilarityIsTheShareOfParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"", "", 1}, {"a", "a", 1}, {"a", "b", 0}, {"", "a", 0}, {"?", "a", 0.5}, {"?", "?", 0.5}, {"", "?", 0.5},
		{"a+b", "b+a", 2.0 / 3}, {"a+b+c", "a+b+d", 0.5}, {"a+b+c", "x+y+z", 0}, {"a+b+c", "a+b", 4.0 / 7},
	} {
		a, b := contentNamed(c.a), contentNamed(c.b)
		assert.InDelta(t, c.want, a.similarity(b), 1e-9, "%q and %q", c.a, c.b)
		assert.InDelta(t, c.want, b.similarity(a), 1e-9, "%q and %q", c.b, c.a)
	}
	assert.Equal(t, []int{0, 0, 1, 4}, []int{NoContent.parts(), Content("").parts(), contentNamed("a").parts(), contentNamed("a+b+c").parts()})
}

func TestQuestionsOfJSON(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		``: "[] true", `null`: "[] true", `[]`: "[] true", `{}`: "[] false", `"a"`: "[] false", `[1]`: "[] false", `[{}`: "[] false",
		`[{"id": "A", "type": "open", "question": "a"}]`:             "[{A open a -}] true",
		`[{"id": 7, "type": null}, {"question": 1.50, "scale": ""}]`: "[{7   -} {  1.50 -}] true",
		`[{"id": [7], "type": [], "question": {}}]`:                  fmt.Sprintf("[{ %s %s -}] true", Unknown, Unknown),
	} {
		list, ok := ParseQuestions([]byte(raw))
		assert.Equal(t, want, fmt.Sprint(list, ok), raw)
	}
	assert.Equal(t, []Question{{}, {ID: "A", Content: NoContent}}, NewQuestions([]any{1, map[string]any{"id": "A"}}))
	assert.Equal(t, []Question{{Text: "a"}}, WithoutIDs([]Question{{ID: "A", Text: "a"}}))
	assert.Equal(t, []int{1, -1, -1}, []int{IndexByID(list("open:a open:b#B"), "B"), IndexByID(list("open:a"), ""), IndexByID(nil, "A")})
}

func TestSimilarityIsTheShareOfLetterPairs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"abc", "abc", 1}, {"abc", "xyz", 0}, {"abc", "abd", 0.5}, {"abcde", "abcdx", 0.75}, {"", "", 0}, {"", "abc", 0}, {"aaaa", "aa", 1},
		{"ab", "ba", 0}, {"<b>abc</b>", "<b>abc</b>", 1}, {"a&amp;b", "a&b", 1}, {"é中文", "e\u0301中文", 1}, {Unknown, Unknown, 0}, {Unknown, "abc", 0}, {"abc", Unknown, 0},
	} {
		assert.InDelta(t, c.want, Similarity(c.a, c.b), 1e-9, "%q and %q", c.a, c.b)
		assert.InDelta(t, c.want, Similarity(c.b, c.a), 1e-9, "%q and %q", c.b, c.a)
	}
}
