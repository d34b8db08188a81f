// Package terraform is what Terraform does with surveys: the resource, data sources, lists,
// actions and functions. What a survey is stands in package survey, HTTP in
// internal/client, and what is not specific to surveys in internal/attribute.
package terraform

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/held"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
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

// Resource is posthog_survey.
type Resource struct{ providerdata.Resource }

// NewResource returns posthog_survey, not configured yet.
func NewResource() resource.Resource { return &Resource{} }

// Metadata implements resource.Resource.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_survey"
}

// Schema implements resource.Resource.
func (r *Resource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = servedSchema()
}

// Create implements resource.Resource.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	ctx, end := providerdata.Operation(ctx, "create", req.Plan, &resp.Diagnostics)
	defer end()

	var planned survey.Model
	attribute.Decode(ctx, req.Plan.Raw, surveyschema.ObjectType(), &planned, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Ready(&resp.Diagnostics) {
		return
	}

	if planned.ProjectID.IsUnknown() {
		planned.ProjectID = types.StringValue(r.ProjectID)
	}
	if planned.ProjectID.ValueString() == "" {
		providerdata.MissingProject(&resp.Diagnostics)
		return
	}

	var config survey.Model
	attribute.Decode(ctx, req.Config.Raw, surveyschema.ObjectType(), &config, &resp.Diagnostics)

	stamp(&planned.Fields, r.Now())
	wanted := planned.Fields
	wanted.Questions = withRequestIDs(planned.Questions, config.Questions, nil, &resp.Diagnostics)
	request := survey.ToAPI(ctx, wanted, survey.Fields{}, uuid.NewString, &resp.Diagnostics)
	if !planned.CreateInFolder.IsNull() {
		request.UnderscoreCreateInFolder = nullable.NewNullableWithValue(planned.CreateInFolder.ValueString())
	}
	if resp.Diagnostics.HasError() {
		return
	}

	draft, launch, isSplit := survey.LaunchSeparately(request)
	answer, err := r.create(ctx, planned.Fields, draft)
	if err != nil {
		resp.Diagnostics.Append(refusal("create", planned.Fields, err))
		return
	}

	// From here on the survey exists: its id goes into the state whatever follows.
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), types.StringPointerValue(answer.ID))...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("project_id"), planned.ProjectID)...)

	if isSplit {
		answer = launchCreated(ctx, r.surveys(planned.Fields), answer, launch, &planned.Fields, &resp.Diagnostics)
	}
	complete(ctx, r.surveys(planned.Fields), &answer, nil, planned.Fields, survey.Fields{}, &resp.Diagnostics)
	r.store(ctx, answer, planned, write{
		config: req.Config.Raw, questions: config.Questions, request: request,
		state: &resp.State, identity: resp.Identity, private: resp.Private, diags: &resp.Diagnostics,
	})
}

// Read implements resource.Resource.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	ctx, end := providerdata.Operation(ctx, "read", req.State, &resp.Diagnostics)
	defer end()

	var prior survey.Model
	attribute.Decode(ctx, req.State.Raw, surveyschema.ObjectType(), &prior, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Ready(&resp.Diagnostics) {
		return
	}

	isImport := prior.Name.IsNull()
	answer, err := r.surveys(prior.Fields).Read(ctx, prior.ID.ValueString())

	switch {
	case client.IsNotFound(err) && !isImport:
		forget(r.Data, prior.Fields)
		resp.Diagnostics.AddWarning(survey.TitleOf("The survey no longer exists", prior.Name),
			attempt("read", prior.Fields).Gone()+" It is removed from the state, and the plan creates it again unless it is removed from the configuration too.")
		resp.State.RemoveResource(ctx)
		providerdata.SetIdentity(ctx, resp.Identity, identityOf(prior.Fields), &resp.Diagnostics)
		return
	case err != nil && isImport:
		resp.Diagnostics.Append(attempt("import", prior.Fields).Diagnostic(err, nil))
		return
	case err != nil:
		resp.Diagnostics.Append(attempt("read", prior.Fields).Refresh(err))
		providerdata.SetIdentity(ctx, resp.Identity, identityOf(prior.Fields), &resp.Diagnostics)
		return
	}

	past := survey.LoadHistory(ctx, req.Private, prior.Name, &resp.Diagnostics)
	prior.Questions = survey.WithAppliedIDs(prior.Questions, past.Newest(), &resp.Diagnostics)
	a := &attribute.Answer{Memory: attribute.LoadMemory(ctx, req.Private, survey.Excerpt(prior.Name), &resp.Diagnostics)}

	fields, err := survey.FromAPI(ctx, answer, prior.Fields, a)
	if err != nil {
		resp.Diagnostics.Append(attempt("read", prior.Fields).Diagnostic(err, attributePaths))
		return
	}

	notePause(ctx, fields, prior.Fields, isImport, req.Private, resp.Private, &resp.Diagnostics)
	detectStop(&fields, prior.Fields, loadStop(ctx, req.Private, prior.Name, &resp.Diagnostics)).save(ctx, resp.Private, &resp.Diagnostics)
	past.AfterReadOf(prior.Questions, fields.Questions, isImport, &resp.Diagnostics).Save(ctx, resp.Private, &resp.Diagnostics)

	prior.Fields = fields
	if prior.DeletionPolicy.IsNull() {
		prior.DeletionPolicy = types.StringValue(surveyschema.PolicyDelete)
	}

	attribute.Encode(ctx, prior, surveyschema.ObjectType(), &resp.State.Raw, &resp.Diagnostics)
	if isImport {
		held.NoteWritten(ctx, resp.Private, r.serviceTime(), &resp.Diagnostics)
	} else {
		held.AfterRead(ctx, resp.Private, req.State.Raw, resp.State.Raw, &resp.Diagnostics)
	}
	a.Remembered.Save(ctx, resp.Private, &resp.Diagnostics)
	providerdata.SetIdentity(ctx, resp.Identity, identityOf(fields), &resp.Diagnostics)
}

// Update implements resource.Resource.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	ctx, end := providerdata.Operation(ctx, "update", req.Plan, &resp.Diagnostics)
	defer end()

	var config, planned, prior survey.Model
	attribute.Decode(ctx, req.Config.Raw, surveyschema.ObjectType(), &config, &resp.Diagnostics)
	attribute.Decode(ctx, req.Plan.Raw, surveyschema.ObjectType(), &planned, &resp.Diagnostics)
	attribute.Decode(ctx, req.State.Raw, surveyschema.ObjectType(), &prior, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Ready(&resp.Diagnostics) {
		return
	}

	if attribute.EqualExcept(req.Plan.Raw, req.State.Raw, providerOnly...) {
		applied := appliedFrom(config.Questions, requestQuestions(ctx, config, planned, prior, req.Private, &resp.Diagnostics), nil, &resp.Diagnostics)
		survey.LoadHistory(ctx, req.Private, prior.Name, &resp.Diagnostics).AfterWrite(applied, applied).Save(ctx, resp.Private, &resp.Diagnostics)
		held.AfterWrite(ctx, resp.Private, &resp.Diagnostics)
		held.NoteWritten(ctx, resp.Private, r.serviceTime(), &resp.Diagnostics)
		attribute.Encode(ctx, planned, surveyschema.ObjectType(), &resp.State.Raw, &resp.Diagnostics)
		providerdata.SetIdentity(ctx, resp.Identity, identityOf(prior.Fields), &resp.Diagnostics)
		return
	}

	stamp(&planned.Fields, r.Now())
	wanted := planned.Fields
	wanted.Questions = requestQuestions(ctx, config, planned, prior, req.Private, &resp.Diagnostics)
	request := survey.ToAPI(ctx, wanted, prior.Fields, uuid.NewString, &resp.Diagnostics)
	if survey.IsEmptyRequest(request) {
		request = switchOnRequest(ctx, planned.Fields, prior.Fields, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}

	surveys := r.surveys(prior.Fields)
	var answer api.Survey
	var before *api.Survey
	var err error
	if survey.IsEmptyRequest(request) {
		// Nothing that can be written has changed, such as a computed value.
		answer, err = surveys.Retrieve(ctx, prior.ID.ValueString())
	} else {
		var ok bool
		if before, ok = r.refuseOverwrite(ctx, request, wanted, prior.Fields, req.Private, &resp.Diagnostics); !ok {
			return
		}
		answer, err = surveys.Update(ctx, prior.ID.ValueString(), request)
	}

	if err != nil {
		resp.Diagnostics.Append(refusal("update", prior.Fields, err))
		return
	}
	complete(ctx, surveys, &answer, before, planned.Fields, prior.Fields, &resp.Diagnostics)

	memory := attribute.LoadMemory(ctx, req.Private, survey.Excerpt(prior.Name), &resp.Diagnostics)
	r.store(ctx, answer, planned, write{
		config: req.Config.Raw, questions: config.Questions, request: request, memory: memory,
		state: &resp.State, identity: resp.Identity, private: resp.Private, diags: &resp.Diagnostics,
	})
}

// write is a create or an update: the configuration, the request, the private state before,
// and where the result goes.
type write struct {
	config tftypes.Value
	// questions are those of the configuration.
	questions types.List
	request   api.SurveyRequest
	memory    attribute.Memory
	state     *tfsdk.State
	identity  *tfsdk.ResourceIdentity
	private   attribute.PrivateState
	diags     *diag.Diagnostics
}

// store writes the response to a create or an update into the state.
func (r *Resource) store(ctx context.Context, answer api.Survey, planned survey.Model, w write) {
	a := &attribute.Answer{IsWrite: true, Configured: attribute.ConfiguredIn(w.config), Memory: w.memory}

	fields, err := survey.FromAPI(ctx, answer, planned.Fields, a)
	if err != nil {
		w.diags.Append(attempt("read", planned.Fields).Diagnostic(err, attributePaths))
		return
	}

	a.DropUnsent(attributesSentIn(w.request))
	if len(a.Missing) > 0 {
		w.diags.Append(attempt("write", planned.Fields).MissingFields(a.Missing))
	}
	warnOfChanges(a.Changed, fields, w.diags)

	// A flag that is off after a write cannot be switched on by another one.
	savePaused(ctx, len(switchedOffFlags(fields)) > 0, w.private, w.private, w.diags)
	if fields.EndDate.IsNull() {
		(*stop)(nil).save(ctx, w.private, w.diags)
	}
	applied := appliedFrom(w.questions, fields.Questions, answer.Questions, w.diags)
	survey.LoadHistory(ctx, w.private, planned.Name, w.diags).AfterWrite(applied, survey.WithIDsOf(applied, fields.Questions, w.diags)).Save(ctx, w.private, w.diags)
	held.AfterWrite(ctx, w.private, w.diags)
	held.NoteWritten(ctx, w.private, r.serviceTime(), w.diags)

	planned.Fields = fields
	attribute.Encode(ctx, planned, surveyschema.ObjectType(), &w.state.Raw, w.diags)
	a.Remembered.Save(ctx, w.private, w.diags)
	providerdata.SetIdentity(ctx, w.identity, identityOf(fields), w.diags)
}

func (r *Resource) surveys(f survey.Fields) *client.Surveys {
	return r.Client.Surveys(f.ProjectID.ValueString())
}

// serviceTime is the time by the clock of the service, as far as it is known.
func (r *Resource) serviceTime() time.Time {
	if now := r.Client.ServiceTime(); !now.IsZero() {
		return now
	}
	return r.Now()
}

// providerOnly are the attributes of a Model that are not in Fields: a change of them alone
// sends no request.
var providerOnly = []string{"deletion_policy", "create_in_folder", providerdata.TimeoutsName}

// attempt names a survey in a diagnostic.
func attempt(verb string, f survey.Fields) diagnose.Attempt {
	return diagnose.Attempt{
		Verb: verb, Noun: "survey", Type: "posthog_survey", Name: f.Name.ValueString(), ID: f.ID.ValueString(), Parent: "project " + f.ProjectID.ValueString(),
	}
}

// attributePaths maps the request fields that the service names in an error to their
// attributes, where the names differ.
var attributePaths = func() map[string]path.Path {
	paths := map[string]path.Path{"filters": path.Root("targeting_flag_filters"), "remove_targeting_flag": path.Root("targeting_flag_filters")}
	for name := range surveyschema.Resource().Attributes {
		paths[name] = path.Root(name)
	}
	return paths
}()
