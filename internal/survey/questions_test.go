package survey

import (
	"maps"
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// element is a question of a list of the framework: all attributes null but for its text and
// those that are given.
func element(text string, given map[string]attr.Value) attr.Value {
	attributes := map[string]attr.Value{}
	for name, typ := range QuestionType.AttrTypes {
		attributes[name] = attribute.NullOf(typ)
	}
	attributes["question"] = types.StringValue(text)
	maps.Copy(attributes, given)
	return types.ObjectValueMust(QuestionType.AttrTypes, attributes)
}

func listOf(elements ...attr.Value) types.List { return types.ListValueMust(QuestionType, elements) }

// frameworkLists are lists in every form that a configuration, a plan or a state may have.
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

// Whatever a list of the framework holds comes back as it was: a plan is refused if a value in
// it became another one.
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
			assert.Equal(t, c.list.String(), questions.String(), "hashes of it are in private states")
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

// Questions are equal exactly where the lists of the framework are.
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

	// One number is another value of Go, and the same to Terraform.
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

// The zero value is null: a survey of which nothing is known has no questions.
func TestZeroQuestionsAreNull(t *testing.T) {
	t.Parallel()
	assert.True(t, Questions{}.IsNull())
	assert.True(t, Questions{}.Equal(Questions{}))
	assert.False(t, Questions{}.Equal(NewQuestions(nil)), "null and an empty list are two values")
}

// A null element is refused with its path, once it is certain which elements there are.
func TestNullQuestionIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range frameworkLists {
		var questions Questions
		require.True(t, questions.SetFrom(c.list))
		var diags diag.Diagnostics
		questions.RefuseNull(&diags)
		if name == "null element" {
			require.Len(t, diags, 1)
			assert.Equal(t, "questions[0] is null, and must be a question.", diags[0].Detail())
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

// A value of another type is a fault of the build, and no list without questions.
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
