package terraform

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

var _ function.Function = (*QuestionFunction)(nil)

// QuestionFunction is the provider function question: a strict constructor of one
// element of the questions attribute.
type QuestionFunction struct{}

// NewQuestionFunction returns the provider function question.
func NewQuestionFunction() function.Function { return &QuestionFunction{} }

// Metadata implements function.Function.
func (*QuestionFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "question"
}

// Definition implements function.Function.
func (*QuestionFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "One question of a survey, with its keys checked",
		MarkdownDescription: "Returns the question as an element of the `questions` attribute of `posthog_survey`, " +
			"with every attribute that is left out set to null. A key that a question does not have is an error: " +
			"Terraform itself ignores such a key without a warning. For a whole list, and for branching by name, see the function `questions`.",
		Parameters: []function.Parameter{function.DynamicParameter{
			Name:                "question",
			MarkdownDescription: "An object with attributes of a question.",
			AllowUnknownValues:  true,
		}},
		Return: function.ObjectReturn{AttributeTypes: survey.QuestionType.AttrTypes},
	}
}

// Run implements function.Function.
func (*QuestionFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	question, failed := argument(ctx, req, survey.QuestionType)
	if failed != nil {
		resp.Error = failed
		return
	}
	resp.Error = resp.Result.Set(ctx, question)
}

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

var _ function.Function = (*FlowFunction)(nil)

// FlowFunction is the provider function flow: the flow of a survey as a Mermaid
// flowchart.
type FlowFunction struct{}

// NewFlowFunction returns the provider function flow.
func NewFlowFunction() function.Function { return &FlowFunction{} }

// Metadata implements function.Function.
func (*FlowFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "flow"
}

// Definition implements function.Function.
func (*FlowFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "The flow of a survey as a Mermaid flowchart",
		MarkdownDescription: "Returns where each answer of a survey leads, as text in the syntax of Mermaid, which code hosts draw in Markdown. " +
			"Questions are numbered from 0; one that cannot be reached has a dashed border. " +
			"The argument is the `questions` attribute of a survey, or a list as the function `questions` takes it.",
		Parameters: []function.Parameter{function.DynamicParameter{
			Name:                "questions",
			MarkdownDescription: "A list of questions. Null is a survey without questions.",
			AllowNullValue:      true,
			AllowUnknownValues:  true,
		}},
		Return: function.StringReturn{},
	}
}

// Run implements function.Function.
func (*FlowFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	value, failed := argument(ctx, req, types.ListType{ElemType: namedQuestionType})
	if failed != nil {
		resp.Error = failed
		return
	}
	named, ok := value.(types.List)
	if !ok || named.IsUnknown() {
		resp.Error = resp.Result.Set(ctx, types.StringUnknown())
		return
	}

	resolved, err := survey.ResolveNames(named.Elements())
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}

	// The ids of questions are unknown in a plan and not drawn: only what is drawn must
	// be known.
	var questions survey.Questions
	questions.SetFrom(types.ListValueMust(survey.QuestionType, resolved))
	list, known := questions.Known()
	if !known || !isDrawable(ctx, list) {
		resp.Error = resp.Result.Set(ctx, types.StringUnknown())
		return
	}

	graph := make([]flow.Question, len(list))
	for i, q := range list {
		graph[i] = check.FlowQuestion(q)
	}
	resp.Error = resp.Result.Set(ctx, types.StringValue(flow.Mermaid(graph)))
}

// isDrawable reports whether everything is known that a drawing of the flow shows.
func isDrawable(ctx context.Context, list []survey.Question) bool {
	for _, q := range list {
		for _, value := range append(check.FlowValues(q), q.Question) {
			raw, err := value.ToTerraformValue(ctx)
			if err != nil || !raw.IsFullyKnown() {
				return false
			}
		}
	}
	return true
}
