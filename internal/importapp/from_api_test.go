package importapp

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// fullAnswer is a response that has every key.
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

// A key that the response lacks keeps its value, which is reported only where it was
// configured; one that was never known is null.
func TestFromAPIKeepsWhatIsNotTold(t *testing.T) {
	t.Parallel()
	prior, _ := fromAPI(t, fullAnswer, Fields{})
	m, missing := fromAPI(t, `{"id":5}`, prior)
	assert.Equal(t, prior, m)
	assert.Equal(t, []string{
		"plugin_type", "name", "description", "url", "icon", "config_schema", "tag", "is_global", "capabilities", "metrics",
	}, missing)

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
	assert.Equal(t, jsontypes.NewNormalizedValue(`{"n":9007199254740993}`), m.Metrics, "another value is no other spelling")
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

func TestIsImported(t *testing.T) {
	t.Parallel()
	bare := Fields{ID: types.Int64Value(5), OrganizationID: types.StringValue("here")}
	assert.True(t, bare.isImported())
	bare.ConfigSchema = jsontypes.NewNormalizedValue("{}")
	assert.False(t, bare.isImported())
}

// In the response to a write, planned values stay: what the service made of them is
// remembered for the reads that follow, as long as it stays what it is.
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
