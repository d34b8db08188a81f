package terraform

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
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

// sentAttributes returns a function that reports whether a request sets an attribute.
// The targeting has several names.
func sentAttributes(request api.SurveyRequest) func(string) bool {
	isSent := attribute.SentIn(request)
	return func(name string) bool {
		if strings.HasPrefix(name, "targeting_flag_") {
			return isSent("targeting_flag_id") || isSent("targeting_flag_filters") || isSent("remove_targeting_flag")
		}
		return isSent(name)
	}
}

// changedPaths are the paths of attributes by their names in the normalization memory, and the
// first one as far as Terraform finds it.
func changedPaths(names []string, questions []survey.Question) (paths []string, first path.Path) {
	for _, name := range names {
		paths = append(paths, attributePath(name, questions))
	}
	if len(names) > 0 {
		root, _, _ := strings.Cut(names[0], "/")
		first = path.Root(root)
	}
	return paths, first
}

// attributePath converts a name in the normalization memory to the path of the attribute:
// questions/ID/description to questions[1].description.
func attributePath(name string, questions []survey.Question) string {
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

var _ resource.ResourceWithValidateConfig = (*Resource)(nil)

// ValidateConfig implements resource.ResourceWithValidateConfig. It refuses what no state
// can make right, and warns of what a plan refuses unless the state holds it: terraform
// validate knows no state, and what the service holds is never refused.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	config := decodeModel(ctx, req.Config.Raw, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}

	var found check.Findings
	if check.MissingValues(config.Questions, &found) && r.Data == nil { // a configured provider plans next, with the state
		found = append(found, check.WithoutState(config.Fields)...)
	}
	found.Report(config.Name, &resp.Diagnostics)
}
