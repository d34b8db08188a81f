package terraform

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

var _ function.Function = (*ResponseKeyFunction)(nil)

// ResponseKeyFunction is the provider function response_key: the event property that
// holds the answers to a question.
type ResponseKeyFunction struct{}

// NewResponseKeyFunction returns the provider function response_key.
func NewResponseKeyFunction() function.Function { return &ResponseKeyFunction{} }

// Metadata implements function.Function.
func (*ResponseKeyFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "response_key"
}

// Definition implements function.Function.
func (*ResponseKeyFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "The event property that holds the answers to a question",
		MarkdownDescription: "Returns the name of the property of `survey sent` events that holds the answers to a question, for insights, " +
			"queries and exports. It follows from the id of the question: give an element of the `questions` attribute of a survey.",
		Parameters: []function.Parameter{questionParameter()},
		Return:     function.StringReturn{},
	}
}

// Run implements function.Function.
func (*ResponseKeyFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	key, failed := responseKeyOf(ctx, req)
	if failed != nil {
		resp.Error = failed
		return
	}
	resp.Error = resp.Result.Set(ctx, key)
}

// questionParameter is the parameter of functions of one question with an id.
func questionParameter() function.Parameter {
	return function.DynamicParameter{
		Name:                "question",
		MarkdownDescription: "A question with an `id`, for example `posthog_survey.nps.questions[0]`.",
		AllowUnknownValues:  true,
	}
}

// responseKeyOf is the event property that holds the answers to the question of the argument;
// unknown while its id is.
func responseKeyOf(ctx context.Context, req function.RunRequest) (types.String, *function.FuncError) {
	value, failed := argument(ctx, req, survey.QuestionType)
	if failed != nil {
		return types.StringNull(), failed
	}

	question, ok := value.(types.Object)
	if !ok || question.IsUnknown() {
		return types.StringUnknown(), nil
	}
	id, ok := question.Attributes()["id"].(types.String)
	switch {
	case ok && id.IsUnknown():
		return types.StringUnknown(), nil
	case !ok || id.ValueString() == "":
		return types.StringNull(), function.NewArgumentFuncError(0, "The question has no id. Give an element of the questions of a survey that exists, such as posthog_survey.nps.questions[0]")
	}
	return types.StringValue("$survey_response_" + id.ValueString()), nil
}
