package survey

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// What a question holds comes back as it was, whatever it holds.
func TestQuestionRoundTrip(t *testing.T) {
	t.Parallel()

	for name, raw := range map[string]string{
		"open":               `{"type":"open","question":"Why?","id":"a"}`,
		"link":               `{"type":"link","question":"See","link":"https://example.com","buttonText":"Go"}`,
		"rating":             `{"type":"rating","question":"How?","display":"emoji","scale":5,"lowerBoundLabel":"bad","upperBoundLabel":"good"}`,
		"fraction":           `{"type":"rating","question":"How?","scale":0.1}`,
		"exponent":           `{"type":"rating","question":"How?","scale":1e3}`,
		"long number":        `{"type":"rating","question":"How?","scale":9007199254740993}`,
		"choices":            `{"type":"multiple_choice","question":"Which?","choices":["a","b"],"shuffleOptions":true,"hasOpenChoice":false}`,
		"no choices":         `{"type":"single_choice","question":"Which?","choices":[]}`,
		"empty texts":        `{"type":"open","question":"","description":"","buttonText":""}`,
		"explicit nulls":     `{"type":"open","question":"q","description":null,"branching":null,"choices":null,"scale":null,"validation":null,"translations":null}`,
		"odd types":          `{"type":"rating","question":"q","scale":"ten","optional":"yes","choices":"none","link":7}`,
		"null among choices": `{"type":"single_choice","question":"q","choices":["a",null]}`,
		"mixed choices":      `{"type":"single_choice","question":"q","choices":["a",1]}`,
		"unknown kind":       `{"type":"nps_grid","question":"q","rows":[1,{"deep":null}],"n":9007199254740993}`,
		"no type":            `{"question":"q"}`,
		"empty":              `{}`,
		"next":               `{"type":"open","question":"q","branching":{"type":"next_question"}}`,
		"specific":           `{"type":"open","question":"q","branching":{"type":"specific_question","index":0}}`,
		"response based":     `{"type":"rating","question":"q","branching":{"type":"response_based","responseValues":{"detractors":2,"promoters":"end"}}}`,
		"odd targets":        `{"type":"rating","question":"q","branching":{"type":"response_based","responseValues":{"a":"2","b":"null","c":null,"d":"","e":" 3","f":{"x":1},"g":true,"h":2.5,"i":"\"end\"","j":"end "}}}`,
		"no responses":       `{"type":"rating","question":"q","branching":{"type":"response_based","responseValues":{}}}`,
		"branching key":      `{"type":"rating","question":"q","branching":{"type":"end","since":1}}`,
		"branching null":     `{"type":"rating","question":"q","branching":{"type":"specific_question","index":null}}`,
		"branching kind":     `{"type":"rating","question":"q","branching":{"type":"jump"}}`,
		"branching index":    `{"type":"rating","question":"q","branching":{"type":"specific_question","index":1.5}}`,
		"rules":              `{"type":"open","question":"q","validation":[{"type":"min_length","value":3},{"type":"email"}]}`,
		"odd rules":          `{"type":"open","question":"q","validation":[{"type":"min_length","value":"3"}]}`,
		"null rule":          `{"type":"open","question":"q","validation":[null]}`,
		"translations":       `{"type":"open","question":"q","translations":{"de":{"question":"<Warum> & wie?"}}}`,
		"capitals of keys":   `{"type":"open","question":"q","Question":"other","QUESTION":"third"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			question, err := QuestionFromAPI(json.RawMessage(raw))
			require.NoError(t, err)

			var diags diag.Diagnostics
			back := QuestionToAPI(t.Context(), question, func() string { return "never" }, path.Root("questions"), &diags)
			require.False(t, diags.HasError(), "%v", diags)

			assert.Equal(t, canonical(t, raw), canonical(t, string(back)))
		})
	}
}

func TestQuestionMustBeAnObject(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`null`, `7`, `"text"`, `[]`} {
		_, err := QuestionFromAPI(json.RawMessage(raw))
		assert.ErrorContains(t, err, "not an object", raw)
	}
}

// A response value is written so that its type comes back.
func TestTargetSpelling(t *testing.T) {
	t.Parallel()
	for raw, word := range map[string]string{
		`2`: "2", `"end"`: "end", `"2"`: `"2"`, `"null"`: `"null"`, `null`: "null", `""`: `""`, `"with blank"`: "with blank",
	} {
		assert.Equal(t, word, targetFromAPI(json.RawMessage(raw)), raw)
		assert.Equal(t, raw, string(targetToAPI(word)), word)
	}
}

func TestNewQuestionGetsAnID(t *testing.T) {
	t.Parallel()
	var diags diag.Diagnostics
	q := Question{ID: types.StringUnknown(), Type: types.StringValue("open"), Question: types.StringValue("q")}
	raw := QuestionToAPI(t.Context(), q, func() string { return "minted" }, path.Root("questions"), &diags)
	assert.JSONEq(t, `{"id":"minted","type":"open","question":"q"}`, string(raw))
}

// canonical sorts keys and keeps the digits of numbers.
func canonical(t *testing.T, text string) string {
	t.Helper()
	v, err := jsonvalue.Decode(text)
	require.NoError(t, err)
	out, err := json.Marshal(v)
	require.NoError(t, err)
	return string(out)
}
