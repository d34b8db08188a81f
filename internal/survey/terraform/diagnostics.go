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

// refusedAttributes maps phrases in PostHog's messages to attributes. PostHog does not name a field
// in errors about the survey as a whole. The first match wins.
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

// refusal returns the diagnostic for a failed create or update. It points at the attribute that
// caused the error, if known.
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

// sentAttributes returns a function that reports whether a request sets an attribute. The request
// has several fields for the targeting attributes.
func sentAttributes(request api.SurveyRequest) func(string) bool {
	isSent := attribute.SentAttributes(request)
	return func(name string) bool {
		if strings.HasPrefix(name, "targeting_flag_") {
			return isSent("targeting_flag_id") || isSent("targeting_flag_filters") || isSent("remove_targeting_flag")
		}
		return isSent(name)
	}
}

// changedPaths converts names in the normalization memory to attribute paths, and returns the root
// of the first path as a path that Terraform can locate.
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

// attributePath converts a name in the normalization memory to an attribute path, such as
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

// ValidateConfig implements resource.ResourceWithValidateConfig. It rejects only values that are
// invalid for any state, and warns of values that a plan would reject unless they are already in
// PostHog: terraform validate has no state, and the provider never rejects values that PostHog has
// stored.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	r.Resource.ValidateConfig(ctx, req, resp)
	config := decodeModel(ctx, req.Config.Raw, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}

	var found check.Findings
	if check.MissingValues(config.Questions, &found) && r.Data == nil { // A configured provider plans next, with the state.
		found = append(found, check.WithoutState(config.Fields)...)
	}
	found.Report(config.Name, &resp.Diagnostics)
}
