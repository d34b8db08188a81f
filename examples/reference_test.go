package examples_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lookups are the data sources for objects to which surveys refer.
var lookups = []string{"posthog_cohort", "posthog_feature_flag", "posthog_project"}

// A registry groups the reference pages by subcategory: surveys, import apps, or objects to which surveys refer.
// Functions belong to surveys.
func TestReferencePagesAreBelowTheirNoun(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.FromSlash("../schemas/provider.json"))
	require.NoError(t, err)
	var document struct {
		Providers map[string]map[string]json.RawMessage `json:"provider_schemas"`
	}
	require.NoError(t, json.Unmarshal(text, &document))

	for _, parts := range document.Providers {
		for part, file := range map[string]string{
			"resource_schemas": "resources", "data_source_schemas": "data-sources", "list_resource_schemas": "list-resources",
			"action_schemas": "actions", "functions": "functions",
		} {
			var schemas map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(parts[part], &schemas), part)
			require.NotEmpty(t, schemas, part)

			for name := range maps.Keys(schemas) {
				want := "Surveys"
				switch {
				case strings.HasPrefix(name, "posthog_pipeline_import_app"):
					want = "Import apps"
				case slices.Contains(lookups, name):
					want = "Lookups"
				}
				assert.Contains(t, frontMatter(t, file, name), "\nsubcategory: \""+want+"\"\n", "%s %s", part, name)
			}
		}
	}
}

// frontMatter returns a page's front matter, as tfplugindocs renders its template.
func frontMatter(t *testing.T, file, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "templates", file+".md.tmpl"))
	require.NoError(t, err)
	same := func(s string) string { return s }
	page, err := template.New(file).Funcs(template.FuncMap{
		"split": strings.Split, "trimspace": strings.TrimSpace, "plainmarkdown": same, "tffile": same,
		"prefixlines": func(prefix, text string) string { return prefix + text },
		"codefile":    func(_, file string) string { return file },
	}).Parse(string(text))
	require.NoError(t, err)

	var rendered strings.Builder
	// Fields that only some kinds of pages have are empty here.
	require.NoError(t, page.Execute(&rendered, map[string]any{
		"Name": name, "Type": "", "RenderedProviderName": "posthog", "Description": "", "Summary": "", "SchemaMarkdown": "",
		"FunctionSignatureMarkdown": "", "FunctionArgumentsMarkdown": "",
	}))
	_, rest, _ := strings.Cut(rendered.String(), "---\n")
	matter, _, found := strings.Cut(rest, "---\n")
	require.True(t, found, "%s must begin with front matter", file)
	return matter
}
