// Package terraform implements the resource, data sources, lists, actions, and functions for
// surveys. Package survey models a survey, package client sends requests, and package framework
// contains the parts that are not specific to surveys. Start reading at [Resource].
package terraform

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

var (
	_ resource.ResourceWithConfigure    = (*Resource)(nil)
	_ resource.ResourceWithIdentity     = (*Resource)(nil)
	_ resource.ResourceWithImportState  = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan   = (*Resource)(nil)
	_ resource.ResourceWithMoveState    = (*Resource)(nil)
	_ resource.ResourceWithUpgradeState = (*Resource)(nil)
)

// Resource implements the resource posthog_survey.
type Resource struct{ framework.Resource }

// NewResource returns the resource posthog_survey, not configured yet.
func NewResource() resource.Resource {
	return &Resource{framework.Resource{TypeName: "survey", Describe: surveyschema.Resource}}
}

// Create implements resource.Resource.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	ctx, cancel := framework.Operation(ctx, "create", req.Plan, &resp.Diagnostics)
	defer cancel()

	planned, config := decodeModel(ctx, req.Plan.Raw, &resp.Diagnostics), decodeModel(ctx, req.Config.Raw, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Ready(&resp.Diagnostics) {
		return
	}

	project, ok := framework.Project.AtApply(r.Data, planned.ProjectID, &resp.Diagnostics)
	if !ok {
		return
	}
	planned.ProjectID = project

	stamp(&planned.Fields, r.Now())
	desired := planned.Fields
	desired.Questions = withRequestIDs(planned.Questions, config.Questions, nil)
	request := survey.ToAPI(ctx, desired, survey.Fields{}, uuid.NewString, &resp.Diagnostics)
	if !planned.CreateInFolder.IsNull() {
		request.UnderscoreCreateInFolder = nullable.NewNullableWithValue(planned.CreateInFolder.ValueString())
	}
	if resp.Diagnostics.HasError() {
		return
	}

	draft, launch, isSplit := survey.LaunchSeparately(request)
	created, err := r.create(ctx, planned.Fields, draft)
	if err != nil {
		resp.Diagnostics.Append(refusal("create", planned.Fields, err))
		return
	}

	// The survey exists from here on, so store its ID even if a later step fails.
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), types.StringPointerValue(created.ID))...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("project_id"), planned.ProjectID)...)

	if isSplit {
		created = launchDraft(ctx, r.surveys(planned.Fields), created, launch, &planned.Fields, &resp.Diagnostics)
	}
	complete(ctx, r.surveys(planned.Fields), &created, nil, planned.Fields, survey.Fields{}, &resp.Diagnostics)
	r.store(ctx, created, planned, write{
		config: req.Config.Raw, questions: config.Questions, request: request,
		state: &resp.State, identity: resp.Identity, private: resp.Private, diags: &resp.Diagnostics,
	})
}

// Read implements resource.Resource.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	ctx, cancel := framework.Operation(ctx, "read", req.State, &resp.Diagnostics)
	defer cancel()

	prior := decodeModel(ctx, req.State.Raw, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Ready(&resp.Diagnostics) {
		return
	}

	isImport := prior.Name.IsNull()
	live, err := r.surveys(prior.Fields).Read(ctx, prior.ID.ValueString())

	if err != nil {
		if client.IsNotFound(err) && !isImport {
			forget(r.Data, prior.Fields)
		}
		attempt("read", prior.Fields).Unread(ctx, err, isImport, newIdentity(prior.Fields), resp)
		return
	}

	memory := survey.LoadMemory(ctx, req.Private, prior.Name, &resp.Diagnostics)
	prior.Questions = survey.WithIDs(memory.Questions, prior.Questions)
	a := &attribute.Response{Memory: memory.Echo}

	fields, err := survey.FromAPI(ctx, live, prior.Fields, a)
	if err != nil {
		resp.Diagnostics.Append(attempt("read", prior.Fields).Diagnostic(err, attributePaths))
		return
	}

	afterRead(&fields, prior.Fields, &memory, isImport)
	if isImport {
		memory.Questions = r.importHistory(ctx, memory.Questions, fields, &resp.Diagnostics)
	}
	memory.Questions = memory.Questions.AfterRead(survey.Identities(prior.Questions.List()), survey.Identities(fields.Questions.List()), isImport)
	memory.Questions = r.withLog(ctx, memory.Questions, fields)
	if isImport {
		r.warnOfImport(memory.Questions, fields, &resp.Diagnostics)
	}
	memory.Echo = a.Remembered

	prior.Fields = fields.WithLinks(r.Client.BaseURL())
	if prior.DeletionPolicy.IsNull() {
		prior.DeletionPolicy = types.StringValue(surveyschema.PolicyDelete)
	}

	attribute.Encode(ctx, prior, surveyschema.ObjectType(), &resp.State.Raw, &resp.Diagnostics)
	if isImport {
		memory.NoteImport(r.Now())
	} else {
		memory.AfterRead(req.State.Raw, resp.State.Raw, memory.Questions.Root)
	}
	memory.Save(ctx, resp.Private, &resp.Diagnostics)
	framework.SetIdentity(ctx, resp.Identity, newIdentity(fields), &resp.Diagnostics)
}

// write describes a create or an update: the configuration, the request, the memory from before,
// and where to store the result.
type write struct {
	config tftypes.Value
	// questions are the configured questions.
	questions survey.Questions
	request   api.SurveyRequest
	// desired are the planned questions with their IDs in PostHog.
	desired  survey.Questions
	memory   survey.Memory
	state    *tfsdk.State
	identity *tfsdk.ResourceIdentity
	private  attribute.PrivateState
	diags    *diag.Diagnostics
}

// store writes the response of a create or an update to the state.
func (r *Resource) store(ctx context.Context, response api.Survey, planned survey.Model, w write) {
	a := &attribute.Response{IsWrite: true, Configured: attribute.ConfiguredAttributes(w.config), Memory: w.memory.Echo}

	fields, err := survey.FromAPI(ctx, response, planned.Fields, a)
	if err != nil {
		w.diags.Append(attempt("read", planned.Fields).Diagnostic(err, attributePaths))
		return
	}

	a.DropUnsent(sentAttributes(w.request))
	changed, firstPath := changedPaths(a.Changed, fields.Questions.List())
	w.diags.Append(attempt("write", fields).WriteWarnings(a.Missing, changed, firstPath,
		"it cleans HTML, trims white space, and fills in or drops values that it does not accept")...)

	// If a flag is off after a write, another write does not switch it on.
	memory := w.memory
	memory.IsPaused = len(switchedOffFlags(fields)) > 0
	if fields.EndDate.IsNull() {
		memory.Stopped = nil
	}
	applied := w.questionsAfterWrite(fields.Questions, response.Questions) //nolint:contextcheck // the null of a type needs none
	memory = memory.AfterWrite(applied, r.Now())
	memory.Echo = a.Remembered
	memory.Save(ctx, w.private, w.diags)

	fields.FillLinks(r.Client.BaseURL())
	planned.Fields = fields
	attribute.Encode(ctx, planned, surveyschema.ObjectType(), &w.state.Raw, w.diags)
	framework.SetIdentity(ctx, w.identity, newIdentity(fields), w.diags)
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

// questionsAfterWrite returns the questions after a write. If the request did not contain
// questions, the response may contain IDs from a save since the plan. The configuration does not
// match them yet, so they are ignored.
func (w write) questionsAfterWrite(state survey.Questions, response nullable.Nullable[[]json.RawMessage]) []survey.Question {
	if !w.request.Questions.IsSpecified() && len(w.desired.List()) == len(state.List()) {
		return appliedQuestions(w.questions, w.desired, nil)
	}
	return appliedQuestions(w.questions, state, response)
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
