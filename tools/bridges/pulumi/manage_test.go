package pulumi_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"

	pfbridge "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/pf/tfbridge"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// TestManages manages a survey and an app with the provider as a library.
func TestManages(t *testing.T) {
	t.Parallel()
	var warnings log
	server, err := pfbridge.NewProviderServer(t.Context(), &warnings, describedProvider(version), generate(t))
	require.NoError(t, err)

	provider, service := serve(t, server), testserver.Start(t)
	configure(t, provider, service)
	manageSurvey(t, provider, service)
	assert.Contains(t, warnings.String(), "This plan launches the survey")
	manageApp(t, provider, service, "id")
}

// serve serves a provider on a free port until the test ends.
func serve(t *testing.T, provider pulumirpc.ResourceProviderServer) plugin.Provider {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := grpc.NewServer()
	pulumirpc.RegisterResourceProviderServer(server, provider)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return connect(t, listener.Addr().String())
}

// connect is the client of Pulumi's engine for a provider at an address.
func connect(t *testing.T, address string) plugin.Provider {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return plugin.NewProviderWithClient(nil, "posthog", pulumirpc.NewResourceProviderClient(conn), false)
}

// manageSurvey does what Pulumi's engine does over the life of a survey: up, a second up
// that changes nothing, an edit, refresh, import and destroy.
func manageSurvey(t *testing.T, provider plugin.Provider, service *testserver.Instance) {
	t.Helper()
	survey := object{provider: provider, urn: urn(surveyToken), inputs: programSurvey(t)}
	survey.create(t)
	assert.Equal(t, plugin.DiffNone, survey.diff(t, survey.inputs).Changes)
	first := questionID(t, survey.state)
	require.NotEmpty(t, first)

	edited := with(survey.inputs, "name", "NPS")
	assert.Equal(t, plugin.DiffSome, survey.diff(t, edited).Changes)
	survey.update(t, edited)
	assert.Equal(t, "NPS", service.Survey(string(survey.id))["name"])
	assert.Equal(t, first, questionID(t, survey.state), "the question must keep its ID")

	assert.Equal(t, []resource.PropertyKey{"projectId"}, survey.diff(t, with(survey.inputs, "projectId", "2")).ReplaceKeys)
	assert.Contains(t, survey.refused(t, with(survey.inputs, "endDate", "tomorrow")), "is not a date and time")
	assert.Equal(t, plugin.DiffSome, survey.diff(t, with(survey.inputs, "status", "running")).Changes)

	survey.refresh(t)
	survey.imports(t, survey.id)
	survey.imports(t, resource.ID(service.ProjectID)+"/"+survey.id)
	assert.Len(t, surveys(t, provider), 1)
	survey.destroy(t)
	assert.Equal(t, true, service.Survey(string(survey.id))["archived"], "the survey must be archived, because deletionPolicy is archive")
}

// manageApp does the same with an app, whose number is in a property.
func manageApp(t *testing.T, provider plugin.Provider, service *testserver.Instance, property resource.PropertyKey) {
	t.Helper()
	app := object{provider: provider, urn: urn(appToken), inputs: resource.NewPropertyMapFromMap(map[string]any{
		"name": "CSV import", "pluginType": "source",
	})}
	app.create(t)
	assert.Equal(t, plugin.DiffNone, app.diff(t, app.inputs).Changes)
	number := fmt.Sprint(app.state[property].V)
	assert.Regexp(t, `^\d+$`, number)

	app.refresh(t)
	app.imports(t, resource.ID(number))
	app.destroy(t)
	assert.Empty(t, service.Apps(service.OrganizationID))
}

// with are inputs with one text changed.
func with(inputs resource.PropertyMap, name resource.PropertyKey, text string) resource.PropertyMap {
	changed := inputs.Copy()
	changed[name] = resource.NewProperty(text)
	return changed
}

// questionID is the id of a survey's first question.
func questionID(t *testing.T, survey resource.PropertyMap) string {
	t.Helper()
	questions := survey["questions"].ArrayValue()
	require.Len(t, questions, 2)
	return questions[0].ObjectValue()["id"].StringValue()
}

// configure sets up the provider as the configuration of a stack does.
func configure(t *testing.T, provider plugin.Provider, service *testserver.Instance) {
	t.Helper()
	config := resource.PropertyMap{
		"baseUrl":        resource.NewProperty(service.URL),
		"apiKey":         resource.NewProperty(service.APIKey),
		"projectId":      resource.NewProperty(service.ProjectID),
		"organizationId": resource.NewProperty(service.OrganizationID),
	}
	checked, err := provider.CheckConfig(t.Context(), plugin.CheckConfigRequest{URN: urn("pulumi:providers:posthog"), News: config})
	require.NoError(t, err)
	require.Empty(t, checked.Failures)
	_, err = provider.Configure(t.Context(), plugin.ConfigureRequest{Inputs: checked.Properties})
	require.NoError(t, err)
}

// surveys are those that the function getSurveys finds.
func surveys(t *testing.T, provider plugin.Provider) []resource.PropertyValue {
	t.Helper()
	answer, err := provider.Invoke(t.Context(), plugin.InvokeRequest{Tok: "posthog:index/getSurveys:getSurveys"})
	require.NoError(t, err)
	require.Empty(t, answer.Failures)
	return answer.Properties["surveys"].ArrayValue()
}

// programSurvey is the survey of the program in the guide.
func programSurvey(t *testing.T) resource.PropertyMap {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "Pulumi.yaml"))
	require.NoError(t, err)
	var program struct {
		Resources map[string]struct {
			Type       string
			Properties map[string]any
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &program))
	nps := program.Resources["nps"]
	require.Equal(t, "posthog:Survey", nps.Type)
	return resource.NewPropertyMapFromMap(nps.Properties)
}

// urn is the name of a resource in a stack.
func urn(token string) resource.URN {
	return resource.NewURN("dev", "surveys", "", tokens.Type(token), "nps")
}
