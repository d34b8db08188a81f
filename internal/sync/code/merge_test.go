package code

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// TestTable merges the cases in testdata. Each case contains a hand-written file, a patch from its values to the live
// object, the expected file (byte for byte), and the findings. A second merge must do nothing.
func TestTable(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(paths), 40)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			c := readCase(t, path)
			edited, findings := c.merge(t, c.before, nil)
			if os.Getenv("UPDATE_GOLDEN") != "" {
				c.write(t, path, edited, findings)
				return
			}
			require.Equal(t, string(c.after), string(edited))
			require.Equal(t, c.findings, findings)

			again, findings := c.merge(t, edited, c.live)
			require.Equal(t, string(edited), string(again))
			require.NotContains(t, findings, "edited")
		})
	}
}

// A byte order mark and 50,000 lines around the configuration are kept, and do not affect the edits.
func TestTableInALongFileWithAMark(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	require.NoError(t, err)
	for i, path := range paths {
		c := readCase(t, path)
		lines := ""
		if i == 0 {
			lines = strings.Repeat("# a line\n", 50_000)
		}
		edited, findings := c.merge(t, []byte("\ufeff"+string(c.before)+lines), nil)
		require.Equal(t, "\ufeff"+string(c.after)+lines, string(edited), path)
		require.Equal(t, c.findings, findings, path)
	}
}

// withoutMemory returns what a plan infers about questions without a history.
func withoutMemory(live map[string]any) Identities {
	questions, _ := live["questions"].([]any)
	return Identities{Planned: func(code []identity.Question) []string {
		ids := make([]string, len(code))
		for i, pair := range identity.Match(identity.NewQuestions(questions), code) {
			ids[i] = pair.ID
		}
		return ids
	}}
}

// tableCase is a case in the table.
type tableCase struct {
	archive             *txtar.Archive
	before, after       []byte
	findings            string
	crlf                bool
	appliedPatch, patch map[string]any
	applied, live       map[string]any
}

func readCase(t *testing.T, path string) *tableCase {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)

	c := &tableCase{archive: archive, crlf: bytes.Contains(archive.Comment, []byte("CRLF"))}

	for _, file := range archive.Files {
		switch file.Name {
		case "before.tf":
			c.before = source(file.Data, c.crlf)
		case "after.tf":
			c.after = source(file.Data, c.crlf)
		case "findings":
			c.findings = string(file.Data)
		case "live.json":
			c.patch = object(decode(jsonvalue.Text(file.Data)))
			require.True(t, json.Valid(file.Data), "%s", file.Data)
		case "applied.json":
			c.appliedPatch = object(decode(jsonvalue.Text(file.Data)))
			require.True(t, json.Valid(file.Data), "%s", file.Data)
		}
	}
	return c
}

// merge merges a file with the live object. If live is nil, it applies the patch to the file's values.
func (c *tableCase) merge(t *testing.T, text []byte, live map[string]any) ([]byte, string) {
	t.Helper()
	file, err := ParseSource("main.tf", text)
	require.NoError(t, err)
	var part *SourceFile
	var block *hclsyntax.Block
	for _, one := range blocksOf(t, file) {
		if one.Type == "resource" {
			part, block = file.Resource(one.Labels[0], one.Labels[1])
		}
	}
	inCode := planned(t, file, block)
	if live == nil {
		identifyCode(inCode)
		c.applied = patched(inCode, c.appliedPatch)
		c.live = patched(c.applied, c.patch)
		live = c.live
	} else {
		identifyCode(inCode, live, c.applied)
		keepNothing(inCode, live)
	}

	var lines strings.Builder
	for _, one := range part.Merge(block, Versions{c.applied, inCode, live}, Order(block.Labels[0]), withoutMemory(live)) {
		fmt.Fprintf(&lines, "%s\n", strings.TrimSpace(fmt.Sprintf("%d %s %s %s", one.Line, one.Outcome, one.Attribute, one.Reason)))
	}
	return edited(t, file), lines.String()
}

// write updates the expected file.
func (c *tableCase) write(t *testing.T, path string, edited []byte, findings string) {
	t.Helper()
	text := bytes.ReplaceAll(edited, []byte("\r\n"), []byte("\n"))
	if !c.crlf {
		text = edited
	}
	var kept []txtar.File
	for _, file := range c.archive.Files {
		if file.Name != "after.tf" && file.Name != "findings" {
			kept = append(kept, file)
		}
	}
	c.archive.Files = append(kept, txtar.File{Name: "after.tf", Data: text}, txtar.File{Name: "findings", Data: []byte(findings)})
	require.NoError(t, os.WriteFile(path, txtar.Format(c.archive), 0o600))
}

// A question without an ID matches the question at its position only if both have the same type. Otherwise, the edit
// would combine two questions, such as a rating with choices.
func TestPlacesOfAnotherTypeAreOtherQuestions(t *testing.T) {
	t.Parallel()
	file, err := ParseSource("main.tf", []byte(`resource "posthog_survey" "s" {
  questions = [
    { type = "open", question = "One?" },
    { type = "single_choice", question = "Two?", choices = ["a", "b"] },
  ]
}
`))
	require.NoError(t, err)
	open := func(text string) any { return map[string]any{"type": "open", "question": text} }
	choice := map[string]any{"type": "single_choice", "question": "Two?", "choices": []any{"a", "b"}}
	rating := map[string]any{"type": "rating", "question": "Three?", "display": "emoji"}
	list := func(questions ...any) any { return map[string]any{"questions": questions} }

	v := Versions{list(open("One?"), open("Zero?")), list(open("One?"), choice), list(open("One!"), rating)}
	part, block := file.Resource("posthog_survey", "s")
	part.Merge(block, v, Order(SurveyType), Identities{})
	edited := edited(t, file)
	assert.Contains(t, string(edited), `    { type = "open", question = "One!" },`)
	assert.Contains(t, string(edited), `    { type = "single_choice", question = "Two?", choices = ["a", "b"] },`)
	assert.Contains(t, string(edited), `"Three?"`)
	assert.NotContains(t, string(edited), `"Zero?"`)
}

// Text in a comment or a string that looks like a resource is not a resource. Files with such text are edited like
// other files.
func TestResourcesAreFoundInParts(t *testing.T) {
	t.Parallel()
	const resource = "resource \"posthog_survey\" \"s\" {\n\tname = \"Old\"\n}\n"
	for name, before := range map[string]string{
		"first":         "",
		"second":        "resource \"posthog_survey\" \"a\" {}\n\n# The other.\n",
		"a comment":     "/*\n" + resource + "*/\n",
		"a text":        "locals {\n\tx = <<EOT\n" + resource + "EOT\n}\n",
		"both":          "locals {\n\tx = <<EOT\n" + resource + "EOT\n}\n/*\nresource\n*/\n",
		"an expression": "locals {\n\tx = {\nresource = 1\n}\n}\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, err := ParseSource("main.tf", []byte(before+resource+"# After.\n"+resource))
			require.NoError(t, err)
			part, block := file.Resource(SurveyType, "s")
			require.NotNil(t, block)
			old, live := map[string]any{"name": "Old"}, map[string]any{"name": "New", "description": "d"}

			findings := part.Merge(block, Versions{Applied: old, Code: old, Live: live}, Order(SurveyType), Identities{})

			require.Len(t, findings, 2)
			require.Equal(t, strings.Count(before, "\n")+2, findings[1].Line)
			want := before + "resource \"posthog_survey\" \"s\" {\n\tname = \"New\"\n\tdescription = \"d\"\n}\n# After.\n" + resource
			require.Equal(t, want, string(edited(t, file)))
		})
	}
}
