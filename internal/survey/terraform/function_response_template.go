package terraform

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

var _ function.Function = (*ResponseTemplateFunction)(nil)

// ResponseTemplateFunction is the provider function response_template: the answer to a
// question, as templates of the service's destinations read it from an event.
type ResponseTemplateFunction struct{}

// NewResponseTemplateFunction returns the provider function response_template.
func NewResponseTemplateFunction() function.Function { return &ResponseTemplateFunction{} }

// Metadata implements function.Function.
func (*ResponseTemplateFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "response_template"
}

// Definition implements function.Function.
func (*ResponseTemplateFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "The answer to a question, in a template of a destination",
		MarkdownDescription: "Returns the placeholder that a destination of PostHog, such as a webhook or a message to Slack, replaces by the answer to a question: " +
			"`{event.properties['$survey_response_ID']}`. Its events are `survey sent`. The placeholder follows from the id of the question: give an element of the " +
			"`questions` attribute of a survey.",
		Parameters: []function.Parameter{questionParameter()},
		Return:     function.StringReturn{},
	}
}

// Run implements function.Function.
func (*ResponseTemplateFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	key, failed := responseKeyOf(ctx, req)
	if failed != nil {
		resp.Error = failed
		return
	}
	if key.IsUnknown() {
		resp.Error = resp.Result.Set(ctx, types.StringUnknown())
		return
	}
	resp.Error = resp.Result.Set(ctx, types.StringValue("{event.properties["+escape.Hog(key.ValueString())+"]}"))
}
