package importapp

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// fullAnswer is a response with every key.
const fullAnswer = `{"id":5,"plugin_type":"custom","name":"Orders","description":"d","url":"https://example.com/a","icon":"i",
	"config_schema":[{"key":"shop"}],"tag":"v1","latest_tag":"v2","is_global":true,
	"organization_id":"018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d","organization_name":"Shop",
	"capabilities":{"jobs":[]},"metrics":{"n":9007199254740993},"public_jobs":null,"hog_function_migration_available":"soon"}`

func fromAPI(t *testing.T, answer string, prior Fields) (Fields, []string) {
	t.Helper()
	var wire api.PipelineImportApp
	require.NoError(t, json.Unmarshal([]byte(answer), &wire))
	a := &attribute.Response{}
	m := FromAPI(wire, prior, a)
	return m, a.Missing
}

func TestFromAPIReadsEveryField(t *testing.T) {
	t.Parallel()
	m, missing := fromAPI(t, fullAnswer, Fields{})
	assert.Empty(t, missing)
	assert.Equal(t, Fields{
		ID: types.Int64Value(5), OrganizationID: types.StringValue("018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d"),
		PluginType: types.StringValue("custom"), Name: types.StringValue("Orders"), Description: types.StringValue("d"),
		URL: types.StringValue("https://example.com/a"), Icon: types.StringValue("i"),
		ConfigSchema: jsontypes.NewNormalizedValue(`[{"key":"shop"}]`), Tag: types.StringValue("v1"), LatestTag: types.StringValue("v2"),
		IsGlobal: types.BoolValue(true), OrganizationName: types.StringValue("Shop"),
		Capabilities: jsontypes.NewNormalizedValue(`{"jobs":[]}`), Metrics: jsontypes.NewNormalizedValue(`{"n":9007199254740993}`),
		PublicJobs: jsontypes.NewNormalizedNull(), HogFunctionMigrationAvailable: types.StringValue("soon"),
	}, m)
}

// If the response lacks a key, the value is kept. A warning reports this only if the attribute was configured. An
// unknown value becomes null.
func TestFromAPIKeepsWhatIsNotTold(t *testing.T) {
	t.Parallel()
	prior, _ := fromAPI(t, fullAnswer, Fields{})
	m, missing := fromAPI(t, `{"id":5}`, prior)
	assert.Equal(t, prior, m)
	assert.Equal(t, []string{"capabilities", "config_schema", "description", "icon", "is_global", "metrics", "name", "plugin_type", "tag", "url"}, missing)

	m, missing = fromAPI(t, `{"id":5}`, Fields{
		ID: types.Int64Unknown(), OrganizationID: types.StringValue("here"), PluginType: types.StringUnknown(),
		IsGlobal: types.BoolUnknown(), ConfigSchema: jsontypes.NewNormalizedUnknown(), LatestTag: types.StringUnknown(),
	})
	assert.Empty(t, missing)
	assert.Equal(t, Fields{ID: types.Int64Value(5), OrganizationID: types.StringValue("here")}, m)
}

func TestFromAPIKeepsSpelling(t *testing.T) {
	t.Parallel()
	prior := Fields{
		OrganizationID: types.StringValue("@current"),
		URL:            types.StringValue("https://example.com/a?private_token=t"),
		ConfigSchema:   jsontypes.NewNormalizedValue("[ {\"key\" : \"shop\"} ]\n"),
		Metrics:        jsontypes.NewNormalizedValue(`{"n":1}`),
	}
	m, _ := fromAPI(t, fullAnswer, prior)
	assert.Equal(t, prior.OrganizationID, m.OrganizationID)
	assert.Equal(t, prior.URL, m.URL)
	assert.Equal(t, prior.ConfigSchema, m.ConfigSchema)
	assert.Equal(t, jsontypes.NewNormalizedValue(`{"n":9007199254740993}`), m.Metrics, "a changed value must not be treated as a different spelling")
}

func TestFromAPIReadsMigrationInAllForms(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]types.String{
		`"yes"`: types.StringValue("yes"), `""`: types.StringValue(""), `true`: types.StringValue("true"),
		`false`: types.StringValue("false"), `null`: types.StringNull(), `{"since":1}`: types.StringValue(`{"since":1}`),
	} {
		m, _ := fromAPI(t, `{"hog_function_migration_available":`+raw+`}`, Fields{HogFunctionMigrationAvailable: types.StringUnknown()})
		assert.Equal(t, want, m.HogFunctionMigrationAvailable, raw)
	}
}

// In the response to a write, planned values are kept. The provider remembers PostHog's values as long as PostHog
// returns them.
func TestFromAPIRemembersWhatTheServiceStored(t *testing.T) {
	t.Parallel()
	planned := Fields{
		Name: types.StringValue(" Orders "), URL: types.StringValue("https://example.com/a?token=x"),
		LatestTag: types.StringValue("v1"), Tag: types.StringNull(),
	}
	written := &attribute.Response{IsWrite: true, Configured: func(name string) bool { return name != "tag" }}
	var wire api.PipelineImportApp
	require.NoError(t, json.Unmarshal([]byte(fullAnswer), &wire))
	m := FromAPI(wire, planned, written)
	assert.Equal(t, planned.Name, m.Name)
	assert.Equal(t, planned.URL, m.URL)
	assert.Equal(t, planned.LatestTag, m.LatestTag)
	assert.Equal(t, planned.Tag, m.Tag)
	assert.Contains(t, written.Changed, "name")
	assert.NotContains(t, written.Changed, "url")
	assert.NotContains(t, written.Changed, "latest_tag")
	assert.NotContains(t, written.Changed, "tag")

	read := FromAPI(wire, m, &attribute.Response{Memory: written.Remembered})
	assert.Equal(t, planned.Name, read.Name)
	assert.Equal(t, types.StringValue("v2"), read.LatestTag)
	wire.Name.Set("Refunds")
	read = FromAPI(wire, m, &attribute.Response{Memory: written.Remembered})
	assert.Equal(t, types.StringValue("Refunds"), read.Name)
}

// A request contains only the changed fields.
func TestToAPI(t *testing.T) {
	t.Parallel()

	full, _ := fromAPI(t, fullAnswer, Fields{})
	plan := func(change func(*Fields)) Fields {
		planned := full
		change(&planned)
		return planned
	}

	for name, c := range map[string]struct {
		planned, prior Fields
		want           string
	}{
		"new, all omitted": {Fields{
			ID: types.Int64Unknown(), PluginType: types.StringUnknown(), IsGlobal: types.BoolUnknown(),
			ConfigSchema: jsontypes.NewNormalizedUnknown(), Metrics: jsontypes.NewNormalizedUnknown(),
		}, Fields{}, `{}`},
		"new, all configured": {full, Fields{}, `{"plugin_type":"custom","name":"Orders","description":"d","url":"https://example.com/a",
			"icon":"i","config_schema":[{"key":"shop"}],"tag":"v1","is_global":true,"capabilities":{"jobs":[]},"metrics":{"n":9007199254740993}}`},
		"new, not global":  {Fields{IsGlobal: types.BoolValue(false)}, Fields{}, `{}`},
		"nothing":          {full, full, `{}`},
		"plugin_type":      {plan(func(m *Fields) { m.PluginType = types.StringNull() }), full, `{"plugin_type":null}`},
		"name":             {plan(func(m *Fields) { m.Name = types.StringValue("") }), full, `{"name":""}`},
		"description":      {plan(func(m *Fields) { m.Description = types.StringValue("e") }), full, `{"description":"e"}`},
		"icon":             {plan(func(m *Fields) { m.Icon = types.StringNull() }), full, `{"icon":null}`},
		"tag":              {plan(func(m *Fields) { m.Tag = types.StringValue("v3") }), full, `{"tag":"v3"}`},
		"config_schema":    {plan(func(m *Fields) { m.ConfigSchema = jsontypes.NewNormalizedValue("{}") }), full, `{"config_schema":{}}`},
		"capabilities":     {plan(func(m *Fields) { m.Capabilities = jsontypes.NewNormalizedValue("{}") }), full, `{"capabilities":{}}`},
		"metrics":          {plan(func(m *Fields) { m.Metrics = jsontypes.NewNormalizedNull() }), full, `{"metrics":null}`},
		"public_jobs":      {plan(func(m *Fields) { m.PublicJobs = jsontypes.NewNormalizedValue(`{"a":1.50}`) }), full, `{"public_jobs":{"a":1.50}}`},
		"no longer global": {plan(func(m *Fields) { m.IsGlobal = types.BoolValue(false) }), full, `{"is_global":false}`},
		"never returned, not global": {
			plan(func(m *Fields) { m.IsGlobal = types.BoolValue(false) }), plan(func(m *Fields) { m.IsGlobal = types.BoolNull() }), `{}`,
		},
		"url is never changed": {plan(func(m *Fields) { m.URL = types.StringValue("https://example.com/b") }), full, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			request := ToAPI(c.planned, c.prior)
			raw, err := json.Marshal(request)
			require.NoError(t, err)

			assert.JSONEq(t, c.want, string(raw))
			assert.Equal(t, c.want == `{}`, IsEmptyRequest(request))
		})
	}
}

// A number keeps the digits from the configuration.
func TestToAPIKeepsDigits(t *testing.T) {
	t.Parallel()
	raw, err := json.Marshal(ToAPI(Fields{Metrics: jsontypes.NewNormalizedValue(`{"n":9007199254740993}`)}, Fields{}))
	require.NoError(t, err)
	assert.Contains(t, string(raw), "9007199254740993")
}

func TestSameURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		prior, configured string
		same              bool
	}{
		{"https://a/b", "https://a/b", true},
		{"https://a/b", "https://a/b?token=x", true},
		{"https://a/b?token=x", "https://a/b?token=x", true},
		{"https://a/b?token=x", "https://a/b?token=y", false},
		{"https://a/b?token=x", "https://a/b", false},
		{"https://a/b", "https://a/c", false},
		{"https://a/b", "https://a/b/?token=x", false},
	} {
		assert.Equal(t, c.same, sameURL(c.prior, c.configured), "%s ~ %s", c.prior, c.configured)
	}
}

func TestURLFromAPI(t *testing.T) {
	t.Parallel()

	with, without := types.StringValue("https://a/b?ref=x"), types.StringValue("https://a/b")

	for _, c := range []struct{ answered, prior, want types.String }{
		{without, with, with},
		{without, without, without},
		{without, types.StringNull(), without},
		{without, types.StringUnknown(), without},
		{with, with, with},
		{types.StringNull(), with, types.StringNull()},
		{types.StringValue("https://a/c"), with, types.StringValue("https://a/c")},
		{types.StringUnknown(), with, with},
	} {
		var field nullable.Nullable[string]
		switch {
		case c.answered.IsNull():
			field.SetNull()
		case !c.answered.IsUnknown():
			field.Set(c.answered.ValueString())
		}

		assert.Equal(t, c.want, urlFromAPI(&attribute.Response{}, field, c.prior), "%s, %s", c.answered, c.prior)
	}
}

func TestInstalledType(t *testing.T) {
	t.Parallel()
	assert.Equal(t, types.StringValue("local"), installedType("file:/plugins/orders"))
	assert.Equal(t, types.StringValue("custom"), installedType("https://github.com/example/orders"))
}

// identityModel is an app's identity.
type identityModel struct {
	OrganizationID types.String `tfsdk:"organization_id"`
	ID             types.Int64  `tfsdk:"id"`
}

func TestImportID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]identityModel{
		"5":          {OrganizationID: types.StringValue("here"), ID: types.Int64Value(5)},
		"there/5":    {OrganizationID: types.StringValue("there"), ID: types.Int64Value(5)},
		"@current/5": {OrganizationID: types.StringValue("@current"), ID: types.Int64Value(5)},
	} {
		resp := imported(t, text, nil, nil)
		require.Empty(t, resp.Diagnostics, text)
		var got identityModel
		require.Empty(t, resp.Identity.Get(t.Context(), &got))
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{
		"/", "5/", "/5", "here/", "here/there/5", "5/here", "orders", "0", "-5", "+5", "05", "5.0", " 5", "5 ",
		"018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d", "99999999999999999999",
	} {
		assert.True(t, imported(t, text, nil, nil).Diagnostics.HasError(), text)
	}
}

// An import by identity uses the provider's organization, and refuses invalid app IDs.
func TestImportByIdentity(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		organization any
		id           int64
		want         types.String
	}{
		"whole":           {"there", 5, types.StringValue("there")},
		"no organization": {nil, 5, types.StringValue("here")},
		"no number":       {"there", 0, types.StringNull()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			resp := imported(t, "", c.organization, c.id)

			if c.want.IsNull() {
				require.Len(t, resp.Diagnostics, 1)
				assert.Equal(t, `Could not import pipeline import app "0"`, resp.Diagnostics[0].Summary())
				return
			}

			require.Empty(t, resp.Diagnostics)

			var state Model
			require.Empty(t, resp.State.Get(t.Context(), &state))
			assert.Equal(t, Fields{ID: types.Int64Value(c.id), OrganizationID: c.want}, state.Fields)
			assert.True(t, state.Timeouts.IsNull())

			var identity identityModel
			require.Empty(t, resp.Identity.Get(t.Context(), &identity))
			assert.Equal(t, identityModel{ID: types.Int64Value(c.id), OrganizationID: c.want}, identity)
		})
	}
}

// imported imports by import ID, or by identity if the import ID is empty.
func imported(t *testing.T, importID string, organization, id any) resource.ImportStateResponse {
	t.Helper()
	r := NewResource().(*Resource)
	r.Data = &framework.Data{OrganizationID: "here"}
	var schema resource.IdentitySchemaResponse
	r.IdentitySchema(t.Context(), resource.IdentitySchemaRequest{}, &schema)
	given := func() *tfsdk.ResourceIdentity {
		return &tfsdk.ResourceIdentity{
			Schema: schema.IdentitySchema,
			Raw: tftypes.NewValue(schema.IdentitySchema.Type().TerraformType(t.Context()), map[string]tftypes.Value{
				"organization_id": tftypes.NewValue(tftypes.String, organization), "id": tftypes.NewValue(tftypes.Number, id),
			}),
		}
	}
	importSchema := ResourceSchema()
	resp := resource.ImportStateResponse{
		Identity: given(),
		State:    tfsdk.State{Schema: importSchema, Raw: tftypes.NewValue(importSchema.Type().TerraformType(t.Context()), nil)},
	}
	r.ImportState(t.Context(), resource.ImportStateRequest{ID: importID, Identity: given()}, &resp)
	return resp
}

// seeds are responses about import apps, including the oddest ones that an old database may contain.
var seeds = []string{
	`{}`, fullAnswer,
	`{"id":42,"plugin_type":"custom","name":"Orders","description":null,"url":"https://github.com/example/orders","icon":null,
	"config_schema":[{"key":"shop","name":"Shop","type":"string","default":"","required":true,"secret":false}],"tag":"4f2a91c","latest_tag":null,
	"is_global":false,"organization_id":"018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d","organization_name":"Shop",
	"capabilities":{"jobs":["backfill"],"methods":[],"scheduled_tasks":["runEveryMinute"]},"metrics":{"orders":"sum"},
	"public_jobs":{"backfill":{"payload":{"since":{"type":"date"}}}},"hog_function_migration_available":false}`,
	`{"id":1,"plugin_type":"wasm","name":"","config_schema":{"shop":{"order":1.50}},"capabilities":{},"metrics":null,"public_jobs":"none",
	"is_global":true,"url":"https://example.com/a?token=1","hog_function_migration_available":{"since":9007199254740993},"brand_new":[null]}`,
}

// FuzzApp decodes any document as an app. Decoding never panics, every decodable app can be written again without loss,
// and decoding the same response again changes nothing.
func FuzzApp(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		var wire api.PipelineImportApp
		if json.Unmarshal(answer, &wire) != nil {
			return
		}
		once := FromAPI(wire, Fields{}, &attribute.Response{})
		if err := lossless(answer, ToAPI(once, Fields{})); err != nil {
			t.Fatal(err)
		}
		again := &attribute.Response{}
		if twice := FromAPI(wire, once, again); twice != once || len(again.Missing)+len(again.Changed)+len(again.Remembered) > 0 {
			t.Fatalf("the same response is read as\n%v\nand then as\n%v\n%+v", once, twice, again)
		}
		FromAPI(wire, once, &attribute.Response{IsWrite: true})
	})
}

// lossless returns the parts of a response that the create request lacks. A key that is missing from the request is
// null, or false for is_global.
func lossless(answer []byte, request api.PipelineImportAppRequest) error {
	raw, err := json.Marshal(request)
	answered, sent := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if err := errors.Join(err, json.Unmarshal(answer, &answered), json.Unmarshal(raw, &sent)); err != nil {
		return err
	}

	var lost []error
	for _, name := range api.Fields("PipelineImportAppRequest") {
		var address string
		if name == "url" && json.Unmarshal(answered[name], &address) == nil && holdsToken(address) {
			continue // never read, so plans do not show it
		}

		isSilent := attribute.IsJSONNull(sent[name])
		if isSilent && (attribute.IsJSONNull(answered[name]) || name == "is_global" && string(answered[name]) == "false") {
			continue
		}

		if isSilent || !attribute.SameJSON(string(answered[name]), string(sent[name])) {
			lost = append(lost, fmt.Errorf("%s was %s and becomes %s", name, answered[name], sent[name]))
		}
	}

	return errors.Join(lost...)
}
