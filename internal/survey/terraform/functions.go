package terraform

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

// providerFunction implements a provider function.
type providerFunction struct {
	name       string
	definition function.Definition
	run        func(ctx context.Context, req function.RunRequest) (attr.Value, *function.FuncError)
}

// Metadata implements function.Function.
func (f *providerFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = f.name
}

// Definition implements function.Function.
func (f *providerFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = f.definition
}

// Run implements function.Function.
func (f *providerFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	value, failed := f.run(ctx, req)
	if failed != nil {
		resp.Error = failed
		return
	}
	resp.Error = resp.Result.Set(ctx, value)
}

// NewQuestionFunction returns the provider function question, which checks the keys of one element
// of the questions attribute.
func NewQuestionFunction() function.Function {
	return &providerFunction{name: "question", run: runQuestion, definition: function.Definition{
		Summary: "Check the keys of one question",
		MarkdownDescription: "Returns the question as an element of the `questions` attribute of `posthog_survey`, " +
			"with every omitted attribute set to null. An unknown key causes an error, whereas " +
			"Terraform itself ignores it without a warning. For a whole list, and for branching by name, use the function `questions`.",
		Parameters: []function.Parameter{function.DynamicParameter{
			Name:                "question",
			MarkdownDescription: "Object with the attributes of a question.",
			AllowUnknownValues:  true,
		}},
		Return: function.ObjectReturn{AttributeTypes: survey.QuestionType.AttrTypes},
	}}
}

func runQuestion(ctx context.Context, req function.RunRequest) (attr.Value, *function.FuncError) {
	return argument(ctx, req, survey.QuestionType)
}

// NewQuestionsFunction returns the provider function questions, which checks the keys of the
// questions attribute and lets branching refer to questions by name.
func NewQuestionsFunction() function.Function {
	return &providerFunction{name: "questions", run: runQuestions, definition: function.Definition{
		Summary: "Check questions, and resolve branching by name",
		MarkdownDescription: "Returns the list for the `questions` attribute of `posthog_survey`. " +
			"Every element is an object with the attributes of a question. An unknown key causes an error. " +
			"An element can also have a `name`. Then `branching.question`, and the values of `branching.response_values`, can be that name " +
			"instead of a position, so that you can insert, move, and remove questions without renumbering. " +
			"The result contains positions instead of names. `end` and numbers can't be names, because they are already targets.",
		Parameters: []function.Parameter{function.DynamicParameter{
			Name:                "questions",
			MarkdownDescription: "List of objects. If it is null, the result is null.",
			AllowNullValue:      true,
			AllowUnknownValues:  true,
		}},
		Return: function.ListReturn{ElementType: survey.QuestionType},
	}}
}

func runQuestions(ctx context.Context, req function.RunRequest) (attr.Value, *function.FuncError) {
	list, failed := resolveQuestions(ctx, req)
	return list, failed
}

// resolveQuestions returns the questions in the argument, with names in branching replaced with
// positions.
func resolveQuestions(ctx context.Context, req function.RunRequest) (types.List, *function.FuncError) {
	unknown := types.ListUnknown(survey.QuestionType)
	value, failed := argument(ctx, req, types.ListType{ElemType: survey.NamedQuestionType})
	if failed != nil {
		return unknown, failed
	}
	list, ok := value.(types.List)
	switch {
	case !ok || list.IsUnknown():
		return unknown, nil
	case list.IsNull():
		return types.ListNull(survey.QuestionType), nil
	}

	questions, err := survey.ResolveNames(list.Elements())
	if err != nil {
		return unknown, function.NewArgumentFuncError(0, err.Error())
	}
	return types.ListValueMust(survey.QuestionType, questions), nil
}

// argument reads a function's only argument, which is dynamic.
func argument(ctx context.Context, req function.RunRequest, target attr.Type) (attr.Value, *function.FuncError) {
	var dynamic types.Dynamic
	if failed := req.Arguments.Get(ctx, &dynamic); failed != nil {
		return nil, failed
	}
	root := ""
	if _, isList := target.(types.ListType); isList {
		root = "questions"
	}
	value, err := attribute.ConvertStrictly(dynamic, target, root)
	if err != nil {
		return nil, function.NewArgumentFuncError(0, err.Error())
	}
	return value, nil
}

// NewFlowFunction returns the provider function flow, which renders a survey as a Mermaid flowchart.
func NewFlowFunction() function.Function {
	return &providerFunction{name: "flow", run: runFlow, definition: function.Definition{
		Summary: "Draw a survey as a Mermaid flowchart",
		MarkdownDescription: "Returns a flowchart in Mermaid syntax that shows where each answer leads. Code hosts render Mermaid in Markdown. " +
			"Questions are numbered from 0. A question that can't be reached has a dashed border. " +
			"The argument is the `questions` attribute of a survey, or a list as for the function `questions`.",
		Parameters: []function.Parameter{function.DynamicParameter{
			Name:                "questions",
			MarkdownDescription: "List of questions. Null means a survey without questions.",
			AllowNullValue:      true,
			AllowUnknownValues:  true,
		}},
		Return: function.StringReturn{},
	}}
}

func runFlow(ctx context.Context, req function.RunRequest) (attr.Value, *function.FuncError) {
	resolved, failed := resolveQuestions(ctx, req)
	if failed != nil || resolved.IsUnknown() {
		return types.StringUnknown(), failed
	}

	// Question IDs are unknown in a plan, but a drawing does not show them. Only values that it
	// shows must be known.
	var questions survey.Questions
	questions.SetFrom(resolved)
	list, isKnown := questions.Known()
	if !isKnown || !isDrawable(ctx, list) {
		return types.StringUnknown(), nil
	}

	graph := make([]flow.Question, len(list))
	for i, q := range list {
		graph[i] = check.FlowQuestion(q)
	}
	return types.StringValue(flow.Mermaid(graph)), nil
}

// isDrawable reports whether all values that a flowchart shows are known.
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
