package faultmatrix

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// operation is what a Terraform run does when the fault occurs.
type operation struct {
	name string
	// request is the suffix of the API operation that carries out the operation.
	request string
	// writes is true if the operation makes the object match the configuration.
	writes bool
	// prepare creates the required objects. do is the run.
	prepare func(*testing.T, *cell)
	do      func(*cell) acctest.Diagnostics
}

// about returns what an error must contain in addition to the object's name. An imported object has only an
// ID so far, and a list concerns the whole collection.
func (op operation) about(c *cell) string {
	switch op.name {
	case "import":
		return c.id
	case "list":
		return "in " + c.parent(c.env)
	}
	return objectName
}

var operations = []operation{
	{name: "create", request: "create", writes: true, do: func(c *cell) acctest.Diagnostics { return c.object.Apply(c.config) }},
	{name: "read", request: "retrieve", prepare: managed, do: func(c *cell) acctest.Diagnostics { return c.object.Refresh() }},
	{name: "update", request: "partial_update", writes: true, prepare: managed, do: func(c *cell) acctest.Diagnostics {
		c.config = c.with("after")
		return c.object.Apply(c.config)
	}},
	{name: "delete", request: "destroy", prepare: managed, do: func(c *cell) acctest.Diagnostics { return c.object.Destroy() }},
	{name: "import", request: "retrieve", prepare: unmanaged, do: func(c *cell) acctest.Diagnostics { return c.object.Import(c.id) }},
	{name: "list", request: "list", prepare: unmanaged, do: func(c *cell) acctest.Diagnostics {
		values, diags := c.env.ReadDataSource(c.t, c.listName, map[string]any{})
		c.listed, _ = values[c.wire].([]any)
		return diags
	}},
}

// managed creates the object in an earlier Terraform run.
func managed(t *testing.T, c *cell) {
	t.Helper()
	require.Empty(t, c.object.Apply(c.config).Text())
	c.env.NextRun(t, c.object)
}

// unmanaged creates the object outside Terraform.
func unmanaged(t *testing.T, c *cell) {
	t.Helper()
	c.id = c.createOutside(t, c.env)
}

// noun is a type of object that the provider manages.
type noun struct {
	// typeName is the resource type, listName is the type of the data source that lists objects, and wire is
	// the prefix of API operations.
	typeName, listName, wire string
	config                   map[string]any
	// edit is a change made outside Terraform to a field that the configuration omits.
	edit testserver.Object
	// add creates an object outside Terraform, and remove deletes it. onServer returns all existing objects.
	add      func(*acctest.Env, map[string]any) testserver.Object
	remove   func(env *acctest.Env, id string)
	onServer func(*acctest.Env) []testserver.Object
	// parent returns the name of the project or organization in errors.
	parent func(*acctest.Env) string
}

const objectName = "Night watch"

var nouns = []noun{{
	typeName: "posthog_survey", listName: "posthog_surveys", wire: "surveys", edit: testserver.Object{"archived": true},
	config: map[string]any{
		"name": objectName, "type": "popover", "description": "before", "questions": []any{map[string]any{"type": "open", "question": "Why?"}},
	},
	add:      func(env *acctest.Env, fields map[string]any) testserver.Object { return env.CreateSurvey(fields) },
	remove:   func(env *acctest.Env, id string) { env.DeleteSurvey(id) },
	onServer: func(env *acctest.Env) []testserver.Object { return env.Server.Surveys(env.ProjectID) },
	parent:   func(env *acctest.Env) string { return "project " + env.ProjectID },
}, {
	typeName: "posthog_pipeline_import_app", listName: "posthog_pipeline_import_apps", wire: "pipeline_import_apps",
	edit: testserver.Object{"icon": "by hand"},
	config: map[string]any{
		"name": objectName, "plugin_type": "source", "description": "before", "capabilities": `{"scheduled_tasks":["runEveryMinute"]}`,
	},
	add: func(env *acctest.Env, fields map[string]any) testserver.Object {
		fields["capabilities"] = map[string]any{"scheduled_tasks": []any{"runEveryMinute"}}
		return env.CreateApp(fields)
	},
	remove:   func(env *acctest.Env, id string) { env.DeleteApp(number(id)) },
	onServer: func(env *acctest.Env) []testserver.Object { return env.Server.Apps(env.OrganizationID) },
	parent:   func(env *acctest.Env) string { return "organization " + env.OrganizationID },
}}

func number(id string) (n int64) {
	if _, err := fmt.Sscan(id, &n); err != nil {
		panic(err) // app IDs are numbers
	}
	return n
}

// with returns the configuration with a different description.
func (n noun) with(description string) map[string]any {
	config := maps.Clone(n.config)
	config["description"] = description
	return config
}

// ids returns the IDs of all objects on the server.
func (n noun) ids(env *acctest.Env) []string {
	var ids []string
	for _, one := range n.onServer(env) {
		ids = append(ids, fmt.Sprint(one["id"]))
	}
	return ids
}

// createOutside creates the configured object outside Terraform.
func (n noun) createOutside(t *testing.T, env *acctest.Env) string {
	t.Helper()

	fields := map[string]any{}
	for _, name := range []string{"name", "type", "plugin_type", "description", "questions"} {
		if value, ok := n.config[name]; ok {
			fields[name] = value
		}
	}

	created := n.add(env, fields)
	require.NotNil(t, created["id"])
	return fmt.Sprint(created["id"])
}
