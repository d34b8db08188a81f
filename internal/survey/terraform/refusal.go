package terraform

import (
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// refusedAttributes maps parts of the service's messages to the attribute that they are
// about. The service names no field in errors about the survey as a whole. The first match
// counts.
var refusedAttributes = []struct{ words, attribute string }{
	{"targeting feature flag with this id", "targeting_flag_id"},
	{"feature flag with this id", "linked_flag_id"},
	{"insight with this id", "linked_insight_id"},
	{"linkedflagvariant", "conditions"},
	{"feature flag variant", "conditions"},
	{"user targeting", "targeting_flag_filters"},
	{"cohort", "targeting_flag_filters"},
	{"question shuffling", "appearance"},
	{"survey recurrence", "iteration_count"},
}

// refusal is the diagnostic for the error of a create or an update, on the attribute that
// it is about if that is known.
func refusal(verb string, f survey.Fields, err error) diag.Diagnostic {
	worded := attempt(verb, f).Diagnostic(err, attributePaths)
	var rejected *client.Error
	if !errors.As(err, &rejected) || !client.IsValidation(err) || rejected.Attr != "" {
		return worded
	}

	name := ""
	if client.IsUniqueName(err) {
		name = "name"
	}
	for _, line := range refusedAttributes {
		if name == "" && strings.Contains(strings.ToLower(rejected.Detail), line.words) {
			name = line.attribute
		}
	}
	if name == "" {
		return worded
	}
	return diag.NewAttributeErrorDiagnostic(path.Root(name), worded.Summary(), name+": "+rejected.Detail+"\n\n"+worded.Detail())
}
