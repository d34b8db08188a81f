package hclfile_test

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/hclfile"
)

// hostileTexts are pieces of ids and texts that would be code if they were written as they
// are.
var hostileTexts = []string{
	"a", "Wie geht's?", "\n", "\r\n", "\x00", "\x1b[31m", "\u0085", "\u2028", "\u202e", "\ufeff", "e\u0301", "😀",
	`"`, `\`, `\"`, "${", "%{", "$${", "${file(\"/etc/passwd\")}", "%{ if true }x%{ endif }", "*/", "/*", "#", "//",
	"\n}\nresource \"terraform_data\" \"p\" {\n  provisioner \"local-exec\" {\n    command = \"id\"\n  }\n}\n/*", "EOT", "\nEOT\n", "<<-EOT\n", "locals {", "}", "{", "[", "]", "=",
	"../../victim/", "/../../z", "x\n  id = \"1/y\"\n}\n", "for", "null", "a.b", "1", "-", "_",
}

func hostileText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		text := ""
		for range rapid.IntRange(0, 6).Draw(t, "pieces") {
			if rapid.IntRange(0, 9).Draw(t, "any") == 0 {
				text += rapid.String().Draw(t, "text")
			} else {
				text += rapid.SampledFrom(hostileTexts).Draw(t, "piece")
			}
		}
		return text
	})
}

// Whatever the service, or whoever answers in its place, puts into ids, names, texts and
// keys: the code has exactly the blocks of the object, at an address of its own, and a file
// named after it lies in its directory.
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
		return // a field of the contract with another type than the contract's
	}

	object, err := hclfile.Survey(t.Context(), wire, text("project"), hclfile.Options{QuestionIDs: true})
	if err != nil {
		return
	}
	assertBlocks(t, object)
	object.UseLongLabel()
	assertBlocks(t, object)
}

func assertBlocks(t *rapid.T, object *hclfile.Object) {
	file, diags := hclsyntax.ParseConfig(object.Bytes(), "x.tf", hcl.InitialPos)
	require.False(t, diags.HasErrors(), "%s\n%s", diags, object.Bytes())
	blocks := file.Body.(*hclsyntax.Body).Blocks //nolint:forcetypeassert // what this parser makes
	require.Len(t, blocks, 2)
	assert.Equal(t, "import", blocks[0].Type)
	assert.Len(t, blocks[0].Body.Attributes, 2)
	assert.Equal(t, "resource", blocks[1].Type)
	assert.Equal(t, []string{hclfile.SurveyType, object.Label}, blocks[1].Labels)
	assert.Empty(t, blocks[1].Body.Blocks)

	assert.True(t, hclsyntax.ValidIdentifier(object.Label), object.Label)
	assert.True(t, escape.IsFileName("survey_"+object.Label+".tf"), object.Label)
	id, diags := blocks[0].Body.Attributes["id"].Expr.Value(nil)
	require.False(t, diags.HasErrors())
	assert.NotEmpty(t, id.AsString())
	// A reference to a flag is all that is evaluated.
	for name, attribute := range blocks[1].Body.Attributes {
		for _, traversal := range attribute.Expr.Variables() {
			assert.Equal(t, "var", traversal.RootName(), name)
		}
	}
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

		object := hclfile.App(wire, hostileText().Draw(t, "organization"))
		file, diags := hclsyntax.ParseConfig(object.Bytes(), "x.tf", hcl.InitialPos)
		require.False(t, diags.HasErrors(), "%s\n%s", diags, object.Bytes())
		require.Len(t, file.Body.(*hclsyntax.Body).Blocks, 2) //nolint:forcetypeassert // what this parser makes
		assert.True(t, escape.IsFileName("pipeline_import_app_"+object.Label+".tf"), object.Label)
	})
}
