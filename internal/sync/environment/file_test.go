package environment

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// schemaFile is the schema that editors use to check the file.
var schemaFile = filepath.Join("..", "..", "..", "schemas", "posthog-sync.schema.json")

// files contains examples of posthog-sync.yaml, with the expected error for each invalid file.
var files = []struct{ name, text, complaint string }{
	{"both", "default: a\nenvironments:\n  a: {base_url: https://x, project_id: \"1\", organization_id: o, api_key_variable: A_KEY}\n  b: {project_id: \"2\"}", ""},
	{"number", "environments: {a: {project_id: 12}}", ""},
	{"apps", "environments: {a: {organization_id: o}}", ""},
	{"unknown key", "default: a\nenvironment:\n  a: {project_id: \"1\"}", `line 2: the file has an unknown key "environment"; did you mean "environments"?`},
	{"unknown key of an environment", "environments:\n  a:\n    project_id: \"1\"\n    base_ulr: x", `line 4: environment "a" has an unknown key "base_ulr"; did you mean "base_url"?`},
	{"key", "environments:\n  a: {project_id: \"1\", api_key: phx_abc}", `line 2: environment "a" has "api_key": keys do not belong in this file; put the key into an environment variable and set api_key_variable to the name of the variable`},
	{"key as a variable", "environments:\n  a: {project_id: \"1\", api_key_variable: phx_abc}", `line 2: api_key_variable of environment "a" looks like an API key, which does not belong in this file; put the key into an environment variable, and set api_key_variable to the name of the variable`},
	{"key as an address", "environments:\n  a: {project_id: \"1\", base_url: \"https://phx_abc@host\"}", `line 2: base_url of environment "a" looks like an API key, which does not belong in this file; put the key into an environment variable, and set api_key_variable to the name of the variable`},
	{"no variable", "environments:\n  a: {project_id: \"1\", api_key_variable: \"a b\"}", `line 2: api_key_variable of environment "a" is not the name of an environment variable`},
	{"no parent", "environments:\n  a: {base_url: https://x}", `line 2: environment "a" has neither project_id (for surveys) nor organization_id (for import apps)`},
	{"no environments", "default: a", "line 1: the file does not define any environments"},
	{"list", "environments: [a]", "line 1: environments must be a mapping"},
	{"environment is a text", "environments:\n  a: b", `line 2: environment "a" must be a mapping`},
	{"null", "environments:\n  a: {project_id: null}", `line 2: project_id of environment "a" must be a string`},
	{"insecure", "environments:\n  a: {project_id: \"1\", base_url: \"http://posthog.internal\", insecure: true}", ""},
	{"plain http on this machine", "environments:\n  a: {project_id: \"1\", base_url: \"http://[::1]:8000\"}", ""},
	{"insecure as a text", "environments:\n  a: {project_id: \"1\", insecure: \"true\"}", `line 2: insecure of environment "a" must be true or false`},
	{"shared", "x-eu: &eu {base_url: https://eu.posthog.com, api_key_variable: EU_KEY}\nenvironments:\n  a: {<<: *eu, project_id: \"1\"}", ""},
	{"list as a value", "environments:\n  a: {organization_id: [o]}", `line 2: organization_id of environment "a" must be a string`},
}

func TestParseEnvironments(t *testing.T) {
	t.Parallel()
	for _, f := range files {
		_, err := Parse([]byte(f.text), func(string) string { return "" })
		if f.complaint == "" {
			assert.NoError(t, err, f.name)
		} else {
			assert.EqualError(t, err, f.complaint, f.name)
		}
	}
}

// A schema cannot express the rules that these errors are about.
func TestParseBeyondTheSchema(t *testing.T) {
	t.Parallel()
	for text, complaint := range map[string]string{
		"default: b\nenvironments: {a: {project_id: \"1\"}}":                `line 1: default is "b", but environments contains a; did you mean "a"?`,
		"environments:\n  a: {project_id: \"1\"}\n  a: {project_id: \"2\"}": `line 3: the key "a" is already in line 2. Use each key only once in a mapping`,
		"environments:\n  a: {project_id: \"1\", project_id: \"2\"}":        `line 2: the key "project_id" is already in line 2. Use each key only once in a mapping`,
		"environments:\n  a: {project_id: \"1\", base_url: \"http://posthog.internal\"}": `line 2: base_url of environment "a" uses plain HTTP, ` +
			"which sends the API key unencrypted. Use https, or add insecure: true",
		"x-a:\n  b: [phx_abc]\nenvironments: {a: {project_id: 1}}": "line 2: the value looks like an API key, which does not belong in this file; " +
			"put the key into an environment variable, and set api_key_variable to the name of the variable",
		"x-a: &a\n  project: 1\nenvironments:\n  a:\n    <<: *a": `line 2: environment "a" has an unknown key "project"; did you mean "project_id"?` + "\n" +
			`line 5: environment "a" has neither project_id (for surveys) nor organization_id (for import apps)`,
		"environments:\n  a: {<<: phx_abc, project_id: 1}": "line 2: << requires a mapping or a list of mappings, but this is a text",
		"default: [a]\nenvironments: {a: {project_id: 1}}": "line 1: default must be the name of an environment",
		"": "line 1: the file is empty. It must be a mapping with environments",
		"environments:\n  a\x00: {project_id: \"1\"}\nx: 1": "line 2: the line contains control characters: U+0000. Remove them\n" +
			`line 3: the file has an unknown key "x"; known are default, environments`,
		"environments: {a: {project_id: \"1\"}}\n---\na: b": "line 2: the file contains a second YAML document. Remove it, or move it to another file",
	} {
		_, err := Parse([]byte(text), func(string) string { return "" })
		assert.EqualError(t, err, complaint)
	}
}

// The schema accepts the same files as the parser.
func TestSchemaMatchesTheParser(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	require.NoError(t, err)
	for _, f := range files {
		var value any
		require.NoError(t, yaml.Unmarshal([]byte(f.text), &value))
		assert.Equal(t, f.complaint == "", schema.Validate(value) == nil, f.name)
	}
}

// The schema and the parser support the same keys.
func TestSchemaHasEveryKey(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	var schema struct {
		Properties  map[string]any
		Definitions struct {
			Environment struct{ Properties map[string]any }
		} `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(raw, &schema))

	for _, row := range []struct {
		known  []string
		schema map[string]any
	}{
		{documentKeys, schema.Properties},
		{entryKeys, schema.Definitions.Environment.Properties},
	} {
		for _, key := range row.known {
			assert.Contains(t, row.schema, key)
		}
		assert.Len(t, row.schema, len(row.known))
	}
}

func TestFindLooksInParents(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	deep := filepath.Join(dir, "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o750))
	path := filepath.Join(dir, FileName)
	require.NoError(t, os.WriteFile(path, []byte("environments: {one: {project_id: 1}}"), 0o600))

	set, err := Find("", deep, func(name string) string {
		if name == "POSTHOG_REQUESTS_PER_MINUTE" {
			return "60"
		}
		return ""
	})
	require.NoError(t, err)
	assert.Equal(t, path, set.Path)
	assert.True(t, slices.Equal([]string{"one"}, set.Names()))
	e, err := set.Get("")
	require.NoError(t, err)
	assert.Equal(t, Environment{
		Name: "one", BaseURL: defaultBaseURL, ProjectID: "1", APIKeyVariable: defaultKeyVariable, RequestsPerMinute: 60, File: path,
	}, e)
}

func TestVariablesAreAnEnvironment(t *testing.T) {
	t.Parallel()
	variables := map[string]string{"POSTHOG_HOST": "https://host", "POSTHOG_PROJECT_ID": "7", "POSTHOG_API_KEY": "phx_x"}
	getenv := func(name string) string { return variables[name] }
	e, err := FromVariables(getenv)
	require.NoError(t, err)
	assert.Equal(t, Environment{Name: "default", BaseURL: "https://host", ProjectID: "7", APIKeyVariable: "POSTHOG_API_KEY"}, e)
	options, err := e.Options(getenv)
	require.NoError(t, err)
	assert.Equal(t, "phx_x", options.APIKey)

	variables["POSTHOG_REQUESTS_PER_MINUTE"] = "many"
	_, err = FromVariables(getenv)
	assert.ErrorContains(t, err, "POSTHOG_REQUESTS_PER_MINUTE")
	assert.False(t, strings.Contains(err.Error(), "phx_x"))
}

// All parallel jobs must compute the same order, and each job must stay within its share of every rate limit.
func TestParts(t *testing.T) {
	t.Parallel()
	text := "environments:\n  b: {project_id: 1}\n  c: {project_id: 2}\n  a: {project_id: 3}"
	set, err := Parse([]byte(text), func(string) string { return "" })
	require.NoError(t, err)
	assert.Equal(t, []string{"b", "c", "a"}, set.Names())

	for pace, share := range map[int]int{0: 120, 90: 22, 3: 1} {
		set, err := Parse([]byte(text), func(name string) string {
			return map[string]string{"POSTHOG_REQUESTS_PER_MINUTE": strconv.Itoa(pace)}[name]
		})
		require.NoError(t, err)
		e, err := set.Shared(Part{1, 4}).Get("c")
		require.NoError(t, err)
		assert.Equal(t, share, e.RequestsPerMinute)
		assert.Equal(t, strconv.Itoa(share), e.Variables(func(string) string { return "" })["POSTHOG_REQUESTS_PER_MINUTE"], "plans must stay within the limit, too")
	}
}
