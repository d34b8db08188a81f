package terraform

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
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
