package provider_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/testca"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const (
	otherOrganization = "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6cee"
	guardedSurvey     = "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d"
)

// guarded starts a server with a survey in project 2 and an app in another organization. It returns an Env whose
// provider is restricted to project 1 and its own organization.
func guarded(t *testing.T) *acctest.Env {
	t.Helper()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(`{
		"organizations": [{"id": "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6cdd"}, {"id": "`+otherOrganization+`"}],
		"projects": [{"id": 1, "organization_id": "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6cdd"}, {"id": 2, "organization_id": "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6cdd"}],
		"users": [{"id": 1, "email": "a@example.com", "organization_ids": ["018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6cdd", "`+otherOrganization+`"]}],
		"surveys": [{"project_id": "2", "id": "`+guardedSurvey+`", "name": "Theirs", "type": "popover"}],
		"pipeline_import_apps": [{"organization_id": "`+otherOrganization+`", "id": 9, "name": "Theirs"}]
	}`))
	env.Environment["POSTHOG_ALLOWED_PROJECT_IDS"] = "1"
	env.Environment["POSTHOG_ALLOWED_ORGANIZATION_IDS"] = env.OrganizationID
	return env
}

// refusedAbout asserts that the guard refused the call, and that nothing was sent.
func refusedAbout(t *testing.T, env *acctest.Env, diags acctest.Diagnostics, about string) {
	t.Helper()
	require.True(t, diags.HasError(), about)
	assert.Contains(t, diags.Text(), " is not in allowed_", about)
	assert.Empty(t, env.Journal(), about)
}

// argumentsOf returns arguments that refer to another project or organization, or nil if the block has no such
// arguments.
func argumentsOf(block *tfprotov6.SchemaBlock) map[string]any {
	arguments := map[string]any{}
	about := false
	for _, attribute := range block.Attributes {
		isID := attribute.Name == "id" && attribute.Optional
		switch {
		case attribute.Name == "project_id" && (attribute.Optional || attribute.Required):
			arguments["project_id"], about = "2", true
		case attribute.Name == "organization_id" && (attribute.Optional || attribute.Required):
			arguments["organization_id"], about = otherOrganization, true
		case (attribute.Required || isID) && attribute.ValueType().Is(tftypes.String):
			arguments[attribute.Name] = guardedSurvey
		case (attribute.Required || isID) && attribute.ValueType().Is(tftypes.Number):
			arguments[attribute.Name] = 9
		case attribute.Required && attribute.ValueType().Is(tftypes.Map{}):
			arguments[attribute.Name] = map[string]any{"plugin.json": "{}"}
		}
	}
	if !about {
		return nil
	}
	return arguments
}

// No data source, list resource, or action sends a request about a project or an organization that is not allowed.
func TestGuardHoldsForEveryBlock(t *testing.T) {
	t.Parallel()
	env := guarded(t)
	server, err := env.Factories()["posthog"]()
	require.NoError(t, err)
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)

	tried := 0
	for name, schema := range schemas.DataSourceSchemas {
		arguments := argumentsOf(schema.Block)
		if name == "posthog_project" {
			arguments = map[string]any{"id": 2}
		}
		if arguments != nil {
			_, diags := env.ReadDataSource(t, name, arguments)
			refusedAbout(t, env, diags, "data source "+name)
			tried++
		}
	}
	for name, schema := range schemas.ListResourceSchemas {
		_, diags := env.List(t, name, argumentsOf(schema.Block), false, 10)
		refusedAbout(t, env, diags, "list resource "+name)
		tried++
	}
	for name, schema := range schemas.ActionSchemas {
		_, diags := env.Invoke(t, name, argumentsOf(schema.Schema.Block))
		refusedAbout(t, env, diags, "action "+name)
		tried++
	}
	assert.GreaterOrEqual(t, tried, 22)
}

// A resource with a project_id or organization_id that is not allowed is an error in the plan, on that argument. An
// import fails before it sends a request.
func TestGuardHoldsForResources(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config   map[string]any
		at, byID string
	}{
		"posthog_survey":              {map[string]any{"name": "NPS", "type": "api", "project_id": "2"}, `AttributeName("project_id")`, "2/" + guardedSurvey},
		"posthog_pipeline_import_app": {map[string]any{"plugin_type": "source", "name": "App", "organization_id": otherOrganization}, `AttributeName("organization_id")`, otherOrganization + "/9"},
	} {
		env := guarded(t)
		resource := env.Resource(t, name)
		diags := resource.Plan(c.config).Diagnostics
		refusedAbout(t, env, diags, name)
		assert.Equal(t, c.at, diags.Errors()[0].Attribute.String())
		refusedAbout(t, env, resource.Import(c.byID), name)
	}
}

// An object in a project that is not allowed stays in the state, whatever Terraform attempts.
func TestGuardHoldsForTheState(t *testing.T) {
	t.Parallel()
	env := guarded(t)
	environment := maps.Clone(env.Environment)
	delete(env.Environment, "POSTHOG_ALLOWED_PROJECT_IDS")
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Import("2/"+guardedSurvey).Text())
	before := len(env.Journal())

	env.Environment = environment
	env.NextRun(t, survey)
	config := map[string]any{"name": "Ours", "type": "popover", "project_id": "2"}
	for step, diags := range map[string]acctest.Diagnostics{
		"refresh": survey.Refresh(), "update": survey.Apply(config), "plan of destroy": survey.PlanDestroy().Diagnostics, "destroy": survey.Destroy(),
	} {
		assert.Contains(t, diags.Text(), "project 2 is not in allowed_project_ids (POSTHOG_ALLOWED_PROJECT_IDS), which contains 1", step)
	}
	assert.Len(t, env.Journal(), before)
}

// If the provider's own project or organization is not allowed, configuring the provider returns one error.
func TestGuardOfTheDefaults(t *testing.T) {
	t.Parallel()
	env := guarded(t)
	for argument, value := range map[string]string{"project_id": "2", "organization_id": otherOrganization} {
		diags := env.Configure(t, map[string]any{argument: value}, nil)
		require.Len(t, diags, 1, diags.Text())
		assert.Equal(t, `AttributeName("`+argument+`")`, diags[0].Attribute.String())
	}
	assert.Contains(t, env.Configure(t, map[string]any{"project_id": "@current"}, nil).Text(), "@current stands for the current project of the API key's user")
	assert.Empty(t, env.Configure(t, map[string]any{"project_id": "2", "allowed_project_ids": []any{"1", "2"}}, nil), "arguments of the provider block must take precedence over environment variables")
}

// PostHog's project IDs are numbers. Any other text would cause an error for each object.
func TestProjectIsANumber(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	for _, id := range []string{"1 ", "acme", "-1", "1.0"} {
		diags := env.Configure(t, map[string]any{"project_id": id}, nil)
		assert.Contains(t, diags.Text(), fmt.Sprintf("project_id (POSTHOG_PROJECT_ID) is %q. Use the number of the project", id))
		require.Len(t, diags, 1)
		assert.Equal(t, `AttributeName("project_id")`, diags[0].Attribute.String())
	}
	assert.Empty(t, env.Configure(t, map[string]any{"project_id": "12345"}, nil).Errors())
}

// IDs that are known only after apply are accepted. Until they are known, they do not allow any request.
func TestGuardUnknown(t *testing.T) {
	t.Parallel()
	env := guarded(t)
	for _, unknown := range []any{tftypes.UnknownValue, []any{"1", tftypes.UnknownValue}} {
		diags := env.Configure(t, map[string]any{"project_id": "2", "allowed_project_ids": unknown}, nil)
		require.Len(t, diags, 1, diags.Text())
		assert.Equal(t, tfprotov6.DiagnosticSeverityWarning, diags[0].Severity)
		assert.Equal(t, "The provider is not configured yet", diags[0].Summary)
	}
}

// During the apply, Terraform rejects a project that was unknown in the plan, and an aliased provider's survey. It
// creates neither.
func TestAccGuard(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := guarded(t)
	config, err := os.ReadFile("testdata/guarded.tf")
	require.NoError(t, err)
	s := newShell(t, env, env.URL, built(t))
	s.env = append(s.env, "POSTHOG_ALLOWED_PROJECT_IDS=1")
	s.write("main.tf", string(config))

	output, ok := s.run(env.APIKey, "apply", "-auto-approve")
	assert.False(t, ok, output)
	assert.Contains(t, unwrapped(output), "project 2 is not in allowed_project_ids (POSTHOG_ALLOWED_PROJECT_IDS), which contains 1")

	output, ok = s.run(env.APIKey, "plan", "-var=alias=true")
	assert.False(t, ok, output)
	assert.Contains(t, unwrapped(output), "project 1 is not in allowed_project_ids (POSTHOG_ALLOWED_PROJECT_IDS), which contains 2")
	assert.Empty(t, env.Journal())
}

// An empty set of allowed IDs is an error.
func TestAccGuardOfNothing(t *testing.T) {
	t.Parallel()
	env := guarded(t)
	cli := env.CLI(t)
	for _, ids := range []string{"[]", `[""]`, "[null]"} {
		cli.Write("main.tf", `
			terraform {
			  required_providers {
			    posthog = { source = "surveys-as-code/posthog" }
			  }
			}
			provider "posthog" {
			  allowed_project_ids = `+ids+`
			}
			data "posthog_surveys" "all" {}`)
		output, code := cli.Exit("plan")
		assert.Equal(t, 1, code, output)
		assert.Contains(t, output, "Invalid allowed_project_ids", ids)
	}
	assert.Empty(t, env.Journal())
}

// max_retries limits the requests of an operation, and the error mentions it.
func TestMaxRetriesFromEnvironment(t *testing.T) {
	t.Parallel()
	for variable, requests := range map[string]int{"0": 1, "3": 4} {
		env := acctest.Start(t)
		env.SetFaults(testserver.Fault{Operation: "surveys_list", Status: 503})
		env.Environment["POSTHOG_MAX_RETRIES"] = variable
		_, diags := env.ReadDataSource(t, "posthog_surveys", map[string]any{})
		assert.Contains(t, diags.Text(), "max_retries, POSTHOG_MAX_RETRIES,")
		assert.Equal(t, requests, env.Operations()["surveys_list"])
	}
}

// The provider block takes precedence over the environment. An invalid value is an error on the argument.
func TestInvalidMaxRetries(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	diags := env.Configure(t, nil, map[string]string{"POSTHOG_MAX_RETRIES": "phx_misplaced"})
	require.Len(t, diags, 1, diags.Text())
	assert.Equal(t, "Invalid max_retries", diags[0].Summary)
	assert.Contains(t, diags[0].Detail, "max_retries (POSTHOG_MAX_RETRIES) must be a whole number")
	assert.NotContains(t, diags.Text(), "phx_misplaced")
	assert.Empty(t, env.Configure(t, map[string]any{"max_retries": 0}, map[string]string{"POSTHOG_MAX_RETRIES": "many"}))
}

// TLS settings are read from the environment, as PEM text or as a path.
func TestTLSFromEnvironment(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	ca := testca.New(t)
	cert, key := ca.Pair(t)
	keyFile := filepath.Join(t.TempDir(), "key.pem")
	require.NoError(t, os.WriteFile(keyFile, []byte(key), 0o600))
	env.Environment["POSTHOG_BASE_URL"] = ca.Serve(t, env.Server, true).URL
	env.Environment["POSTHOG_CA_CERT"], env.Environment["POSTHOG_CLIENT_CERT"], env.Environment["POSTHOG_CLIENT_KEY"] = ca.PEM, cert, keyFile

	_, diags := env.ReadDataSource(t, "posthog_surveys", map[string]any{})
	require.Empty(t, diags.Text())
	assert.Equal(t, 1, env.Operations()["surveys_list"])

	delete(env.Environment, "POSTHOG_CLIENT_CERT")
	delete(env.Environment, "POSTHOG_CLIENT_KEY")
	_, diags = env.ReadDataSource(t, "posthog_surveys", map[string]any{})
	assert.Contains(t, diags.Text(), "check client_cert (POSTHOG_CLIENT_CERT) and client_key (POSTHOG_CLIENT_KEY)")
	assert.Equal(t, 1, env.Operations()["surveys_list"])
}

// Invalid TLS settings cause errors on the argument, which do not contain the key.
func TestInvalidTLS(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	cert, _ := testca.New(t).Pair(t)
	const damaged = "MIGHAgEAMBMGByqGSM49\nAgEGCCqGSM49AwEHBG0wawIBAQQg"

	for argument, c := range map[string]struct {
		block       map[string]any
		environment map[string]string
		want        string
	}{
		"ca_cert":     {map[string]any{"ca_cert": "/nowhere/ca.pem"}, nil, "ca_cert (POSTHOG_CA_CERT) is the path of a file that cannot be read: no such file or directory."},
		"client_key":  {map[string]any{"client_cert": cert, "client_key": damaged}, nil, "client_key (POSTHOG_CLIENT_KEY) is neither PEM text"},
		"client_cert": {map[string]any{"client_key": cert}, nil, "client_cert (POSTHOG_CLIENT_CERT) is not set, but client_key is"},
		"insecure_skip_verify": {nil, map[string]string{"POSTHOG_INSECURE_SKIP_VERIFY": "phx_misplaced"},
			"insecure_skip_verify (POSTHOG_INSECURE_SKIP_VERIFY) must be true or false."},
	} {
		diags := env.Configure(t, c.block, c.environment)
		require.Len(t, diags, 1, diags.Text())
		assert.Equal(t, "Invalid "+argument, diags[0].Summary)
		assert.Contains(t, diags[0].Detail, c.want)
		assert.Equal(t, `AttributeName("`+argument+`")`, diags[0].Attribute.String())

		for _, secret := range []string{damaged[:20], "phx_misplaced"} {
			assert.NotContains(t, diags.Text(), secret)
		}
	}
}

// Terraform creates, plans, and destroys a survey on a service that requires client certificates. With a wrong
// authority, the error names the argument.
func TestAccPrivateService(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t)
	ca := testca.New(t)
	cert, key := ca.Pair(t)
	config, err := os.ReadFile("testdata/private_service.tf")
	require.NoError(t, err)
	s := newShell(t, env, ca.Serve(t, env.Server, true).URL, built(t))
	for name, text := range map[string]string{"main.tf": string(config), "ca.pem": ca.PEM, "client.pem": cert, "client.key": key} {
		s.write(name, text)
	}

	output, ok := s.run(env.APIKey, "apply", "-auto-approve")
	require.True(t, ok, output)
	output, ok = s.run(env.APIKey, "plan", "-detailed-exitcode")
	require.True(t, ok, output)
	require.Len(t, env.Surveys(t), 1)

	s.write("ca.pem", testca.New(t).PEM)
	output, ok = s.run(env.APIKey, "plan")
	assert.False(t, ok)
	assert.Contains(t, unwrapped(output), "set ca_cert (POSTHOG_CA_CERT) to the certificate of the authority")

	s.write("ca.pem", ca.PEM)
	output, ok = s.run(env.APIKey, "destroy", "-auto-approve")
	require.True(t, ok, output)
	assert.Empty(t, env.Surveys(t))
}

// unwrapped joins the lines that a CLI printed.
func unwrapped(output string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╷", " ", "╵", " ").Replace(output)), " ")
}

// An API key in any other setting is an error that does not repeat it.
func TestMisplacedKeyIsNotRepeated(t *testing.T) {
	t.Parallel()
	const key = "phx_misplacedKey0815"
	for variable, value := range map[string]string{
		"POSTHOG_BASE_URL": "http://user:" + key + "@svc.invalid", "POSTHOG_PROJECT_ID": key, "POSTHOG_ORGANIZATION_ID": key,
		"POSTHOG_REQUEST_TIMEOUT": key, "POSTHOG_REQUESTS_PER_MINUTE": key, "POSTHOG_READ_MODE": key, "POSTHOG_HEADERS": key,
	} {
		t.Run(variable, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			env.Environment["POSTHOG_API_KEY"], env.Environment[variable] = key, value
			server, err := env.Factories()["posthog"]()
			require.NoError(t, err)
			schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
			require.NoError(t, err)
			typ, ok := schemas.Provider.ValueType().(tftypes.Object)
			require.True(t, ok)
			values := map[string]tftypes.Value{}
			for name, attribute := range typ.AttributeTypes {
				values[name] = tftypes.NewValue(attribute, nil)
			}
			config, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, values))
			require.NoError(t, err)

			configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: &config})
			require.NoError(t, err)
			diagnostics := acctest.Diagnostics(configured.Diagnostics)
			assert.True(t, diagnostics.HasError())
			assert.NotContains(t, diagnostics.Text(), key)
		})
	}
}

// An unknown read mode is refused, regardless of where it is set.
func TestBadReadMode(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t)
	env.Environment["POSTHOG_READ_MODE"] = "bulk"
	server, err := env.Factories()["posthog"]()
	require.NoError(t, err)

	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	typ, ok := schemas.Provider.ValueType().(tftypes.Object)
	require.True(t, ok)

	config := func(mode any) *tfprotov6.DynamicValue {
		values := map[string]tftypes.Value{}
		for name, one := range typ.AttributeTypes {
			values[name] = tftypes.NewValue(one, nil)
		}

		values["read_mode"] = tftypes.NewValue(tftypes.String, mode)
		value, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, values))
		require.NoError(t, err)
		return &value
	}

	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: config(nil)})
	require.NoError(t, err)
	assert.Contains(t, acctest.Diagnostics(configured.Diagnostics).Text(), `read_mode (POSTHOG_READ_MODE) is "bulk". Use "auto" or "single".`)

	validated, err := server.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: config("bulk")})
	require.NoError(t, err)
	assert.True(t, acctest.Diagnostics(validated.Diagnostics).HasError())
}

// Every request contains the provider and the CLI with their versions, and the text of TF_APPEND_USER_AGENT.
func TestUserAgent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ version, added, want string }{
		"plain":       {"1.11.4", "", "terraform-provider-posthog/test Terraform/1.11.4"},
		"with more":   {"1.11.4", " ci/7 (nightly)\n", "terraform-provider-posthog/test Terraform/1.11.4 ci/7 (nightly)"},
		"blank":       {"1.12.0", " ", "terraform-provider-posthog/test Terraform/1.12.0"},
		"no versions": {"", "ci/7", "terraform-provider-posthog/test ci/7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			agents := map[string]bool{}
			proxy := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				agents[r.Header.Get("User-Agent")] = true
				env.Server.ServeHTTP(rw, r)
			}))
			t.Cleanup(proxy.Close)
			env.Environment["POSTHOG_BASE_URL"], env.Environment["TF_APPEND_USER_AGENT"] = proxy.URL, c.added

			readSurveys(t, env, c.version)
			assert.Equal(t, map[string]bool{c.want: true}, agents)
		})
	}
}

// If TF_APPEND_USER_AGENT cannot be sent in a header, the error names the variable, and no request is sent.
func TestUnsendableUserAgent(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	for _, added := range []string{"ci\r\nX-Injected: 1", "Prüfung/1"} {
		diags := env.Configure(t, map[string]any{}, map[string]string{"TF_APPEND_USER_AGENT": added})
		require.Len(t, diags, 1, diags.Text())
		assert.Equal(t, "Invalid TF_APPEND_USER_AGENT", diags[0].Summary)
	}
	assert.Empty(t, env.Journal())
}

// readSurveys reads the data source posthog_surveys as a CLI of the given version does.
func readSurveys(t *testing.T, env *acctest.Env, cliVersion string) {
	t.Helper()
	server, err := env.Factories()["posthog"]()
	require.NoError(t, err)
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)

	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: cliVersion, Config: nothingSet(t, schemas.Provider),
	})
	require.NoError(t, err)
	require.Empty(t, acctest.Diagnostics(configured.Diagnostics).Text())

	read, err := server.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: "posthog_surveys", Config: nothingSet(t, schemas.DataSourceSchemas["posthog_surveys"]),
	})
	require.NoError(t, err)
	require.Empty(t, acctest.Diagnostics(read.Diagnostics).Text())
}

// nothingSet returns a configuration without arguments.
func nothingSet(t *testing.T, schema *tfprotov6.Schema) *tfprotov6.DynamicValue {
	t.Helper()
	typ, ok := schema.ValueType().(tftypes.Object)
	require.True(t, ok)
	attributes := map[string]tftypes.Value{}
	for name, attribute := range typ.AttributeTypes {
		attributes[name] = tftypes.NewValue(attribute, nil)
	}

	value, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, attributes))
	require.NoError(t, err)
	return &value
}

const keys = `{"api_keys":[
	{"key":"phx_read","user_id":1,"scopes":["survey:read","plugin:read"]},
	{"key":"phx_test","user_id":1,"scopes":["*"]},
	{"key":"phx_none","user_id":1,"scopes":[]}]}`

// A create that fails for any reason causes one error, with the object and the remedy. Nothing is created.
func TestBadSurroundings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		environment map[string]string
		faults      []testserver.Fault
		config      map[string]any
		want        []string
	}{
		"wrong key": {
			environment: map[string]string{"POSTHOG_API_KEY": "phx_wrong"},
			want:        []string{`The create would fail: survey "S"`, "is invalid", "401", "POSTHOG_API_KEY"},
		},
		"missing scope": {
			environment: map[string]string{"POSTHOG_API_KEY": "phx_read"},
			want:        []string{`Could not create survey "S"`, "survey:write", "an API key that has the scope"},
		},
		"unknown project": {
			environment: map[string]string{"POSTHOG_PROJECT_ID": "77"},
			want:        []string{"in project 77", "Project not found", "Check the ID of the project"},
		},
		"unreachable": {
			environment: map[string]string{"POSTHOG_BASE_URL": "http://127.0.0.1:1"},
			want:        []string{"127.0.0.1:1", "base_url"},
		},
		"a page": {
			faults: []testserver.Fault{{Method: http.MethodPost, HTML: true}},
			want:   []string{"HTML", "base_url"},
		},
		"a service that fails": {
			faults: []testserver.Fault{{Method: http.MethodPost, Status: http.StatusInternalServerError}},
			want:   []string{"500", "Run the same command again"},
		},
		"a name that is too long": {
			config: map[string]any{"name": strings.Repeat("n", 401), "type": "popover"},
			want:   []string{"name", "400"},
		},
		"an unknown type": {
			config: map[string]any{"name": "S", "type": "popup"},
			want:   []string{"Unknown type", "popover, widget, external_survey, api"},
		},
		"a bad date": {
			config: map[string]any{"name": "S", "type": "popover", "start_date": "tomorrow"},
			want:   []string{"start_date", "tomorrow", "RFC 3339"},
		},
		"no JSON": {
			config: map[string]any{"name": "S", "type": "popover", "conditions": "{"},
			want:   []string{"conditions", "JSON"},
		},
		"no JSON object": {
			config: map[string]any{"name": "S", "type": "popover", "conditions": "[]"},
			want:   []string{"conditions", "object"},
		},
		"dates against the status": {
			config: map[string]any{"name": "S", "type": "popover", "start_date": "2026-01-01T00:00:00Z", "status": "draft"},
			want:   []string{"status", "contradict"},
		},
		"both ways of targeting": {
			config: map[string]any{"name": "S", "type": "popover", "targeting_flag_id": 1, "targeting_flag_filters": "{}"},
			want:   []string{"targeting_flag_id", "targeting_flag_filters"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Fixtures(keys))
			env.Environment["POSTHOG_API_KEY"] = testserver.DefaultAPIKey
			maps.Copy(env.Environment, c.environment)
			env.SetFaults(c.faults...)

			config := c.config
			if config == nil {
				config = map[string]any{"name": "S", "type": "popover"}
			}
			survey := env.Resource(t, "posthog_survey")
			diags := survey.Apply(config)

			require.True(t, diags.HasError(), "the provider must report an error")
			assert.Len(t, diags.Errors(), 1, diags.Text())
			for _, want := range c.want {
				assert.Contains(t, diags.Text(), want)
			}
			assert.NotContains(t, diags.Text(), "phx_", "the error contains the API key")
			assert.Empty(t, env.Surveys(t))
		})
	}
}

func TestBadImportID(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	for _, id := range []string{"", "nope", "1/", "/018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d", "a/b/c", "1/2/018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d", "{018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d}"} {
		diags := env.Resource(t, "posthog_survey").Import(id)
		require.True(t, diags.HasError(), id)
		assert.Contains(t, diags.Text(), "PROJECT/ID or ID", id)
	}
	diags := env.Resource(t, "posthog_survey").Import("1/018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d")
	require.Len(t, diags.Errors(), 1)
	assert.Contains(t, diags.Text(), "Could not import survey 018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d")
}
