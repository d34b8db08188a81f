package importapp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/protocol"
)

// Resource implements the resource posthog_pipeline_import_app.
type Resource struct{ framework.Resource[Model] }

// NewResource returns the resource posthog_pipeline_import_app, not configured yet.
func NewResource() resource.Resource {
	r := &Resource{}
	r.Resource = framework.Resource[Model]{
		TypeName: "pipeline_import_app", Describe: ResourceSchema, Type: objectType, Noun: "pipeline import app",
		Parent: framework.Organization, ParentID: func(m *Model) *types.String { return &m.OrganizationID },
		IdentityID: identityschema.Int64Attribute{RequiredForImport: true, Description: "ID of the app."},
		ParseID: func(text string) (attr.Value, bool) {
			id, err := strconv.ParseInt(text, 10, 64)
			return types.Int64Value(id), err == nil && id > 0 && strconv.FormatInt(id, 10) == text
		},
		ImportForm: "The import ID of a pipeline import app is ORGANIZATION/ID or ID, where ORGANIZATION is the UUID of the organization and ID is the number of the app, " +
			"for example 018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d/42. To list the apps with their numbers, use the data source posthog_pipeline_import_apps.",
		Operations: framework.Operations[Model]{Plan: r.plan, Create: r.create, Read: r.read, Update: r.update, Delete: r.delete},
	}
	return r
}

// appCall is one of Terraform's calls for an app.
type appCall = framework.Call[Model]

// create takes the state from the response to the create, because PostHog may hide the app from
// every later request.
func (r *Resource) create(ctx context.Context, c *appCall) {
	desired := c.Planned.withWriteOnly(c.Config)
	apps := r.apps(desired.Fields).Hiding(desired.secrets()...)
	request := ToAPI(withQuery(desired), Fields{})
	wire, err := apps.CreateOnce(ctx, request, isShown(desired.Capabilities))
	if err != nil {
		c.Diags.Append(attempt("create", desired.Fields).Diagnostic(err, attributePaths))
		return
	}
	c.Created(ctx, types.Int64PointerValue(wire.ID))

	wire = overrideCode(ctx, apps, wire, desired.Fields, c.Configured(), c.Diags)
	store(ctx, c, apps, wire, request, appMemory{})
}

func (r *Resource) read(ctx context.Context, c *appCall) {
	prior, memory := c.Prior, loadMemory(ctx, c.Private, c.Prior.Fields, c.Diags)
	wire, err := fastpath.Read(ctx, r.apps(prior.Fields).Hiding(prior.secrets()...), prior.ID.ValueInt64())

	switch {
	case err == nil:
	case client.IsRemoved(err) && !c.IsImport:
		attribute.Mark(ctx, c.Private, removedKey, true, c.Diags) // the rest of the memory stays as it is
		c.Diags.Append(attempt("read", prior.Fields).RemovalWarning(err)...)
		return
	case client.IsNotFound(err) && !c.IsImport && memory.IsHidden:
		warnOfHidden(prior.Fields, c.Diags)
		return
	default:
		c.Unread(ctx, attempt("read", prior.Fields), err)
		return
	}

	a := &attribute.Response{Memory: memory.Echo}
	prior.Fields = asRead(wire, prior.Fields, a, memory)
	memory.IsHidden, memory.IsRemoved = false, false
	c.Store(ctx, prior, a, &memory)
}

// asRead converts the response to a read.
func asRead(wire api.PipelineImportApp, prior Fields, a *attribute.Response, memory appMemory) Fields {
	m := FromAPI(wire, prior, a)
	if slices.Contains(memory.Configured, "capabilities") {
		// The plugin server may rewrite the capabilities at any time.
		m.Capabilities = prior.Capabilities
	}
	return m
}

func (r *Resource) update(ctx context.Context, c *appCall) {
	planned, prior, memory := c.Planned, c.Prior, loadMemory(ctx, c.Private, c.Prior.Fields, c.Diags)
	if c.ChangesOnly(framework.TimeoutsName, "url_query", "url_query_wo_version") {
		memory.Configured = configuredNames(c.Configured())
		c.Keep(ctx, planned, &memory)
		return
	}

	apps := r.apps(prior.Fields).Hiding(append(planned.withWriteOnly(c.Config).secrets(), prior.secrets()...)...)
	request := ToAPI(planned.Fields, prior.Fields)
	wire, err := apps.Change(ctx, prior.ID.ValueInt64(), func(_ context.Context, live api.PipelineImportApp) (api.PipelineImportAppRequest, error) {
		// An empty request is a read, which sends no attribute. An is_global that was never
		// returned and is now false changes nothing.
		edits := unseenEdits(live, attribute.SentAttributes(request), planned.Fields, prior.Fields, memory)
		if len(edits) > 0 {
			c.Diags.Append(attempt("update", prior.Fields).Overwrite(edits))
			return request, framework.ErrRefused
		}
		return request, nil
	})
	switch {
	case errors.Is(err, framework.ErrRefused):
		return
	case client.IsNotFound(err) && memory.IsHidden:
		refuseHidden(prior.Fields, c.Diags)
		return
	case err != nil:
		c.Diags.Append(attempt("update", prior.Fields).Diagnostic(err, attributePaths))
		return
	}

	store(ctx, c, apps, wire, request, memory)
}

// delete reads the app first, like an update.
func (r *Resource) delete(ctx context.Context, c *appCall) {
	prior, memory := c.Prior, loadMemory(ctx, c.Private, c.Prior.Fields, c.Diags)
	err := r.apps(prior.Fields).Hiding(prior.secrets()...).Remove(ctx, prior.ID.ValueInt64(), func(_ context.Context, live api.PipelineImportApp) error {
		return refuseUnseen(ctx, live, c, memory)
	})

	switch {
	case errors.Is(err, framework.ErrRefused):
	case client.IsRemoved(err):
		c.Diags.Append(attempt("delete", prior.Fields).RemovedDelete(err, importID(prior.Fields)))
	case client.IsNotFound(err) && memory.IsHidden:
		c.Diags.AddWarning(warningTitle("The import app may still exist", prior.Fields),
			attempt("delete", prior.Fields).Title()+": PostHog hides it because of its capabilities, so Terraform cannot delete it. "+
				"Terraform removes it from the state. Delete it in PostHog.")
	case client.IsNotFound(err):
		// If the app is already gone, the deletion succeeded.
	case err != nil:
		c.Diags.Append(attempt("delete", prior.Fields).Diagnostic(err, nil))
	}
}

// store stores the app in the response to a create or an update.
func store(
	ctx context.Context, c *appCall, apps *client.PipelineImportApps, wire api.PipelineImportApp, request api.PipelineImportAppRequest, memory appMemory,
) {
	a := c.WriteResponse(&memory)
	m := c.Planned
	m.Fields = FromAPI(wire, m.Fields, a)

	a.DropUnsent(attribute.SentAttributes(request))
	var first path.Path
	if len(a.Changed) > 0 {
		first = path.Root(a.Changed[0])
	}
	c.Diags.Append(attempt("write", m.Fields).WriteWarnings(a.Missing, a.Changed, first, "for example based on the app's code")...)

	if c.IsNew || request.Capabilities.IsSpecified() {
		checkVisibility(ctx, apps, wire, c.Planned.Fields, &memory, c.Diags)
	}
	memory.Configured = configuredNames(a.Configured)
	c.Store(ctx, m, a, &memory)
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

// importID returns the import ID of an app.
func importID(m Fields) string { return m.OrganizationID.ValueString() + "/" + m.ID.String() }

// GeneratedConfig describes how Terraform generates an import app's configuration. It contains the
// same attributes as posthog-sync export's output.
func GeneratedConfig() protocol.GeneratedConfig {
	return protocol.GeneratedConfig{Type: objectType().TerraformType(context.Background()), Configuration: generatedConfig}
}

func generatedConfig(ctx context.Context, data *framework.Data, state tftypes.Value, diags *diag.Diagnostics) tftypes.Value {
	return attribute.Edit(ctx, state, objectType(), func(m *Model) {
		organization := m.OrganizationID
		m.Fields = minimalConfiguration(m.Fields)
		if organization.ValueString() != framework.Organization.Provided(data) {
			m.OrganizationID = organization
		}
	}, diags)
}

// FastPath describes the resource to package fastpath.
func FastPath() fastpath.Resource {
	return fastpath.Resource{
		Schema:     ResourceSchema(),
		Parent:     framework.Organization,
		IsComplete: func(fastpath.Object, fastpath.PrivateState) bool { return true },
		Read: func(ctx context.Context, c *client.Client, o fastpath.Object) (json.RawMessage, error) {
			return c.PipelineImportApps(o.String("organization_id")).ReadRaw(ctx, o.Int64("id"))
		},
	}
}
