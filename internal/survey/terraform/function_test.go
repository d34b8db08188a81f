package terraform

import (
	"context"
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// hcl returns a Go value as Terraform passes the same literal to a dynamic parameter.
func hcl(v any) attr.Value {
	switch v := v.(type) {
	case attr.Value:
		return v
	case nil:
		return types.DynamicNull()
	case string:
		return types.StringValue(v)
	case int:
		return types.NumberValue(big.NewFloat(float64(v)))
	case bool:
		return types.BoolValue(v)
	case []any:
		elements, kinds := []attr.Value{}, []attr.Type{}
		for _, one := range v {
			element := hcl(one)
			elements, kinds = append(elements, element), append(kinds, element.Type(context.Background()))
		}

		return types.TupleValueMust(kinds, elements)
	case map[string]any:
		attributes, kinds := map[string]attr.Value{}, map[string]attr.Type{}
		for key, one := range v {
			attributes[key] = hcl(one)
			kinds[key] = attributes[key].Type(context.Background())
		}

		return types.ObjectValueMust(kinds, attributes)
	}

	panic("no literal")
}

type (
	obj = map[string]any
	arr = []any
)

// call calls a function and returns its result or its error.
func call(t require.TestingT, f function.Function, argument any) (attr.Value, string) {
	ctx := context.Background()
	var definition function.DefinitionResponse
	f.Definition(ctx, function.DefinitionRequest{}, &definition)
	if argument == nil && !definition.Definition.Parameters[0].GetAllowNullValue() {
		return nil, "argument must not be null" // Terraform itself reports this
	}
	result, failed := definition.Definition.Return.NewResultData(ctx)
	require.Nil(t, failed)

	resp := function.RunResponse{Result: result}
	f.Run(ctx, function.RunRequest{
		Arguments: function.NewArgumentsData([]attr.Value{types.DynamicValue(hcl(argument))}),
	}, &resp)
	if resp.Error != nil {
		return nil, resp.Error.Error()
	}
	return resp.Result.Value(), ""
}

func TestQuestionTypeIsThatOfTheSchema(t *testing.T) {
	t.Parallel()
	list, ok := surveyschema.Questions().GetType().(types.ListType)
	require.True(t, ok)
	assert.Equal(t, list.ElemType.String(), survey.QuestionType.String(), "questionType in model.go lacks an attribute of the schema")

	for name := range survey.QuestionType.AttrTypes {
		assert.Contains(t, survey.NamedQuestionType.AttrTypes, name)
	}
	require.Len(t, survey.NamedQuestionType.AttrTypes, len(survey.QuestionType.AttrTypes)+1, "the schema of questions must not have an attribute name, because the function adds one")
}

// The function accepts every attribute of the schema and returns it unchanged.
func TestQuestionFunctionTakesEveryAttribute(t *testing.T) {
	t.Parallel()
	given := obj{
		"id": "a", "type": "rating", "question": "How?", "description": "d", "description_content_type": "text", "optional": true,
		"button_text": "Next", "branching": obj{"type": "specific_question", "index": 2, "response_values": obj{"negative": "end", "positive": 3}},
		"link": "https://example.com", "display": "emoji", "scale": 5, "lower_bound_label": "bad", "upper_bound_label": "good",
		"is_nps_question": false, "choices": arr{"a", "b"}, "shuffle_options": true, "has_open_choice": false, "skip_submit_button": true,
		"validation": arr{obj{"type": "min_length", "value": 3}}, "translations": `{"de":{}}`, "extra": `{"new":1}`,
	}
	value, failed := call(t, NewQuestionFunction(), given)
	require.Empty(t, failed)
	question, ok := value.(types.Object)
	require.True(t, ok)
	for name, one := range question.Attributes() {
		assert.Contains(t, given, name, "the test must pass each attribute of the schema to the function")
		assert.Falsef(t, one.IsNull(), "%s was lost", name)
	}
	branching, _ := question.Attributes()["branching"].(types.Object)
	assert.Equal(t, `{"index":2,"response_values":{"negative":"end","positive":"3"},"type":"specific_question"}`, branching.String())

	// An omitted attribute is null.
	value, failed = call(t, NewQuestionFunction(), obj{"type": "open"})
	require.Empty(t, failed)
	question, _ = value.(types.Object)
	require.Len(t, question.Attributes(), len(survey.QuestionType.AttrTypes))
	assert.True(t, question.Attributes()["scale"].IsNull())
}

func TestFunctionRefuses(t *testing.T) {
	t.Parallel()
	named := func(branching obj) arr {
		return arr{obj{"question": "a", "branching": branching}, obj{"name": "reason"}, obj{"name": "thanks"}}
	}
	for want, argument := range map[string]any{
		`questions[0].scael is not supported. The nearest key is scale`:                                                        arr{obj{"scael": 3}},
		`questions[1].branching.indx is not supported. The nearest key is index`:                                               arr{obj{}, obj{"branching": obj{"indx": 3}}},
		`questions[0].validation[0].max is not supported. Use one of type, value`:                                              arr{obj{"validation": arr{obj{"max": "email"}}}},
		`questions[0].branching.question is "reson", but no question has that name. The nearest name is "reason"`:              named(obj{"type": "specific_question", "question": "reson"}),
		`questions[0].branching.response_values["1"] is "resaon", but no question has that name. The nearest name is "reason"`: named(obj{"response_values": obj{"1": "resaon"}}),
		`is "price", but no question has that name. Names are reason, thanks`:                                                  named(obj{"response_values": obj{"1": "price"}}),
		`questions[0].branching.index is "reason". It must be a whole number`:                                                  named(obj{"index": "reason"}),
		`questions[0].branching has both question and index`:                                                                   named(obj{"index": 1, "question": "reason"}),
		`questions[0].branching.question belongs to branching of type "specific_question", and this is of type "end"`:          named(obj{"type": "end", "question": "reason"}),
		`no question has a name`: arr{obj{"branching": obj{"question": "reason"}}},
		`questions[1].name is "a", which is the name of questions[0] already`:                  arr{obj{"name": "a"}, obj{"name": "a"}},
		`questions[0].name: "end" cannot be a name`:                                            arr{obj{"name": "end"}},
		`questions[0].name: "2" cannot be a name`:                                              arr{obj{"name": "2"}},
		`questions[0].name is 2, not a text. Write "2" in quotes`:                              arr{obj{"name": 2}},
		`questions[0].choices[0] is true, not a text. Write "Yes" in quotes`:                   arr{obj{"choices": arr{true, false}}},
		`questions[0].choices[1] is false, not a text. Write "No" in quotes`:                   arr{obj{"choices": arr{"a", false}}},
		`questions[0].choices[0] is 10, not a text. Write "10" in quotes`:                      arr{obj{"choices": arr{10}}},
		`questions[0].question is true, not a text`:                                            arr{obj{"question": true}},
		`questions[0].translations is true, not a text`:                                        arr{obj{"translations": true}},
		`questions[0].branching.response_values["0"] must be the name of a question`:           arr{obj{"branching": obj{"response_values": obj{"0": false}}}},
		`questions[0].name: "-1.5" cannot be a name`:                                           arr{obj{"name": "-1.5"}},
		`questions[0].name: a name must not be empty`:                                          arr{obj{"name": " "}},
		`questions[0] is null. It must be an object`:                                           arr{nil},
		`questions is an object. It must be a list`:                                            obj{"type": "open"},
		`questions[0] is a string. It must be an object`:                                       arr{"open"},
		`questions[0].choices is a string. It must be a list`:                                  arr{obj{"choices": "a"}},
		`questions[0].question is a tuple. It must be a string`:                                arr{obj{"question": arr{}}},
		`questions[0].translations is an object. It must be JSON: write it as jsonencode(...)`: arr{obj{"translations": obj{"de": obj{"question": "Warum?"}}}},
		`questions[0].extra is a tuple. It must be JSON: write it as jsonencode(...)`:          arr{obj{"extra": arr{}}},
		`questions[0].scale is "many". It must be a number`:                                    arr{obj{"scale": "many"}},
		`questions[0].optional is "yes". It must be true or false`:                             arr{obj{"optional": "yes"}},
		`questions[0].optional is "1". It must be true or false`:                               arr{obj{"optional": 1}},
		`questions[0].branching.index is "1.5". It must be a whole number`:                     arr{obj{"branching": obj{"index": "1.5"}}},
		`questions[0].branching.index is "9223372036854775808". It must be a whole number of`:  arr{obj{"branching": obj{"index": "9223372036854775808"}}},
		`questions[0].branching.response_values is a tuple. It must be a map`:                  arr{obj{"branching": obj{"response_values": arr{}}}},
	} {
		_, failed := call(t, NewQuestionsFunction(), argument)
		assert.Contains(t, failed, want)
		assert.NotRegexp(t, `[.?!]$`, failed, "the error must not end with a period, because Terraform adds one")
	}

	_, failed := call(t, NewQuestionFunction(), obj{"name": "a"})
	assert.Contains(t, failed, "name is not supported")
	_, failed = call(t, NewQuestionFunction(), arr{})
	assert.Contains(t, failed, "The argument is a tuple. It must be an object")
}

// A survey may have no questions, and a module's variable may be null.
func TestFunctionsOfNull(t *testing.T) {
	t.Parallel()
	value, failed := call(t, NewQuestionsFunction(), nil)
	require.Empty(t, failed)
	assert.Equal(t, types.ListNull(survey.QuestionType), value)

	none, failed := call(t, NewFlowFunction(), nil)
	require.Empty(t, failed)
	empty, failed := call(t, NewFlowFunction(), arr{})
	require.Empty(t, failed)
	assert.Equal(t, empty, none)

	for _, f := range []function.Function{NewQuestionFunction(), NewResponseKeyFunction()} {
		_, failed = call(t, f, nil)
		assert.Contains(t, failed, "null")
	}
}

func TestQuestionsFunctionResolvesNames(t *testing.T) {
	t.Parallel()
	value, failed := call(t, NewQuestionsFunction(), arr{
		obj{"type": "rating", "branching": obj{"type": "response_based", "response_values": obj{"negative": "reason", "neutral": 3, "positive": "end"}}},
		obj{"name": "thanks", "branching": obj{"type": "specific_question", "question": "reason"}},
		obj{"name": "reason", "branching": obj{"type": "specific_question", "index": "1"}},
		obj{"name": nil, "branching": nil},
	})
	require.Empty(t, failed)
	assert.Equal(t, []string{
		`{"index":<null>,"response_values":{"negative":"2","neutral":"3","positive":"end"},"type":"response_based"}`,
		`{"index":2,"response_values":<null>,"type":"specific_question"}`,
		`{"index":1,"response_values":<null>,"type":"specific_question"}`,
		`<null>`,
	}, branchingsOf(t, value))
}

// While a name is unknown, it may turn out to be a missing name. All other values stay known.
func TestFunctionsKeepUnknownValues(t *testing.T) {
	t.Parallel()
	value, failed := call(t, NewQuestionFunction(), obj{"type": types.StringUnknown(), "choices": types.DynamicUnknown(), "scale": 3})
	require.Empty(t, failed)
	question, _ := value.(types.Object)
	assert.True(t, question.Attributes()["type"].IsUnknown())
	assert.Equal(t, types.ListUnknown(types.StringType), question.Attributes()["choices"])
	assert.Equal(t, "3", question.Attributes()["scale"].String())

	value, failed = call(t, NewQuestionFunction(), types.DynamicUnknown())
	require.Empty(t, failed)
	assert.Equal(t, types.ObjectUnknown(survey.QuestionType.AttrTypes), value)

	value, failed = call(t, NewQuestionsFunction(), types.DynamicUnknown())
	require.Empty(t, failed)
	assert.Equal(t, types.ListUnknown(survey.QuestionType), value)

	value, failed = call(t, NewQuestionsFunction(), arr{
		obj{"branching": obj{"type": "specific_question", "question": "known"}},
		obj{"branching": obj{"type": types.StringUnknown(), "question": "later"}},
		obj{"branching": obj{"response_values": obj{"0": "later", "1": "known", "2": types.StringUnknown()}}},
		obj{"branching": obj{"question": types.StringUnknown()}},
		obj{"branching": types.DynamicUnknown()},
		obj{"name": "known"},
		obj{"name": types.StringUnknown()},
	})
	require.Empty(t, failed)
	assert.Equal(t, []string{
		`{"index":5,"response_values":<null>,"type":"specific_question"}`,
		`{"index":<unknown>,"response_values":<null>,"type":<unknown>}`,
		`{"index":<null>,"response_values":{"0":<unknown>,"1":"5","2":<unknown>},"type":<null>}`,
		`{"index":<unknown>,"response_values":<null>,"type":<null>}`,
		`<unknown>`, `<null>`, `<null>`,
	}, branchingsOf(t, value))

	// A completely unknown question may have any name.
	value, failed = call(t, NewQuestionsFunction(), arr{obj{"branching": obj{"question": "later"}}, types.DynamicUnknown()})
	require.Empty(t, failed)
	list, _ := value.(types.List)
	assert.True(t, list.Elements()[1].IsUnknown())
}

// A name refers to its question regardless of the question order.
func TestNamesFollowTheQuestions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "number of questions")
		order := rapid.Permutation([]int{0, 1, 2, 3, 4, 5}[:n]).Draw(t, "order")
		target := make([]int, n)
		list := make(arr, n)
		word := func(q int) string { return "question " + string(rune('a'+q)) }
		for position, q := range order {
			target[q] = rapid.IntRange(0, n-1).Draw(t, "target")
			list[position] = obj{"name": word(q), "question": word(q), "branching": obj{"type": "specific_question", "question": word(target[q])}}
		}

		value, failed := call(t, NewQuestionsFunction(), list)
		require.Empty(t, failed)
		questions, _ := value.(types.List)
		for position, q := range order {
			question, _ := questions.Elements()[position].(types.Object)
			branching, _ := question.Attributes()["branching"].(types.Object)
			index, _ := branching.Attributes()["index"].(types.Int64)
			require.Equal(t, target[q], order[index.ValueInt64()])
		}
	})
}

func branchingsOf(t *testing.T, value attr.Value) []string {
	t.Helper()
	list, ok := value.(types.List)
	require.True(t, ok)
	var out []string
	for _, element := range list.Elements() {
		question, ok := element.(types.Object)
		require.True(t, ok)
		out = append(out, question.Attributes()["branching"].String())
	}
	return out
}
