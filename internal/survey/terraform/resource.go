// Package terraform implements the resource, data sources, lists, actions, and functions for
// surveys. Package survey models a survey, package client sends requests, and package framework
// contains the parts that are not specific to surveys. Start reading at [Resource].
package terraform

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

var (
	_ resource.ResourceWithMoveState    = (*Resource)(nil)
	_ resource.ResourceWithUpgradeState = (*Resource)(nil)
)

// Resource implements the resource posthog_survey.
type Resource struct {
	framework.Resource[survey.Model]
}

// NewResource returns the resource posthog_survey, not configured yet.
func NewResource() resource.Resource {
	r := &Resource{}
	r.Resource = framework.Resource[survey.Model]{
		TypeName: "survey", Describe: surveyschema.Resource, Type: surveyschema.ObjectType, Noun: "survey",
		Parent: framework.Project, ParentID: func(m *survey.Model) *types.String { return &m.ProjectID },
		IdentityID: identityschema.StringAttribute{RequiredForImport: true, Description: "UUID of the survey."},
		ParseID:    func(text string) (attr.Value, bool) { return types.StringValue(text), client.IsSurveyID(text) },
		ImportForm: "The import ID of a survey is PROJECT/ID or ID, where ID is the survey's UUID, for example " +
			"1/018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d. The UUID is the last part of the survey's URL in PostHog.",
		Operations: framework.Operations[survey.Model]{Plan: r.plan, Create: r.create, Read: r.read, Update: r.update, Delete: r.delete},
	}
	return r
}

// surveyCall is one of Terraform's calls for a survey.
type surveyCall = framework.Call[survey.Model]

func (r *Resource) create(ctx context.Context, c *surveyCall) {
	planned := &c.Planned
	stamp(&planned.Fields, r.Now())
	desired := planned.Fields
	desired.Questions = withRequestIDs(planned.Questions, c.Config.Questions, nil)
	request := survey.ToAPI(ctx, desired, survey.Fields{}, uuid.NewString, c.Diags)
	if !planned.CreateInFolder.IsNull() {
		request.UnderscoreCreateInFolder = nullable.NewNullableWithValue(planned.CreateInFolder.ValueString())
	}
	if c.Diags.HasError() {
		return
	}

	draft, launch, isSplit := survey.LaunchSeparately(request)
	created, err := r.createOnce(ctx, planned.Fields, draft)
	if err != nil {
		c.Diags.Append(refusal("create", planned.Fields, err))
		return
	}
	c.Created(ctx, types.StringPointerValue(created.ID))

	surveys := r.surveys(planned.Fields)
	if isSplit {
		created = launchDraft(ctx, surveys, created, launch, &planned.Fields, c.Diags)
	}
	complete(ctx, surveys, &created, nil, planned.Fields, survey.Fields{}, c.Diags)
	r.store(ctx, c, created, request, survey.Questions{}, survey.Memory{})
}

func (r *Resource) read(ctx context.Context, c *surveyCall) {
	prior := c.Prior
	live, err := fastpath.Read(ctx, r.surveys(prior.Fields), prior.ID.ValueString())
	if err != nil {
		if client.IsNotFound(err) && !c.IsImport {
			forget(r.Data, prior.Fields)
		}
		c.Unread(ctx, attempt("read", prior.Fields), err)
		return
	}

	memory := survey.LoadMemory(ctx, c.Private, prior.Name, c.Diags)
	prior.Questions = survey.WithIDs(memory.Questions, prior.Questions)
	a := &attribute.Response{Memory: memory.Echo}
	fields, err := survey.FromAPI(ctx, live, prior.Fields, a)
	if err != nil {
		c.Diags.Append(attempt("read", prior.Fields).Diagnostic(err, attributePaths))
		return
	}

	afterRead(&fields, prior.Fields, &memory, c.IsImport)
	known := survey.Identities(prior.Questions.List())
	isFirst := c.IsImport || memory.Questions.Newest() == nil && identity.LackIDs(known) // another provider wrote the state
	if isFirst {
		memory.Questions = r.importHistory(ctx, memory.Questions, fields, c.Diags)
	}
	before := memory.Questions
	if before.Newest() == nil && !isFirst {
		before = before.AfterWrite(known)
	}
	memory.Questions = before.AfterRead(known, survey.Identities(fields.Questions.List()), c.IsImport)
	memory.Questions = r.withLog(ctx, before, memory.Questions, fields)
	if isFirst {
		r.warnOfImport(memory.Questions, fields, c.Diags)
	}

	prior.Fields = fields.WithLinks(r.Client.BaseURL())
	if prior.DeletionPolicy.IsNull() {
		prior.DeletionPolicy = types.StringValue(surveyschema.PolicyDelete)
	}
	c.Store(ctx, prior, a, &memory)
}

// store stores the survey in the response to a create or an update. desired are the planned
// questions with their IDs in PostHog.
func (r *Resource) store(ctx context.Context, c *surveyCall, response api.Survey, request api.SurveyRequest, desired survey.Questions, memory survey.Memory) {
	a := c.WriteResponse(&memory)
	fields, err := survey.FromAPI(ctx, response, c.Planned.Fields, a)
	if err != nil {
		c.Diags.Append(attempt("read", c.Planned.Fields).Diagnostic(err, attributePaths))
		return
	}

	a.DropUnsent(sentAttributes(request))
	changed, firstPath := changedPaths(a.Changed, fields.Questions.List())
	c.Diags.Append(attempt("write", fields).WriteWarnings(a.Missing, changed, firstPath,
		"it cleans HTML, trims white space, and fills in or drops values that it does not accept")...)

	// If a flag is off after a write, another write does not switch it on.
	memory.IsPaused = len(switchedOffFlags(fields)) > 0
	if fields.EndDate.IsNull() {
		memory.Stopped = nil
	}
	applied := appliedQuestions(c.Config.Questions, fields.Questions, response.Questions) //nolint:contextcheck // the null of a type needs none
	if !request.Questions.IsSpecified() && len(desired.List()) == len(fields.Questions.List()) {
		// The response may contain IDs from a save since the plan, which the configuration does not
		// match yet.
		applied = appliedQuestions(c.Config.Questions, desired, nil) //nolint:contextcheck // the null of a type needs none
	}
	memory.Questions = memory.Questions.AfterWrite(survey.Identities(applied))

	fields.FillLinks(r.Client.BaseURL())
	model := c.Planned
	model.Fields = fields
	c.Store(ctx, model, a, &memory)
}

// decodeModel decodes a complete configuration, plan, or state.
func decodeModel(ctx context.Context, raw tftypes.Value, diags *diag.Diagnostics) (m survey.Model) {
	attribute.Decode(ctx, raw, surveyschema.ObjectType(), &m, diags)
	return m
}

func (r *Resource) surveys(f survey.Fields) *client.Surveys {
	return r.Client.Surveys(f.ProjectID.ValueString())
}

// providerOnly are the attributes of a Model that are not in Fields. A change to only these
// attributes sends no request.
var providerOnly = []string{"deletion_policy", "create_in_folder", framework.TimeoutsName}

// attempt describes an operation on a survey in a diagnostic.
func attempt(verb string, f survey.Fields) framework.Attempt {
	return framework.Attempt{
		Verb: verb, Noun: "survey", Type: "posthog_survey", Name: f.Name.ValueString(), ID: f.ID.ValueString(), Parent: "project " + f.ProjectID.ValueString(),
	}
}

// attributePaths maps the request fields in PostHog's errors to attributes.
var attributePaths = func() map[string]path.Path {
	paths := framework.AttributePaths(surveyschema.Resource())
	paths["filters"], paths["remove_targeting_flag"] = paths["targeting_flag_filters"], paths["targeting_flag_filters"]
	return paths
}()

// appliedQuestions returns the state's questions, with the configuration's texts and the response's
// IDs.
func appliedQuestions(config, state survey.Questions, response nullable.Nullable[[]json.RawMessage]) []survey.Question {
	applied := slices.Clone(state.List())
	if configured, ok := config.Known(); ok && len(configured) == len(applied) {
		for i := range applied {
			applied[i].Type, applied[i].Question = configured[i].Type, configured[i].Question
		}
	}

	if stored, err := response.Get(); err == nil && len(stored) == len(applied) {
		for i, raw := range stored {
			if q, err := survey.QuestionFromAPI(raw); err == nil && !survey.IsOmittedID(q.ID) {
				applied[i].ID = q.ID
			}
		}
	}
	return applied
}

// withRequestIDs returns the planned questions as a request sends them. If a configured ID is "",
// the request contains the question's ID in PostHog, or omits it for a new question.
func withRequestIDs(planned, config survey.Questions, pairs []identity.Pair) survey.Questions {
	configured, isKnown := config.Known()
	if list, ok := planned.Known(); !isKnown || !ok || len(list) == 0 || len(list) != len(configured) {
		return planned
	}

	result := slices.Clone(planned.List())
	for i := range result {
		if !configured[i].ID.Equal(types.StringValue("")) {
			continue
		}
		result[i].ID = types.StringUnknown()
		if i < len(pairs) && pairs[i].ID != "" {
			result[i].ID = types.StringValue(pairs[i].ID)
		}
	}
	return survey.NewQuestions(result)
}
