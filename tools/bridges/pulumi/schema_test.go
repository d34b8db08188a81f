package pulumi_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	pfbridge "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/pf/tfbridge"
	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/pf/tfgen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag/colors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// version is the version of the provider under test.
const version = "0.1.0"

// Tokens of Pulumi's package, where tests look closer.
const (
	surveyToken = "posthog:index/survey:Survey"
	appToken    = "posthog:index/pipelineImportApp:PipelineImportApp"
)

// generate runs Pulumi's generator on the provider as a library. The generator reports
// what it cannot translate as warnings, which fail the test.
func generate(t *testing.T) pfbridge.ProviderMetadata {
	t.Helper()
	var stdout, stderr bytes.Buffer
	generated, err := tfgen.GenerateSchema(t.Context(), tfgen.GenerateSchemaOptions{
		ProviderInfo:    describedProvider(version),
		DiagnosticsSink: diag.DefaultSink(&stdout, &stderr, diag.FormatOptions{Color: colors.Never}),
		XInMemoryDocs:   true,
	})
	require.NoError(t, err, "%s", &stderr)
	require.Empty(t, stderr.String())
	return generated.ProviderMetadata
}

// TestGenerates generates the schema of the Pulumi provider from the provider as a library.
func TestGenerates(t *testing.T) {
	t.Parallel()
	spec := packageSpec(t, generate(t).PackageSchema)

	requireWhole(t, spec)
	assert.Equal(t, []string{"name", "type"}, spec.Resources[surveyToken].RequiredInputs)
}

// packageSpec parses a schema and lets Pulumi check it as it does for generators of SDKs.
func packageSpec(t *testing.T, document []byte) schema.PackageSpec {
	t.Helper()
	var spec schema.PackageSpec
	require.NoError(t, json.Unmarshal(document, &spec))
	_, err := schema.ImportSpec(spec, nil, schema.ValidationOptions{})
	require.NoError(t, err)
	return spec
}

// requireWhole checks that a package has everything of the provider that a bridge can
// translate: each resource with each attribute, each data source, and types of the
// attributes that are typed in Terraform.
func requireWhole(t *testing.T, spec schema.PackageSpec) {
	t.Helper()
	require.Equal(t, "posthog", spec.Name)
	provider := providerSchema(t)

	require.Len(t, spec.Resources, len(provider.Resources))
	for _, token := range []string{surveyToken, appToken} {
		require.Contains(t, spec.Resources, token)
	}
	assertAttributes(t, provider.Resources["posthog_survey"], spec.Resources[surveyToken])
	assertAttributes(t, provider.Resources["posthog_pipeline_import_app"], spec.Resources[appToken])

	// The bridge adds a function, which returns the provider's configuration.
	delete(spec.Functions, "pulumi:providers:posthog/terraformConfig")
	assert.Len(t, spec.Functions, len(provider.DataSources))
	for _, token := range []string{"posthog:index/getSurveys:getSurveys", "posthog:index/getSurveyResponsesCount:getSurveyResponsesCount"} {
		assert.Contains(t, spec.Functions, token)
	}

	questions := spec.Resources[surveyToken].InputProperties["questions"]
	require.NotNil(t, questions.Items)
	require.Equal(t, "#/types/posthog:index/SurveyQuestion:SurveyQuestion", questions.Items.Ref)
	question := spec.Types["posthog:index/SurveyQuestion:SurveyQuestion"]
	branching := spec.Types["posthog:index/SurveyQuestionBranching:SurveyQuestionBranching"]
	assert.Equal(t, "boolean", question.Properties["optional"].Type)
	assert.Equal(t, "object", branching.Properties["responseValues"].Type)
	assert.Equal(t, "string", branching.Properties["responseValues"].AdditionalProperties.Type)

	assert.True(t, spec.Resources[appToken].InputProperties["urlQuery"].Secret)
	assert.True(t, spec.Config.Variables["apiKey"].Secret)
}

// assertAttributes checks that a resource of the package has a property for each attribute except the
// ID, which every resource has. A numeric ID is a separate property in the dynamic bridge.
func assertAttributes(t *testing.T, in resourceSchema, out schema.ResourceSpec) {
	t.Helper()
	inputs := 0
	for name, attribute := range in.Block.Attributes {
		if name != "id" && (attribute.Optional || attribute.Required) {
			inputs++
		}
	}
	assert.Len(t, out.InputProperties, inputs)
	delete(out.Properties, "pipelineImportAppId")
	assert.Len(t, out.Properties, len(in.Block.Attributes)-1)
}

// resourceSchema is what schemas/provider.json says of a resource, as far as tests need it.
type resourceSchema struct {
	Block struct {
		Attributes map[string]struct{ Optional, Required bool }
	}
}

// schemas are the resources and data sources of the provider.
type schemas struct {
	Resources   map[string]resourceSchema  `json:"resource_schemas"`
	DataSources map[string]json.RawMessage `json:"data_source_schemas"`
}

// providerSchema reads the committed schema of the provider.
func providerSchema(t *testing.T) schemas {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash("../../../schemas/provider.json"))
	require.NoError(t, err)
	var document struct {
		Providers map[string]schemas `json:"provider_schemas"`
	}
	require.NoError(t, json.Unmarshal(text, &document))
	require.Len(t, document.Providers, 1)

	for _, provider := range document.Providers {
		return provider
	}
	return schemas{}
}
