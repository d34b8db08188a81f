package terraform

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

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
