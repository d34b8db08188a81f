package survey

import (
	"encoding/json"
	"maps"
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// element returns a question in a framework list. All attributes are null except its text and the given ones.
func element(text string, given map[string]attr.Value) attr.Value {
	attributes := map[string]attr.Value{}
	for name, typ := range QuestionType.AttrTypes {
		attributes[name] = attribute.NullValue(typ)
	}
	attributes["question"] = types.StringValue(text)
	maps.Copy(attributes, given)
	return types.ObjectValueMust(QuestionType.AttrTypes, attributes)
}

func listOf(elements ...attr.Value) types.List { return types.ListValueMust(QuestionType, elements) }

// frameworkLists are lists in every form that a configuration, a plan, or a state can have.
var frameworkLists = map[string]struct {
	list      types.List
	isKnown   bool
	questions int
}{
	"null":    {types.ListNull(QuestionType), true, 0},
	"unknown": {types.ListUnknown(QuestionType), false, 0},
	"empty":   {listOf(), true, 0},
	"known":   {listOf(element("a", nil), element("b", map[string]attr.Value{"scale": types.NumberValue(big.NewFloat(10))})), true, 2},
	"unknown inside": {listOf(
		element("a", map[string]attr.Value{"id": types.StringUnknown(), "branching": types.ObjectUnknown(BranchingType.AttrTypes)}),
		element("b", map[string]attr.Value{"choices": types.ListValueMust(types.StringType, []attr.Value{types.StringUnknown(), types.StringNull()})}),
	), true, 2},
	"unknown element": {listOf(element("a", nil), types.ObjectUnknown(QuestionType.AttrTypes)), false, 0},
	"null element":    {listOf(types.ObjectNull(QuestionType.AttrTypes), element("b", nil)), false, 0},
}

// Framework lists convert to questions and back without a change, because Terraform refuses a plan that changes a
// value.
func TestQuestionsComeBack(t *testing.T) {
	t.Parallel()
	for name, c := range frameworkLists {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			questions := Questions{items: []Question{{}}, state: attr.ValueStateUnknown}
			require.True(t, questions.SetFrom(c.list))

			list, known := questions.Known()
			assert.Equal(t, c.isKnown, known)
			assert.Len(t, list, c.questions)
			assert.Equal(t, list, questions.List())
			assert.Equal(t, c.list.IsNull(), questions.IsNull())
			assert.Equal(t, c.list.IsUnknown(), questions.IsUnknown())
			assert.Equal(t, attribute.IsEmpty(c.list), attribute.IsEmpty(questions))
			assert.Equal(t, c.list.String(), questions.String(), "the text must stay the same, because private states contain hashes of it")
			assert.Equal(t, c.list.Type(t.Context()), questions.Type(t.Context()))

			back, diags := questions.ToListValue(t.Context())
			assert.Empty(t, diags)
			assert.True(t, c.list.Equal(back))
			want, err := c.list.ToTerraformValue(t.Context())
			require.NoError(t, err)
			got, err := questions.ToTerraformValue(t.Context())
			require.NoError(t, err)
			assert.True(t, want.Equal(got))
		})
	}
}

// Questions are equal if and only if their framework lists are.
func TestEqualQuestions(t *testing.T) {
	t.Parallel()
	for name, one := range frameworkLists {
		for other, c := range frameworkLists {
			var a, b Questions
			require.True(t, a.SetFrom(one.list))
			require.True(t, b.SetFrom(c.list))
			assert.Equal(t, one.list.Equal(c.list), a.Equal(b), "%s, %s", name, other)
			assert.Equal(t, name == other, a.Equal(b), "%s, %s", name, other)
		}
	}

	// Terraform treats the two notations of a number as equal. Go doesn't.
	var a, b Questions
	require.True(t, a.SetFrom(listOf(element("a", map[string]attr.Value{"scale": types.NumberValue(big.NewFloat(10))}))))
	require.True(t, b.SetFrom(listOf(element("a", map[string]attr.Value{"scale": types.NumberValue(new(big.Float).SetPrec(512).SetInt64(10))}))))
	assert.True(t, a.Equal(b))
	assert.False(t, a.Equal(types.StringNull()))

	fields, err := FromAPI(t.Context(), api.Survey{}, Fields{}, &attribute.Response{})
	require.NoError(t, err)
	other := fields
	fields.Questions, other.Questions = a, b
	assert.True(t, fields.Equal(other))
	other.Questions = Questions{}
	assert.False(t, fields.Equal(other))
}

// The zero value is null: an unknown survey has no questions.
func TestZeroQuestionsAreNull(t *testing.T) {
	t.Parallel()
	assert.True(t, Questions{}.IsNull())
	assert.True(t, Questions{}.Equal(Questions{}))
	assert.False(t, Questions{}.Equal(NewQuestions(nil)), "null must not equal an empty list")
}

// A null element is refused with its path after all elements are known.
func TestNullQuestionIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range frameworkLists {
		var questions Questions
		require.True(t, questions.SetFrom(c.list))
		var diags diag.Diagnostics
		questions.RefuseNull(&diags)
		if name == "null element" {
			require.Len(t, diags, 1)
			assert.Equal(t, "questions[0] is null, but must be a question.", diags[0].Detail())
		} else {
			assert.Empty(t, diags, name)
		}
	}

	var questions Questions
	require.True(t, questions.SetFrom(listOf(types.ObjectNull(QuestionType.AttrTypes), types.ObjectUnknown(QuestionType.AttrTypes))))
	var diags diag.Diagnostics
	questions.RefuseNull(&diags)
	assert.Empty(t, diags)
}

// A value of another type is reported as a bug, and not treated as an empty list.
func TestQuestionsOfAnotherType(t *testing.T) {
	t.Parallel()
	var questions Questions
	assert.False(t, questions.SetFrom(types.StringValue("a")))
	assert.False(t, questions.SetFrom(types.ListValueMust(types.StringType, []attr.Value{types.StringValue("a")})))
	assert.Panics(t, func() {
		attribute.ToStruct(&struct {
			Questions Questions `tfsdk:"questions"`
		}{}, map[string]attr.Value{"questions": basetypes.NewMapNull(QuestionType)})
	})
}

// Any question converts to the API and back without a change.
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
			back := QuestionToAPI(question, func() string { return "never" }, path.Root("questions"), &diags)
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

// A response value is written in a form that preserves its type.
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
	raw := QuestionToAPI(q, func() string { return "minted" }, path.Root("questions"), &diags)
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

func readQuestions(t *testing.T, prior Questions, a *attribute.Response, raws ...string) Questions {
	t.Helper()
	wire := make([]json.RawMessage, len(raws))
	for i, raw := range raws {
		wire[i] = json.RawMessage(raw)
	}
	list, err := questionsFromAPI(nullable.NewNullableWithValue(wire), prior, a)
	require.NoError(t, err)
	return list
}

// Questions that PostHog changed are always reported in the same order.
func TestChangedQuestionsInOneOrder(t *testing.T) {
	t.Parallel()
	planned := readQuestions(t, Questions{}, &attribute.Response{},
		`{"id":"a","type":"open","question":"x ","description":"x ","buttonText":"x ","lowerBoundLabel":"x ","upperBoundLabel":"x "}`)
	for range 50 {
		a := &attribute.Response{IsWrite: true}
		readQuestions(t, planned, a, `{"id":"a","type":"open","question":"x","description":"x","buttonText":"x","lowerBoundLabel":"x","upperBoundLabel":"x"}`)
		assert.Equal(t, []string{
			"questions/a/question", "questions/a/description", "questions/a/button_text", "questions/a/lower_bound_label", "questions/a/upper_bound_label",
		}, a.Changed)
	}
}

// If PostHog returns no IDs, questions are identified by position. Values remembered for one question are not used for
// another.
func TestQuestionsWithoutIDs(t *testing.T) {
	t.Parallel()
	planned := readQuestions(t, Questions{}, &attribute.Response{},
		`{"type":"open","question":" first"}`, `{"type":"open","question":" second"}`)
	writing := &attribute.Response{IsWrite: true}
	stored := []string{`{"type":"open","question":"first"}`, `{"type":"open","question":"second"}`}
	assert.Equal(t, planned, readQuestions(t, planned, writing, stored...))
	reading := &attribute.Response{Memory: writing.Remembered}
	assert.Equal(t, planned, readQuestions(t, planned, reading, stored...), "a read must keep the configured texts")
	assert.Equal(t, writing.Remembered, reading.Remembered)
}
