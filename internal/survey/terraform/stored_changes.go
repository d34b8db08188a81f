package terraform

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// attributesSentIn returns a function that reports whether a request sets an attribute.
// The targeting has several names.
func attributesSentIn(request api.SurveyRequest) func(string) bool {
	sent := attribute.SentIn(request)
	return func(name string) bool {
		if strings.HasPrefix(name, "targeting_flag_") {
			return sent("targeting_flag_id") || sent("targeting_flag_filters") || sent("remove_targeting_flag")
		}
		return sent(name)
	}
}

// warnOfChanges warns once of texts that the service has normalized.
func warnOfChanges(changed []string, f survey.Fields, diags *diag.Diagnostics) {
	var names []string
	for _, name := range changed {
		names = append(names, attributePathOf(name, f.Questions.List()))
	}
	if len(names) == 0 {
		return
	}

	at, _, _ := strings.Cut(changed[0], "/")
	diags.AddAttributeWarning(path.Root(at), survey.TitleOf("The service changed the written values", f.Name),
		fmt.Sprintf("Survey %s: the service changed %s: it cleans HTML, trims white space, and fills in or drops values that it does not accept. "+
			"The state keeps what the configuration says, and later plans show a difference only when the stored value changes again. "+
			"To see what is stored, read the survey with the data source posthog_survey.", f.Name, strings.Join(names, ", ")))
}

// attributePathOf converts a name in the normalization memory to the path of the attribute:
// questions/ID/description to questions[1].description.
func attributePathOf(name string, questions []survey.Question) string {
	parts := strings.Split(name, "/")
	if len(parts) != 3 {
		return name
	}

	position := parts[1]
	for i, question := range questions {
		if question.ID.ValueString() == parts[1] {
			position = fmt.Sprint(i)
		}
	}

	return fmt.Sprintf("questions[%s].%s", position, parts[2])
}
