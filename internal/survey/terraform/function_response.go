package terraform

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// NewResponseKeyFunction returns the provider function response_key, which returns the event
// property that contains the answers to a question.
func NewResponseKeyFunction() function.Function {
	return &providerFunction{name: "response_key", run: runResponseKey, definition: function.Definition{
		Summary: "Get the event property of a question",
		MarkdownDescription: "Returns the name of the `survey sent` event property that contains the answers to a question. Use it in insights, " +
			"queries, and exports. The name depends on the question's ID, so pass an element of the `questions` attribute of a survey.",
		Parameters: []function.Parameter{questionParameter()},
		Return:     function.StringReturn{},
	}}
}

func runResponseKey(ctx context.Context, req function.RunRequest) (attr.Value, *function.FuncError) {
	key, failed := responseKey(ctx, req)
	return key, failed
}

// questionParameter returns the parameter for functions that take one question with an ID.
func questionParameter() function.Parameter {
	return function.DynamicParameter{
		Name:                "question",
		MarkdownDescription: "Question with an `id`, such as `posthog_survey.nps.questions[0]`.",
		AllowUnknownValues:  true,
	}
}

// responseKey returns the event property that contains the answers to the question in the argument.
// It is unknown if the question's ID is unknown.
func responseKey(ctx context.Context, req function.RunRequest) (types.String, *function.FuncError) {
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
		return types.StringNull(), function.NewArgumentFuncError(0, "The question does not have an ID. Pass a question of an existing survey, such as posthog_survey.nps.questions[0]")
	}
	return types.StringValue("$survey_response_" + id.ValueString()), nil
}

// NewResponseTemplateFunction returns the provider function response_template, which returns a
// template for the answer to a question. PostHog destinations fill it in from an event.
func NewResponseTemplateFunction() function.Function {
	return &providerFunction{name: "response_template", run: runResponseTemplate, definition: function.Definition{
		Summary: "Insert an answer into a destination",
		MarkdownDescription: "Returns the placeholder that a PostHog destination, such as a webhook or a Slack message, replaces with the answer to a question: " +
			"`{event.properties['$survey_response_ID']}`. Use it in destinations for `survey sent` events. The placeholder depends on the question's ID, so pass an element of the " +
			"`questions` attribute of a survey.",
		Parameters: []function.Parameter{questionParameter()},
		Return:     function.StringReturn{},
	}}
}

func runResponseTemplate(ctx context.Context, req function.RunRequest) (attr.Value, *function.FuncError) {
	key, failed := responseKey(ctx, req)
	if failed != nil || key.IsUnknown() {
		return key, failed
	}
	return types.StringValue("{event.properties[" + escape.Hog(key.ValueString()) + "]}"), nil
}

// NewParseSurveyIDFunction returns the provider function parse_survey_id, which extracts the
// project and the survey ID from a survey URL or an import ID.
func NewParseSurveyIDFunction() function.Function {
	return &providerFunction{name: "parse_survey_id", run: runParseSurveyID, definition: function.Definition{
		Summary: "Parse the URL or the import ID of a survey",
		MarkdownDescription: "Parses the URL of a survey in PostHog, or an import ID, and returns an object with these attributes: `project_id`, which is " +
			"null if the text doesn't contain it, `id`, and `import_id` for an `import` block. The function sends no request.",
		Parameters: []function.Parameter{function.StringParameter{
			Name: "survey",
			MarkdownDescription: "URL such as `https://us.posthog.com/project/12345/surveys/0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17`, " +
				"import ID such as `12345/0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17`, or survey ID.",
		}},
		Return: function.ObjectReturn{AttributeTypes: parsedSurveyType},
	}}
}

// parsedSurveyType is the result type of parse_survey_id.
var parsedSurveyType = map[string]attr.Type{"project_id": types.StringType, "id": types.StringType, "import_id": types.StringType}

func runParseSurveyID(ctx context.Context, req function.RunRequest) (attr.Value, *function.FuncError) {
	var text string
	if failed := req.Arguments.Get(ctx, &text); failed != nil {
		return nil, failed
	}

	project, id, ok := parseSurveyID(strings.TrimSpace(text))
	if !ok {
		return nil, function.NewArgumentFuncError(0, fmt.Sprintf("%q is not a survey URL, such as "+
			"https://us.posthog.com/project/12345/surveys/0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17, a survey ID, or PROJECT/ID", text))
	}

	parsed := map[string]attr.Value{"project_id": types.StringNull(), "id": types.StringValue(id), "import_id": types.StringValue(id)}
	if project != "" {
		parsed["project_id"], parsed["import_id"] = types.StringValue(project), types.StringValue(project+"/"+id)
	}
	return types.ObjectValueMust(parsedSurveyType, parsed), nil
}

// In a URL, surveySegments precede a survey's ID, and projectSegments precede its project's ID. They
// cover PostHog's pages, its API, and the public pages of external surveys.
var (
	surveySegments  = []string{"surveys", "external_surveys"}
	projectSegments = []string{"project", "projects", "environments"}
)

// parseSurveyID extracts the project and the survey ID from a URL or an import ID. The project is
// empty if the text does not contain it.
func parseSurveyID(text string) (project, id string, ok bool) {
	parsed, err := url.Parse(text)
	if err != nil {
		return "", "", false
	}

	segments := strings.Split(strings.Trim(parsed.Path, "/"), "/")
	index := -1
	for i, segment := range segments {
		if slices.Contains(surveySegments, segment) {
			index = i
		}
	}

	switch {
	case index >= 0 && index+1 < len(segments):
		id = segments[index+1]
		if index >= 2 && slices.Contains(projectSegments, segments[index-2]) {
			project = segments[index-1]
		}
	case parsed.Host == "" && len(segments) == 2:
		project, id = segments[0], segments[1]
	case parsed.Host == "" && len(segments) == 1:
		id = segments[0]
	}
	_, err = uuid.Parse(id)
	return project, id, err == nil && len(id) == len(uuid.UUID{}.String())
}
