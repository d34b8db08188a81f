package terraform

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

var _ function.Function = (*QuestionsFunction)(nil)

// QuestionsFunction is the provider function questions: a strict constructor of the
// questions attribute, in which branching may refer to questions by name.
type QuestionsFunction struct{}

// NewQuestionsFunction returns the provider function questions.
func NewQuestionsFunction() function.Function { return &QuestionsFunction{} }

// Metadata implements function.Function.
func (*QuestionsFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "questions"
}

// Definition implements function.Function.
func (*QuestionsFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "The questions of a survey, with branching by name",
		MarkdownDescription: "Returns the list for the `questions` attribute of `posthog_survey`. " +
			"Every element is an object with attributes of a question; a key that a question does not have is an error. " +
			"An element may also have a `name`. Then `branching.question`, or a value of `branching.response_values`, may be that name " +
			"instead of a place, so that questions can be inserted, moved and removed without counting. " +
			"The result has places, and no names. `end` and numbers cannot be names, because they are targets already.",
		Parameters: []function.Parameter{function.DynamicParameter{
			Name:                "questions",
			MarkdownDescription: "A list of objects. The result of null is null.",
			AllowNullValue:      true,
			AllowUnknownValues:  true,
		}},
		Return: function.ListReturn{ElementType: survey.QuestionType},
	}
}

// Run implements function.Function.
func (*QuestionsFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	value, failed := argument(ctx, req, types.ListType{ElemType: namedQuestionType})
	if failed != nil {
		resp.Error = failed
		return
	}
	list, ok := value.(types.List)
	switch {
	case !ok || list.IsUnknown():
		resp.Error = resp.Result.Set(ctx, types.ListUnknown(survey.QuestionType))
		return
	case list.IsNull():
		resp.Error = resp.Result.Set(ctx, types.ListNull(survey.QuestionType))
		return
	}

	questions, err := survey.ResolveNames(list.Elements())
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, types.ListValueMust(survey.QuestionType, questions))
}

// namedQuestionType is an element of the argument.
var namedQuestionType = func() types.ObjectType {
	branching := maps.Clone(survey.BranchingType.AttrTypes)
	branching[survey.TargetKey] = types.StringType

	question := maps.Clone(survey.QuestionType.AttrTypes)
	question["branching"] = types.ObjectType{AttrTypes: branching}
	question[survey.NameKey] = types.StringType
	return types.ObjectType{AttrTypes: question}
}()

// argument reads the argument of a function that has one, of type dynamic.
func argument(ctx context.Context, req function.RunRequest, to attr.Type) (attr.Value, *function.FuncError) {
	var given types.Dynamic
	if failed := req.Arguments.Get(ctx, &given); failed != nil {
		return nil, failed
	}
	at := ""
	if _, isList := to.(types.ListType); isList {
		at = "questions"
	}
	value, err := convertStrictly(given, to, at)
	if err != nil {
		return nil, function.NewArgumentFuncError(0, err.Error())
	}
	return value, nil
}
