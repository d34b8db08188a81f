package faultmatrix

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// noun is a kind of object that the provider manages.
type noun struct {
	// typeName is the resource's, listName the data source's that lists, wire what the
	// operations of the interface begin with.
	typeName, listName, wire string
	config                   map[string]any
	// edit is what somebody else changes, of what the configuration is silent about.
	edit testserver.Object
	// add makes an object behind the provider's back, remove takes it away; onServer
	// are all there are.
	add      func(*acctest.World, map[string]any) testserver.Object
	remove   func(w *acctest.World, id string)
	onServer func(*acctest.World) []testserver.Object
	// parent is what errors call the project or organization.
	parent func(*acctest.World) string
}

const objectName = "Night watch"

var nouns = []noun{{
	typeName: "posthog_survey", listName: "posthog_surveys", wire: "surveys", edit: testserver.Object{"archived": true},
	config: map[string]any{
		"name": objectName, "type": "popover", "description": "before", "questions": []any{map[string]any{"type": "open", "question": "Why?"}},
	},
	add:      func(w *acctest.World, fields map[string]any) testserver.Object { return w.CreateSurvey(fields) },
	remove:   func(w *acctest.World, id string) { w.DeleteSurvey(id) },
	onServer: func(w *acctest.World) []testserver.Object { return w.Server.Surveys(w.ProjectID) },
	parent:   func(w *acctest.World) string { return "project " + w.ProjectID },
}, {
	typeName: "posthog_pipeline_import_app", listName: "posthog_pipeline_import_apps", wire: "pipeline_import_apps",
	edit: testserver.Object{"icon": "by hand"},
	config: map[string]any{
		"name": objectName, "plugin_type": "source", "description": "before", "capabilities": `{"scheduled_tasks":["runEveryMinute"]}`,
	},
	add: func(w *acctest.World, fields map[string]any) testserver.Object {
		fields["capabilities"] = map[string]any{"scheduled_tasks": []any{"runEveryMinute"}}
		return w.CreateApp(fields)
	},
	remove:   func(w *acctest.World, id string) { w.DeleteApp(number(id)) },
	onServer: func(w *acctest.World) []testserver.Object { return w.Server.Apps(w.OrganizationID) },
	parent:   func(w *acctest.World) string { return "organization " + w.OrganizationID },
}}

func number(id string) (n int64) {
	if _, err := fmt.Sscan(id, &n); err != nil {
		panic(err) // ids of apps are numbers
	}
	return n
}

// with is the configuration with another description.
func (n noun) with(description string) map[string]any {
	config := maps.Clone(n.config)
	config["description"] = description
	return config
}

// ids are those of all objects on the server.
func (n noun) ids(w *acctest.World) []string {
	var ids []string
	for _, one := range n.onServer(w) {
		ids = append(ids, fmt.Sprint(one["id"]))
	}
	return ids
}

// behind makes the object that the configuration describes behind the provider's back.
func (n noun) behind(t *testing.T, w *acctest.World) string {
	t.Helper()
	fields := map[string]any{}
	for _, name := range []string{"name", "type", "plugin_type", "description", "questions"} {
		if value, ok := n.config[name]; ok {
			fields[name] = value
		}
	}
	made := n.add(w, fields)
	require.NotNil(t, made["id"])
	return fmt.Sprint(made["id"])
}
