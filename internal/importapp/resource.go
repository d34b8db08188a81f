package importapp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/protocol"
)

var (
	_ resource.ResourceWithConfigure   = (*Resource)(nil)
	_ resource.ResourceWithIdentity    = (*Resource)(nil)
	_ resource.ResourceWithImportState = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan  = (*Resource)(nil)
)

// Resource implements the resource posthog_pipeline_import_app.
type Resource struct{ framework.Resource }

// NewResource returns the resource posthog_pipeline_import_app, not configured yet.
func NewResource() resource.Resource {
	return &Resource{framework.Resource{TypeName: "pipeline_import_app", Describe: ResourceSchema}}
}

// Create implements resource.Resource. It takes the state from the response to the create, because
// PostHog may hide the app from every later request.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	ctx, cancel := framework.Operation(ctx, "create", req.Plan, &resp.Diagnostics)
	defer cancel()

	var planned, config Model
	attribute.Decode(ctx, req.Plan.Raw, objectType(), &planned, &resp.Diagnostics)
	attribute.Decode(ctx, req.Config.Raw, objectType(), &config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Ready(&resp.Diagnostics) {
		return
	}

	organization, ok := framework.Organization.AtApply(r.Data, planned.OrganizationID, &resp.Diagnostics)
	if !ok {
		return
	}
	planned.OrganizationID = organization

	desired := planned.withWriteOnly(config)
	apps := r.apps(planned.Fields).Hiding(desired.secrets()...)
	request := ToAPI(withQuery(desired), Fields{})
	wire, err := apps.CreateOnce(ctx, request, isShown(planned.Capabilities))
	if err != nil {
		resp.Diagnostics.Append(attempt("create", planned.Fields).Diagnostic(err, attributePaths))
		return
	}

	// The app exists from here on, so store its ID even if a later step fails.
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), types.Int64PointerValue(wire.ID))...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("organization_id"), planned.OrganizationID)...)

	wire = overrideCode(ctx, apps, wire, planned.Fields, attribute.ConfiguredAttributes(req.Config.Raw), &resp.Diagnostics)

	store(ctx, wire, planned, write{
		config: req.Config.Raw, request: request, now: r.Now(),
		state: &resp.State, identity: resp.Identity, private: resp.Private, diags: &resp.Diagnostics,
	})
	checkVisibility(ctx, apps, wire, planned.Fields, resp.Private, &resp.Diagnostics)
}

// Read implements resource.Resource.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	ctx, cancel := framework.Operation(ctx, "read", req.State, &resp.Diagnostics)
	defer cancel()

	var prior Model
	attribute.Decode(ctx, req.State.Raw, objectType(), &prior, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Ready(&resp.Diagnostics) {
		return
	}

	wire, err := r.apps(prior.Fields).Hiding(prior.secrets()...).Read(ctx, prior.ID.ValueInt64())

	switch {
	case err == nil:
	case client.IsRemoved(err) && !prior.isImported():
		keepInState(ctx, prior.Fields, err, resp)
		return
	case client.IsNotFound(err) && !prior.isImported() && attribute.IsMarked(ctx, req.Private, hiddenKey, &resp.Diagnostics):
		warnOfHidden(prior.Fields, &resp.Diagnostics)
		framework.SetIdentity(ctx, resp.Identity, newIdentity(prior.Fields), &resp.Diagnostics)
		return
	default:
		attempt("read", prior.Fields).Unread(ctx, err, prior.isImported(), newIdentity(prior.Fields), resp)
		return
	}

	memory := attribute.LoadObjectMemory(ctx, req.Private, displayName(prior.Fields), &resp.Diagnostics)
	a := &attribute.Response{Memory: memory.Echo}
	isImport := prior.isImported()
	m := asRead(ctx, wire, prior.Fields, a, req.Private, &resp.Diagnostics)
	prior.Fields = m

	attribute.Encode(ctx, prior, objectType(), &resp.State.Raw, &resp.Diagnostics)
	if isImport {
		memory.NoteImport(r.Now())
	} else {
		memory.AfterRead(req.State.Raw, resp.State.Raw, nil)
	}
	memory.Echo = a.Remembered
	memory.Save(ctx, resp.Private, &resp.Diagnostics)
	attribute.Mark(ctx, resp.Private, hiddenKey, false, &resp.Diagnostics)
	attribute.Mark(ctx, resp.Private, removedKey, false, &resp.Diagnostics)
	framework.SetIdentity(ctx, resp.Identity, newIdentity(m), &resp.Diagnostics)
}

// asRead converts the response to a read.
func asRead(ctx context.Context, wire api.PipelineImportApp, prior Fields, a *attribute.Response, private attribute.PrivateState, diags *diag.Diagnostics) Fields {
	m := FromAPI(wire, prior, a)
	if slices.Contains(loadConfiguredNames(ctx, private, diags), "capabilities") {
		// The plugin server may rewrite the capabilities at any time.
		m.Capabilities = prior.Capabilities
	}
	return m
}

// Update implements resource.Resource.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	ctx, cancel := framework.Operation(ctx, "update", req.Plan, &resp.Diagnostics)
	defer cancel()

	var planned, prior, config Model
	attribute.Decode(ctx, req.Plan.Raw, objectType(), &planned, &resp.Diagnostics)
	attribute.Decode(ctx, req.Config.Raw, objectType(), &config, &resp.Diagnostics)
	attribute.Decode(ctx, req.State.Raw, objectType(), &prior, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Ready(&resp.Diagnostics) {
		return
	}

	if attribute.EqualExcept(req.Plan.Raw, req.State.Raw, framework.TimeoutsName, "url_query", "url_query_wo_version") {
		attribute.Encode(ctx, planned, objectType(), &resp.State.Raw, &resp.Diagnostics)
		saveConfiguredNames(ctx, attribute.ConfiguredAttributes(req.Config.Raw), resp.Private, &resp.Diagnostics)
		framework.SetIdentity(ctx, resp.Identity, newIdentity(prior.Fields), &resp.Diagnostics)
		return
	}

	apps := r.apps(prior.Fields).Hiding(append(planned.withWriteOnly(config).secrets(), prior.secrets()...)...)
	request := ToAPI(planned.Fields, prior.Fields)
	wire, err := apps.Change(ctx, prior.ID.ValueInt64(), func(ctx context.Context, live api.PipelineImportApp) (api.PipelineImportAppRequest, error) {
		// An empty request is a read, which sends no attribute. An is_global that was never
		// returned and is now false changes nothing.
		edits := unseenEdits(ctx, live, attribute.SentAttributes(request), planned.Fields, prior.Fields, req.Private, &resp.Diagnostics)
		if len(edits) > 0 {
			resp.Diagnostics.Append(attempt("update", prior.Fields).Overwrite(edits))
			return request, errRefused
		}
		return request, nil
	})
	switch {
	case errors.Is(err, errRefused):
		return
	case client.IsNotFound(err) && attribute.IsMarked(ctx, req.Private, hiddenKey, &resp.Diagnostics):
		refuseHidden(prior.Fields, &resp.Diagnostics)
		return
	case err != nil:
		resp.Diagnostics.Append(attempt("update", prior.Fields).Diagnostic(err, attributePaths))
		return
	}

	memory := attribute.LoadObjectMemory(ctx, req.Private, displayName(prior.Fields), &resp.Diagnostics)
	store(ctx, wire, planned, write{
		config: req.Config.Raw, request: request, memory: memory, now: r.Now(),
		state: &resp.State, identity: resp.Identity, private: resp.Private, diags: &resp.Diagnostics,
	})

	if request.Capabilities.IsSpecified() {
		checkVisibility(ctx, apps, wire, planned.Fields, resp.Private, &resp.Diagnostics)
	}
}

// Delete implements resource.Resource. Like an update, it reads the app first.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	ctx, cancel := framework.Operation(ctx, "delete", req.State, &resp.Diagnostics)
	defer cancel()

	var prior Model
	attribute.Decode(ctx, req.State.Raw, objectType(), &prior, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Ready(&resp.Diagnostics) {
		return
	}

	err := r.apps(prior.Fields).Hiding(prior.secrets()...).Remove(ctx, prior.ID.ValueInt64(), func(ctx context.Context, live api.PipelineImportApp) error {
		return refuseUnseen(ctx, live, prior.Fields, req.Private, &resp.Diagnostics)
	})

	switch {
	case errors.Is(err, errRefused):
	case client.IsRemoved(err):
		resp.Diagnostics.Append(attempt("delete", prior.Fields).RemovedDelete(err, importID(prior.Fields)))
	case client.IsNotFound(err) && attribute.IsMarked(ctx, req.Private, hiddenKey, &resp.Diagnostics):
		resp.Diagnostics.AddWarning(warningTitle("The import app may still exist", prior.Fields),
			attempt("delete", prior.Fields).Title()+": PostHog hides it because of its capabilities, so Terraform cannot delete it. "+
				"Terraform removes it from the state. Delete it in PostHog.")
	case client.IsNotFound(err):
		// If the app is already gone, the deletion succeeded.
	case err != nil:
		resp.Diagnostics.Append(attempt("delete", prior.Fields).Diagnostic(err, nil))
	}
}

// write describes a create or an update: the configuration, the request, the memory from before,
// and where to store the result.
type write struct {
	config   tftypes.Value
	request  api.PipelineImportAppRequest
	memory   attribute.ObjectMemory
	now      time.Time
	state    *tfsdk.State
	identity *tfsdk.ResourceIdentity
	private  attribute.PrivateState
	diags    *diag.Diagnostics
}

// store writes the response of a create or an update to the state.
func store(ctx context.Context, wire api.PipelineImportApp, planned Model, w write) {
	a := &attribute.Response{IsWrite: true, Configured: attribute.ConfiguredAttributes(w.config), Memory: w.memory.Echo}

	m := FromAPI(wire, planned.Fields, a)

	a.DropUnsent(attribute.SentAttributes(w.request))
	var at path.Path
	if len(a.Changed) > 0 {
		at = path.Root(a.Changed[0])
	}
	w.diags.Append(attempt("write", m).WriteWarnings(a.Missing, a.Changed, at, "for example based on the app's code")...)

	planned.Fields = m
	attribute.Encode(ctx, planned, objectType(), &w.state.Raw, w.diags)
	w.memory.AfterWrite(w.now)
	w.memory.Echo = a.Remembered
	w.memory.Save(ctx, w.private, w.diags)
	saveConfiguredNames(ctx, a.Configured, w.private, w.diags)
	framework.SetIdentity(ctx, w.identity, newIdentity(m), w.diags)
}

func (r *Resource) apps(m Fields) *client.PipelineImportApps {
	return r.Client.PipelineImportApps(m.OrganizationID.ValueString())
}

// attempt describes an operation on an app in a diagnostic.
func attempt(verb string, m Fields) framework.Attempt {
	tried := framework.Attempt{
		Verb: verb, Noun: "pipeline import app", Type: "posthog_pipeline_import_app", Name: m.Name.ValueString(), Parent: "organization " + m.OrganizationID.ValueString(),
	}

	if id := m.ID.ValueInt64(); id != 0 {
		tried.ID = strconv.FormatInt(id, 10)
	}

	if tried.Name == "" {
		// An app may lack a name, but its URL also identifies it.
		tried.Name = titleURL(m.URL.ValueString())
	}
	return tried
}

// displayName formats an app for use in a sentence.
func displayName(m Fields) string {
	if m.Name.ValueString() != "" {
		return fmt.Sprintf("%q", m.Name.ValueString())
	}
	return m.ID.String()
}

// warningTitle returns the title of a warning about an app. The title contains the app's name,
// because Terraform merges warnings with the same title. A new app may have neither a name nor an
// ID yet.
func warningTitle(title string, m Fields) string {
	if m.Name.ValueString() == "" && (m.ID.IsNull() || m.ID.IsUnknown()) {
		return title
	}
	return title + ": " + displayName(m)
}

// attributePaths maps the request fields in PostHog's errors to attributes.
var attributePaths = framework.AttributePaths(ResourceSchema())

// importable describes the import of apps. An ID is a number in PostHog's format.
var importable = framework.Importable{
	Noun: "pipeline import app", Parent: framework.Organization,
	ID: func(text string) (attr.Value, bool) {
		id, err := strconv.ParseInt(text, 10, 64)
		return types.Int64Value(id), err == nil && id > 0 && strconv.FormatInt(id, 10) == text
	},
	Form: "The import ID of a pipeline import app is ORGANIZATION/ID or ID, where ORGANIZATION is the UUID of the organization and ID is the number of the app, " +
		"for example 018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d/42. To list the apps with their numbers, use the data source posthog_pipeline_import_apps.",
}

// ImportState implements resource.ResourceWithImportState. It accepts ORGANIZATION/ID, ID, or a
// resource identity.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	importable.Import(ctx, r.Data, req, resp)
}

// importID returns the import ID of an app.
func importID(m Fields) string { return m.OrganizationID.ValueString() + "/" + m.ID.String() }

// GeneratedConfig describes how Terraform generates an import app's configuration. It contains the
// same attributes as posthog-sync export's output.
func GeneratedConfig() protocol.GeneratedConfig {
	return protocol.GeneratedConfig{Type: objectType().TerraformType(context.Background()), Configuration: generatedConfig}
}

func generatedConfig(ctx context.Context, data *framework.Data, state tftypes.Value, diags *diag.Diagnostics) tftypes.Value {
	var m Model
	attribute.Decode(ctx, state, objectType(), &m, diags)
	if diags.HasError() {
		return state
	}

	organization := m.OrganizationID
	m.Fields = minimalConfiguration(m.Fields)
	if data == nil || organization.ValueString() != data.OrganizationID {
		m.OrganizationID = organization
	}

	config := state
	attribute.Encode(ctx, m, objectType(), &config, diags)
	return config
}

// FastPath describes the resource to package fastpath.
func FastPath() fastpath.Resource {
	return fastpath.Resource{
		Schema:     ResourceSchema(),
		Parent:     "organization_id",
		Default:    func(d *framework.Data) string { return d.OrganizationID },
		IsComplete: func(fastpath.Object, fastpath.PrivateState) bool { return true },
		Read: func(ctx context.Context, c *client.Client, o fastpath.Object) (json.RawMessage, error) {
			return c.PipelineImportApps(o.String("organization_id")).ReadRaw(ctx, o.Int64("id"))
		},
	}
}
