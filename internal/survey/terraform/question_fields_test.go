package terraform

import (
	"encoding/json"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// A question's attributes are in several lists: type, schema, mapping, plan, reconciliation, and checks. These tests
// fail if a list lacks an attribute.

func questionFields() []string {
	return slices.Sorted(slices.Values(attribute.Names(&survey.Question{})))
}

// wireKeys returns the keys of a question in the contract.
func wireKeys() []string {
	var keys []string
	for field := range reflect.TypeFor[api.SurveyQuestion]().Fields() {
		if key, _, _ := strings.Cut(field.Tag.Get("json"), ","); key != "-" {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// sample returns a value of a type. A different text results in a different sample.
func sample(typ attr.Type, text string) attr.Value {
	switch typ := typ.(type) {
	case types.ListType:
		return types.ListValueMust(typ.ElemType, []attr.Value{sample(typ.ElemType, text)})
	case types.MapType:
		return types.MapValueMust(typ.ElemType, map[string]attr.Value{text: sample(typ.ElemType, text)})
	case types.ObjectType:
		attributes := map[string]attr.Value{}
		for name, t := range typ.AttrTypes {
			attributes[name] = sample(t, text)
		}
		return types.ObjectValueMust(typ.AttrTypes, attributes)
	}

	switch {
	case typ.Equal(types.BoolType):
		return types.BoolValue(text == "a")
	case typ.Equal(types.Int64Type):
		return types.Int64Value(int64(len(text)))
	case typ.Equal(types.NumberType):
		return types.NumberValue(big.NewFloat(float64(len(text))))
	case typ.Equal(jsontypes.NormalizedType{}):
		return jsontypes.NewNormalizedValue(`{"` + text + `":{}}`)
	}
	return types.StringValue(text)
}

// questionOf returns a question with a sample for each attribute.
func questionOf(text string) survey.Question {
	attributes := map[string]attr.Value{}
	for name, typ := range survey.QuestionType.AttrTypes {
		attributes[name] = sample(typ, text)
	}

	var q survey.Question
	attribute.ToStruct(&q, attributes)
	return q
}

// questionWith returns a question with one attribute. The others are null.
func questionWith(name string, value attr.Value) survey.Question {
	attributes := map[string]attr.Value{}
	for other, typ := range survey.QuestionType.AttrTypes {
		attributes[other] = attribute.NullLike(sample(typ, "a"))
	}
	attributes[name] = value

	var q survey.Question
	attribute.ToStruct(&q, attributes)
	return q
}

func TestQuestionFieldsInTypeAndSchema(t *testing.T) {
	t.Parallel()
	assert.Equal(t, questionFields(), slices.Sorted(maps.Keys(survey.QuestionType.AttrTypes)))
	assert.Equal(t, questionFields(), slices.Sorted(maps.Keys(surveyschema.QuestionAttributes())))
	assert.Equal(t, wireKeys(), slices.Sorted(maps.Keys(survey.Question{}.ByWireName())))
	assert.Len(t, wireKeys(), len(questionFields())-1, "each attribute of a question except extra must have a key")
}

func TestQuestionFieldsOnTheWire(t *testing.T) {
	t.Parallel()
	var diags diag.Diagnostics
	raw := survey.QuestionToAPI(questionOf("a"), nil, path.Empty(), &diags)
	require.Empty(t, diags)

	var sent map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(raw, &sent))
	assert.Subset(t, slices.Collect(maps.Keys(sent)), wireKeys(), "sent")

	read, err := survey.QuestionFromAPI(raw)
	require.NoError(t, err)
	for name, value := range attribute.FromStruct(&read) {
		assert.False(t, value.IsNull(), "a read must set %s", name)
	}
}

// An attribute that a configuration omits keeps an empty prior value.
func TestQuestionFieldsAtPlan(t *testing.T) {
	t.Parallel()
	for name, typ := range survey.QuestionType.AttrTypes {
		var empty attr.Value
		switch {
		case slices.Contains([]string{"id", "type", "question"}, name):
			continue // planned separately, or always configured
		case typ.Equal(types.StringType):
			empty = types.StringValue("")
		case typ.Equal(types.BoolType):
			empty = types.BoolValue(false)
		default:
			list, ok := typ.(types.ListType)
			if !ok {
				continue // numbers, objects, and JSON have no empty value
			}
			empty = types.ListValueMust(list.ElemType, []attr.Value{})
		}

		config := questionWith(name, attribute.NullLike(empty))
		planned, prior := config, questionWith(name, empty)
		survey.PlanQuestion(&planned, config, prior, false)
		assert.Equal(t, empty, attribute.FromStruct(&planned)[name], name)
	}
}

// An attribute of a question that hasn't moved keeps a prior value that is equivalent to the configured one.
func TestQuestionFieldsKeepEquivalentValues(t *testing.T) {
	t.Parallel()
	const stored, configured = "<b>a</b>", "<b>a"

	for name, typ := range survey.QuestionType.AttrTypes {
		var before, after attr.Value
		switch {
		case slices.Contains([]string{"id", "type"}, name):
			continue // compared exactly
		case typ.Equal(types.StringType):
			before, after = types.StringValue(stored), types.StringValue(configured)
		case typ.Equal(types.ListType{ElemType: types.StringType}):
			before = types.ListValueMust(types.StringType, []attr.Value{types.StringValue(stored)})
			after = types.ListValueMust(types.StringType, []attr.Value{types.StringValue(configured)})
		case typ.Equal(jsontypes.NormalizedType{}):
			before, after = jsontypes.NewNormalizedValue(`{"a":1}`), jsontypes.NewNormalizedValue(`{"a":1,"b":null}`)
		default:
			continue // numbers, booleans, and objects have only one form
		}

		config, planned, prior := questionWith(name, after), questionWith(name, after), questionWith(name, before)
		survey.PlanQuestion(&planned, config, prior, true)
		assert.Equal(t, before, attribute.FromStruct(&planned)[name], name)
	}
}

// If an attribute is configured, its key is removed from the prior extra. Other keys are kept.
func TestQuestionFieldsReplaceExtra(t *testing.T) {
	t.Parallel()

	extra := map[string]any{"since": 1}
	for _, key := range wireKeys() {
		extra[key] = nil
	}
	raw, err := json.Marshal(extra)
	require.NoError(t, err)

	config, prior := questionOf("a"), questionWith("extra", jsontypes.NewNormalizedValue(string(raw)))
	config.Extra = attribute.NullJSON
	planned := config
	survey.PlanQuestion(&planned, config, prior, false)

	assert.JSONEq(t, `{"since":1}`, planned.Extra.ValueString())
}

// The response to a write keeps the planned value of every attribute, and is remembered.
func TestQuestionFieldsAreReconciled(t *testing.T) {
	t.Parallel()
	answered, planned := questionOf("a"), questionOf("bc")
	a := &attribute.Response{IsWrite: true}
	survey.ReconcileQuestion(&answered, planned, 0, a)

	assert.Equal(t, attribute.FromStruct(&planned), attribute.FromStruct(&answered))
	assert.Len(t, a.Remembered, len(questionFields()))
}

// Every attribute applies to all question types or to some.
func TestQuestionFieldsByType(t *testing.T) {
	t.Parallel()
	names := []string{
		"id", "type", "question", "description", "description_content_type", "optional", "button_text", "branching", "translations", "extra",
	}
	names = slices.AppendSeq(names, maps.Keys(survey.AttributeTypes))
	slices.Sort(names)
	assert.Equal(t, questionFields(), names)
}

// Every question text can be translated, or isn't shown to respondents.
func TestTranslatedTextsAreQuestionFields(t *testing.T) {
	t.Parallel()

	texts := []string{"id", "type", "descriptionContentType", "display"}
	texts = append(texts, survey.QuestionTexts...)
	slices.Sort(texts)

	var fields []string
	for key, value := range questionOf("a").ByWireName() {
		typ := value.Type(t.Context())
		if typ.Equal(types.StringType) || typ.Equal(types.ListType{ElemType: types.StringType}) {
			fields = append(fields, key)
		}
	}
	slices.Sort(fields)
	assert.Equal(t, fields, texts)
}
