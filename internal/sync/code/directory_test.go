package code_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

const exportedSurvey = `import {
  to = posthog_survey.nps
  id = "1/a"
}

resource "posthog_survey" "nps" {
  name = "NPS"
  description = <<-EOT
    }
    import {
  EOT
}
`

const movedBlock = `moved {
  from = posthog_survey.old
  to   = posthog_survey.nps
}

`

const flagVariable = `variable "feature_flag_ids" {
  type    = map(number)
  default = { beta = 7 }
}
`

// sealed returns an exported file with this content.
func sealed(body string) string { return string(code.Seal([]byte(body))) }

func directory(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

var (
	nps    = code.Address{Type: code.SurveyType, Label: "nps"}
	old    = code.Address{Type: code.SurveyType, Label: "old"}
	npsKey = code.Key{Type: code.SurveyType, ImportID: "1/a"}
)

func TestReadKnowsWhoseFilesAre(t *testing.T) {
	t.Parallel()
	text := sealed(movedBlock + exportedSurvey)
	dir := directory(t, map[string]string{
		"surveys.tf":       text,
		"windows.tf":       strings.ReplaceAll(sealed(flagVariable), "\n", "\r\n"),
		"edited.tf":        sealed("locals {}\n") + "# mine\n",
		"mine.tf":          "import {\n  to = posthog_survey.other\n  identity = { project_id = 1, id = \"b\" }\n}\n",
		"json.tf.json":     `{"resource": {"posthog_survey": {"json": {}}}}`,
		".hidden.tf":       "{",
		"backup.tf~":       "{",
		"terraform.tfvars": "{",
	})
	d, err := code.ReadDirectory(dir, false)
	require.NoError(t, err)

	assert.Equal(t, map[string]code.Ownership{
		"surveys.tf": code.Owned, "windows.tf": code.Owned, "edited.tf": code.ByHand,
		"mine.tf": code.Foreign, "json.tf.json": code.Foreign,
	}, d.Ownership)
	assert.Equal(t, []code.Address{old}, d.Former(nps))
	assert.Equal(t, map[string]int64{"beta": 7}, d.FlagIDs)
	assert.Equal(t, map[code.Key]string{{Type: code.SurveyType, ImportID: "1/b"}: "mine.tf"}, d.Written.Imported)
	assert.Equal(t, map[code.Address]string{{Type: code.SurveyType, Label: "json"}: "json.tf.json"}, d.Written.Resources)

	// An object's text contains its blocks, even with unusual heredocs.
	require.Contains(t, d.Exported, npsKey)
	assert.Equal(t, strings.TrimSpace(exportedSurvey), string(d.Exported[npsKey].Text))
	assert.Equal(t, nps, d.Exported[npsKey].Address)
}

// With force, an edited file counts as exported. Its objects are known, but the export keeps none of its text.
func TestForceTakesEditedFiles(t *testing.T) {
	t.Parallel()
	dir := directory(t, map[string]string{"surveys.tf": sealed(movedBlock+exportedSurvey+flagVariable) + "# mine\n"})
	d, err := code.ReadDirectory(dir, true)
	require.NoError(t, err)
	assert.Equal(t, code.Owned, d.Ownership["surveys.tf"])
	assert.Equal(t, nps, d.Exported[npsKey].Address)
	assert.Equal(t, []code.Address{old}, d.Former(nps))
	assert.Equal(t, map[string]int64{"beta": 7}, d.FlagIDs)
	assert.Nil(t, d.Exported[npsKey].Text)
}

// A cycle of moved blocks does not cause an endless loop.
func TestFormerOfACircle(t *testing.T) {
	t.Parallel()
	dir := directory(t, map[string]string{"surveys.tf": sealed(movedBlock + "moved {\n  from = posthog_survey.nps\n  to   = posthog_survey.old\n}\n")})
	d, err := code.ReadDirectory(dir, false)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(d.Former(nps)), 2)
}

func TestDirectoriesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	_, err := code.ReadDirectory(filepath.Join(t.TempDir(), "nowhere"), false)
	require.ErrorIs(t, err, os.ErrNotExist)

	broken := directory(t, map[string]string{"a.tf": "resource \"a\" \"b\" {\n"})
	_, err = code.ReadDirectory(broken, false)
	require.ErrorContains(t, err, "a.tf:")
	require.ErrorContains(t, err, "Fix the file first. Nothing was written")

	dangling := t.TempDir()
	require.NoError(t, os.Symlink("nowhere.tf", filepath.Join(dangling, "link.tf")))
	_, err = code.ReadDirectory(dangling, false)
	require.ErrorContains(t, err, "link.tf is a link to a file that does not exist")
}

// An edit by this program does not count as a user's edit, with any line endings. Other files stay unchanged.
func TestReseal(t *testing.T) {
	t.Parallel()
	windows := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	before, edited := sealed(exportedSurvey), sealed(exportedSurvey)+"# more\n"
	want := sealed(exportedSurvey + "# more\n")
	assert.Equal(t, want, string(code.Reseal([]byte(before), []byte(edited))))
	assert.Equal(t, windows(want), string(code.Reseal([]byte(windows(before)), []byte(windows(edited)))))
	assert.Equal(t, "# more\n", string(code.Reseal([]byte("# mine\n"), []byte("# more\n"))))
	assert.Equal(t, edited+"x", string(code.Reseal([]byte(edited), []byte(edited+"x"))))
}
