package code_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// codePieces contains parts of IDs and texts that would be parsed as code without escaping.
var codePieces = []string{
	"${", "%{", "$${", "${file(\"/etc/passwd\")}", "%{ if true }x%{ endif }", "*/", "/*", "#", "//", `\"`,
	"\n}\nresource \"terraform_data\" \"p\" {\n  provisioner \"local-exec\" {\n    command = \"id\"\n  }\n}\n/*", "EOT", "\nEOT\n", "<<-EOT\n", "locals {", "[", "]", "=",
	"../../victim/", "/../../z", "x\n  id = \"1/y\"\n}\n", "for", "null", "a.b", "1", "_", "01a20247-ba2c-794c-98f0-0000deadbeef",
}

func hostileText() *rapid.Generator[string] { return property.Text(codePieces...) }

// PostHog, or an impostor, may send any IDs, names, texts, and keys. The configuration contains exactly the object's
// blocks at a unique address, and the file that is named after the object is in its directory.
func checkHostileSurvey(t *rapid.T) {
	text := func(label string) string { return hostileText().Draw(t, label) }
	raw, err := json.Marshal(map[string]any{
		"id": text("id"), "name": text("name"), "type": "popover", "description": text("description"),
		"questions":      []any{map[string]any{"id": text("question id"), "type": "open", "question": text("question"), text("key"): text("value")}},
		"appearance":     map[string]any{text("look"): text("look value")},
		"conditions":     map[string]any{"url": text("url")},
		"linked_flag_id": 7, "linked_flag": map[string]any{"id": 7, "key": text("flag")},
		text("unknown"): text("unknown value"),
	})
	require.NoError(t, err)
	var wire api.Survey
	if json.Unmarshal(raw, &wire) != nil {
		return // a known field with an unexpected type
	}

	// A project ID is a setting, and HCL cannot contain invalid UTF-8.
	project := strings.ToValidUTF8(text("project"), "?")
	object, err := code.Survey(t.Context(), wire, project, code.Options{QuestionIDs: true})
	if err != nil {
		return
	}
	short := object.Address
	assertBlocks(t, object)
	object.Address = code.NewLongAddress(code.SurveyType, object.Name, *wire.ID)
	object.Render()
	assertBlocks(t, object)
	assertMoved(t, short, object.Address)
}

func assertBlocks(t *rapid.T, object *code.Object) {
	file, diags := hclsyntax.ParseConfig(object.Bytes(), "x.tf", hcl.InitialPos)
	require.False(t, diags.HasErrors(), "%s\n%s", diags, object.Bytes())
	blocks := file.Body.(*hclsyntax.Body).Blocks //nolint:forcetypeassert // what this parser makes
	require.Len(t, blocks, 2)
	assert.Equal(t, "import", blocks[0].Type)
	assert.Len(t, blocks[0].Body.Attributes, 2)
	assert.Equal(t, "resource", blocks[1].Type)
	assert.Equal(t, []string{code.SurveyType, object.Label}, blocks[1].Labels)
	assert.Empty(t, blocks[1].Body.Blocks)

	assert.True(t, hclsyntax.ValidIdentifier(object.Label), object.Label)
	assertInDirectory(t, "survey_"+object.Label+".tf")
	id, diags := blocks[0].Body.Attributes["id"].Expr.Value(nil)
	require.False(t, diags.HasErrors())
	assert.Equal(t, cty.StringVal(object.ImportID), id, "the id must be the import ID")
	to, diags := hcl.AbsTraversalForExpr(blocks[0].Body.Attributes["to"].Expr)
	require.False(t, diags.HasErrors())
	assert.Len(t, to, 2)
	// The test evaluates only references to a flag.
	for name, attribute := range blocks[1].Body.Attributes {
		for _, traversal := range attribute.Expr.Variables() {
			assert.Equal(t, "var", traversal.RootName(), name)
		}
	}
}

// assertInDirectory asserts that a file with this name stays in the directory to which it is written.
func assertInDirectory(t *rapid.T, name string) {
	assert.Regexp(t, `^\w[\w.-]*$`, name)
	assert.Equal(t, "dir", filepath.Dir(filepath.Join("dir", name)), name)
}

// assertMoved asserts that a moved block contains only the two addresses.
func assertMoved(t *rapid.T, from, to code.Address) {
	file, diags := hclsyntax.ParseConfig(code.MovedBlock(from, to), "x.tf", hcl.InitialPos)
	require.False(t, diags.HasErrors(), "%s", diags)
	blocks := file.Body.(*hclsyntax.Body).Blocks //nolint:forcetypeassert // what this parser makes
	require.Len(t, blocks, 1)
	assert.Equal(t, "moved", blocks[0].Type)
	assert.Len(t, blocks[0].Body.Attributes, 2)
	assert.Empty(t, blocks[0].Body.Blocks)
}

func TestHostileSurvey(t *testing.T) {
	t.Parallel()
	rapid.Check(t, checkHostileSurvey)
}

func FuzzHostileSurvey(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkHostileSurvey)) }

func TestHostileApp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.Int64().Draw(t, "id")
		var wire api.PipelineImportApp
		raw, err := json.Marshal(map[string]any{"id": id, "name": hostileText().Draw(t, "name"), "description": hostileText().Draw(t, "description")})
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(raw, &wire))

		object := code.App(wire, hostileText().Draw(t, "organization"))
		file, diags := hclsyntax.ParseConfig(object.Bytes(), "x.tf", hcl.InitialPos)
		require.False(t, diags.HasErrors(), "%s\n%s", diags, object.Bytes())
		require.Len(t, file.Body.(*hclsyntax.Body).Blocks, 2) //nolint:forcetypeassert // what this parser makes
		assertInDirectory(t, "pipeline_import_app_"+object.Label+".tf")
	})
}
