package survey

import (
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// refusedAttributes says which attribute a refusal is about that names no field, by the words
// of the service: what it checks of a survey as a whole has no field. The first line
// that fits counts.
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

// refusal words the error of a create or an update, on the attribute that it is
// about, as far as that is known.
func refusal(verb string, f Fields, err error) diag.Diagnostic {
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
