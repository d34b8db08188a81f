package reference

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

var _ datasource.DataSourceWithConfigValidators = (*FeatureFlag)(nil)

// FeatureFlag is the data source posthog_feature_flag: one flag, by its key or its id.
type FeatureFlag struct{ providerdata.DataSource }

// NewFeatureFlag returns the data source posthog_feature_flag, not configured yet.
func NewFeatureFlag() datasource.DataSource { return &FeatureFlag{} }

type flagModel struct {
	ProjectID         types.String `tfsdk:"project_id"`
	ID                types.Int64  `tfsdk:"id"`
	Key               types.String `tfsdk:"key"`
	Name              types.String `tfsdk:"name"`
	Active            types.Bool   `tfsdk:"active"`
	Deleted           types.Bool   `tfsdk:"deleted"`
	Filters           types.String `tfsdk:"filters"`
	RolloutPercentage types.Number `tfsdk:"rollout_percentage"`
	Tags              []string     `tfsdk:"tags"`
}

// Metadata implements datasource.DataSource.
func (d *FeatureFlag) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_feature_flag"
}

// Schema implements datasource.DataSource.
func (d *FeatureFlag) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "One feature flag of a project, by its key or its id: for `linked_flag_id` and `targeting_flag_id` of a survey. " +
			"The flags that the service creates for a survey are not found by their key. The API key needs the scope `feature_flag:read`.",
		Attributes: map[string]schema.Attribute{
			"project_id":         projectAttribute(),
			"id":                 schema.Int64Attribute{Optional: true, Computed: true, MarkdownDescription: "Id of the flag. Either this or `key`."},
			"key":                schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Key of the flag, which code asks for. Either this or `id`."},
			"name":               schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the flag, which the web interface calls its description."},
			"active":             schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the flag is switched on. One that is off is on for nobody."},
			"deleted":            schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the flag was deleted. Such a flag is found by its id alone."},
			"filters":            schema.StringAttribute{Computed: true, MarkdownDescription: "Release conditions, as JSON."},
			"rollout_percentage": schema.NumberAttribute{Computed: true, MarkdownDescription: "Share of all people for whom the flag is on; null when its release conditions say more than that."},
			"tags":               schema.SetAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Tags of the flag."},
		},
	}
}

// ConfigValidators implements datasource.DataSourceWithConfigValidators.
func (d *FeatureFlag) ConfigValidators(context.Context) []datasource.ConfigValidator {
	return []datasource.ConfigValidator{attribute.ExactlyOneOf("id", "key")}
}

// Read implements datasource.DataSource.
func (d *FeatureFlag) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var m flagModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}
	project, ok := d.Project(m.ProjectID, &resp.Diagnostics)
	if !ok {
		return
	}

	m.ProjectID = project
	found, err := d.find(ctx, m, &resp.Diagnostics)
	if err != nil {
		resp.Diagnostics.Append(failed(m.attempt(), "feature flags", err))
	}
	if resp.Diagnostics.HasError() {
		return
	}

	m.fill(found)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// attempt is what a read tries, for errors.
func (m flagModel) attempt() diagnose.Attempt {
	attempt := diagnose.Attempt{Verb: "read", Noun: "feature flag", Name: m.Key.ValueString(), Parent: "project " + m.ProjectID.ValueString()}
	if !m.ID.IsNull() {
		attempt.ID = strconv.FormatInt(m.ID.ValueInt64(), 10)
	}
	return attempt
}

// find reads the flag by its id, or finds it by its key.
func (d *FeatureFlag) find(ctx context.Context, m flagModel, diags *diag.Diagnostics) (api.FeatureFlagDetail, error) {
	project := m.ProjectID.ValueString()
	if m.Key.IsNull() {
		return d.Client.FeatureFlag(ctx, project, m.ID.ValueInt64())
	}

	found, err := matching(ctx, d.Client, project, m.Key.ValueString())
	if err != nil || len(found) == 1 {
		return append(found, api.FeatureFlagDetail{})[0], err
	}
	if len(found) > 1 {
		diags.AddAttributeError(path.Root("key"), fmt.Sprintf("Several feature flags have the key %s", m.Key),
			fmt.Sprintf("In project %s they are those with the ids %s. Give one of these as id in place of the key.", project, idsOf(found)))
		return api.FeatureFlagDetail{}, nil
	}

	keys, err := keysOf(ctx, d.Client, project)
	if err != nil {
		return api.FeatureFlagDetail{}, err
	}
	diags.AddAttributeError(path.Root("key"), fmt.Sprintf("No feature flag has the key %s", m.Key), notFound(project, m.Key.ValueString(), keys))
	return api.FeatureFlagDetail{}, nil
}

// matching are the flags with exactly the key: the service searches for parts of keys and
// names.
func matching(ctx context.Context, c *client.Client, project, key string) ([]api.FeatureFlagDetail, error) {
	var found []api.FeatureFlagDetail
	for flag, err := range c.FeatureFlags(ctx, project, client.FlagOptions{Search: key}) {
		if err != nil {
			return nil, err
		}
		if flag.Key != nil && *flag.Key == key {
			found = append(found, flag)
		}
	}
	return found, nil
}

// keysOf are the keys of all flags of a project.
func keysOf(ctx context.Context, c *client.Client, project string) ([]string, error) {
	var keys []string
	for flag, err := range c.FeatureFlags(ctx, project, client.FlagOptions{}) {
		if err != nil {
			return nil, err
		}
		if flag.Key != nil {
			keys = append(keys, *flag.Key)
		}
	}
	return keys, nil
}

func idsOf(flags []api.FeatureFlagDetail) string {
	var ids []string
	for _, flag := range flags {
		if flag.ID != nil {
			ids = append(ids, strconv.FormatInt(*flag.ID, 10))
		}
	}
	return strings.Join(ids, ", ")
}

// notFound says where a key was looked for, and which one was probably meant.
func notFound(project, key string, keys []string) string {
	text := fmt.Sprintf("Looked through the %d feature flags of project %s", len(keys), project)
	if len(keys) == 1 {
		text = "Looked at the one feature flag of project " + project
	}
	if near, ok := attribute.Nearest(key, keys); ok {
		text += fmt.Sprintf("; the nearest key is %q", near)
	}
	return text + ". Keys are compared exactly. Deleted flags, and those that the service created for a survey, are not among them."
}

// fill sets the attributes from a response.
func (m *flagModel) fill(flag api.FeatureFlagDetail) {
	m.ID, m.Key, m.Name = types.Int64PointerValue(flag.ID), types.StringPointerValue(flag.Key), types.StringPointerValue(flag.Name)
	m.Active, m.Deleted = types.BoolPointerValue(flag.Active), types.BoolPointerValue(flag.Deleted)
	m.Tags = flag.Tags

	m.RolloutPercentage = types.NumberNull()
	if number, ok := attribute.NumberOf(flag.RolloutPercentage); ok {
		m.RolloutPercentage = number
	}
	m.Filters = types.StringNull()
	if text, err := json.Marshal(flag.Filters); err == nil && flag.Filters != nil {
		m.Filters = types.StringValue(string(text))
	}
}
