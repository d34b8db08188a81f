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
)

var _ function.Function = (*ParseSurveyIDFunction)(nil)

// ParseSurveyIDFunction is the provider function parse_survey_id: the project and the id in the
// address of a survey, or in an import id.
type ParseSurveyIDFunction struct{}

// NewParseSurveyIDFunction returns the provider function parse_survey_id.
func NewParseSurveyIDFunction() function.Function { return &ParseSurveyIDFunction{} }

// parsedSurveyType is what the function returns.
var parsedSurveyType = map[string]attr.Type{"project_id": types.StringType, "id": types.StringType, "import_id": types.StringType}

// Metadata implements function.Function.
func (*ParseSurveyIDFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "parse_survey_id"
}

// Definition implements function.Function.
func (*ParseSurveyIDFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "The project and the id in the address of a survey",
		MarkdownDescription: "Takes the address of a survey apart, as the browser shows it, or an import id, and returns an object: `project_id`, which is " +
			"null when the text names none, `id`, and `import_id`, which an `import` block takes. It makes no request.",
		Parameters: []function.Parameter{function.StringParameter{
			Name: "survey",
			MarkdownDescription: "An address such as `https://us.posthog.com/project/12345/surveys/0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17`, " +
				"an import id such as `12345/0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17`, or the id alone.",
		}},
		Return: function.ObjectReturn{AttributeTypes: parsedSurveyType},
	}
}

// Run implements function.Function.
func (*ParseSurveyIDFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}

	project, id, ok := parseSurveyID(strings.TrimSpace(text))
	if !ok {
		resp.Error = function.NewArgumentFuncError(0, fmt.Sprintf("%q is neither the address of a survey, such as "+
			"https://us.posthog.com/project/12345/surveys/0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17, nor its id, alone or after its project and a slash", text))
		return
	}

	parsed := map[string]attr.Value{"project_id": types.StringNull(), "id": types.StringValue(id), "import_id": types.StringValue(id)}
	if project != "" {
		parsed["project_id"], parsed["import_id"] = types.StringValue(project), types.StringValue(project+"/"+id)
	}
	resp.Error = resp.Result.Set(ctx, types.ObjectValueMust(parsedSurveyType, parsed))
}

// The segments of an address before the id of a survey, and before that of its project: in the
// web interface, in the API, and of the page of an external survey.
var (
	surveySegments  = []string{"surveys", "external_surveys"}
	projectSegments = []string{"project", "projects", "environments"}
)

// parseSurveyID finds the project, empty for none, and the id in an address or an import id.
func parseSurveyID(text string) (project, id string, ok bool) {
	parsed, err := url.Parse(text)
	if err != nil {
		return "", "", false
	}

	segments := strings.Split(strings.Trim(parsed.Path, "/"), "/")
	at := -1
	for i, segment := range segments {
		if slices.Contains(surveySegments, segment) {
			at = i
		}
	}

	switch {
	case at >= 0 && at+1 < len(segments):
		id = segments[at+1]
		if at >= 2 && slices.Contains(projectSegments, segments[at-2]) {
			project = segments[at-1]
		}
	case parsed.Host == "" && len(segments) == 2:
		project, id = segments[0], segments[1]
	case parsed.Host == "" && len(segments) == 1:
		id = segments[0]
	}
	_, err = uuid.Parse(id)
	return project, id, err == nil && len(id) == len(uuid.UUID{}.String())
}
