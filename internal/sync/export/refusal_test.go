package export

import (
	"regexp"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// Every refusal can occur and names the obstacle. An export refuses before it writes.
func TestRefusals(t *testing.T) {
	t.Parallel()
	nps := survey(1, "NPS")
	for want, prepare := range map[string]func(dir string, o *Options){
		"surveys.tf contains objects of 1, but this export is for 2: ": func(dir string, o *Options) {
			_, err := exported(t, dir, &fakeSource{surveys: []api.Survey{nps}}, *o)
			require.NoError(t, err)
			o.ProjectID = "2"
		},
		"own.tf already imports survey " + *nps.ID + ": ": func(dir string, _ *Options) {
			write(t, dir, "own.tf", "import {\n  to = posthog_survey.nps\n  id = \""+*nps.ID+"\"\n}\n")
		},
		"own.tf already declares posthog_survey.nps_00000001: ": func(dir string, _ *Options) {
			write(t, dir, "own.tf", "resource \"posthog_survey\" \"nps_00000001\" {}\n")
		},
		"the state already manages survey " + *nps.ID + " as module.m.posthog_survey.mine: ": func(dir string, o *Options) {
			write(t, dir, "terraform.tfstate", `{"version": 4, "resources": [{
				"module": "module.m", "mode": "managed", "type": "posthog_survey", "name": "mine",
				"provider": "module.m.provider[\"registry.terraform.io/surveys-as-code/posthog\"]",
				"instances": [{"attributes": {"project_id": "1", "id": "`+*nps.ID+`"}}]
			}]}`)
			addresses, err := ManagedAddresses(dir)
			require.NoError(t, err)
			o.Addresses = addresses
		},
		"/surveys.tf was not written by an export, so it is not overwritten: ": func(dir string, _ *Options) { write(t, dir, "surveys.tf", "# mine\n") },
	} {
		dir, options := t.TempDir(), all()
		prepare(dir, &options)
		before := files(t, dir)

		_, err := exported(t, dir, &fakeSource{surveys: []api.Survey{nps}}, options)
		var refusal *Refusal
		require.ErrorAs(t, err, &refusal, want)
		assert.Contains(t, refusal.Reason, want)
		assert.Equal(t, before, files(t, dir), want)
	}
}

// An edited file of an earlier export stays unchanged, and the export reports it.
func TestEditedFilesAreLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := exported(t, dir, &fakeSource{surveys: []api.Survey{survey(1, "NPS")}}, all())
	require.NoError(t, err)
	write(t, dir, "surveys.tf", files(t, dir)["surveys.tf"]+"# mine\n")
	before := files(t, dir)

	report, err := exported(t, dir, &fakeSource{surveys: []api.Survey{survey(1, "NPS, renamed")}}, all())
	require.NoError(t, err)
	assert.Equal(t, before, files(t, dir))
	assert.Contains(t, report.Files, File{Path: dir + "/surveys.tf", Status: Edited})
	assert.Equal(t, []int{0, 1}, []int{report.Surveys, report.Kept})
}

// overwritten exports two surveys, edits their file, and exports again with the given options.
func overwritten(t *testing.T, edit func(string) string, o Options) (before, after map[string]string, err error) {
	t.Helper()
	dir, source := t.TempDir(), &fakeSource{surveys: []api.Survey{survey(1, "NPS"), survey(2, "Exit")}}
	_, err = exported(t, dir, source, all())
	require.NoError(t, err)
	write(t, dir, "surveys.tf", edit(files(t, dir)["surveys.tf"]))
	before = files(t, dir)

	directory, err := code.ReadDirectory(dir, true)
	require.NoError(t, err)
	_, err = Run(t.Context(), source, directory, o)
	return before, files(t, dir), err
}

// If an export overwrites a file, the file keeps objects that the export omits. Otherwise, the next apply would
// destroy these objects.
func TestOverwrittenFilesKeepTheirObjects(t *testing.T) {
	t.Parallel()
	unmanaged, selected := all(), all()
	unmanaged.Unmanaged, unmanaged.Managed = true, map[code.Key]bool{
		{Type: code.SurveyType, ImportID: "1/" + *survey(1, "").ID}: true, {Type: code.SurveyType, ImportID: "1/" + *survey(2, "").ID}: true,
	}
	selected.Selects = func(name string) bool { return name == "NPS" }

	imports := regexp.MustCompile(`(?s)import \{.*?\n}\n`)
	for name, options := range map[string]Options{"unmanaged": unmanaged, "selected": selected} {
		before, after, err := overwritten(t, func(text string) string { return strings.ReplaceAll(text, "Why?", "Why not?") }, options)
		require.NoError(t, err, name)
		assert.Contains(t, before["surveys.tf"], "Why not?")
		assert.NotContains(t, after["surveys.tf"], "Why not?", name)
		assert.Contains(t, after["surveys.tf"], `resource "posthog_survey" "nps_00000001"`, name)
		assert.Contains(t, after["surveys.tf"], `resource "posthog_survey" "exit_00000002"`, name)

		// Without import blocks, the objects in the file are unknown.
		before, after, err = overwritten(t, func(text string) string { return imports.ReplaceAllString(text, "") }, options)
		var refusal *Refusal
		require.ErrorAs(t, err, &refusal, name)
		assert.Contains(t, refusal.Reason, "surveys.tf declares posthog_survey.exit_00000002", name)
		assert.Equal(t, before, after, name)
	}

	// An export that omits nothing contains all objects.
	everything := all()
	everything.Selects = func(string) bool { return true }
	_, after, err := overwritten(t, func(text string) string {
		return imports.ReplaceAllString(strings.ReplaceAll(text, "exit_00000002", "mine"), "")
	}, everything)
	require.NoError(t, err)
	assert.Contains(t, after["surveys.tf"], "exit_00000002")
}

// CheckTwice refuses a plan in which two resources manage the same object.
func TestCheckTwice(t *testing.T) {
	t.Parallel()
	change := func(address, project, id string) *tfjson.ResourceChange {
		after := map[string]any{"project_id": project, "id": id}
		return &tfjson.ResourceChange{Address: address, Type: "posthog_survey", Change: &tfjson.Change{After: after}}
	}
	created := &tfjson.ResourceChange{Type: "posthog_survey", Change: &tfjson.Change{After: map[string]any{}}}
	assert.NoError(t, CheckTwice([]*tfjson.ResourceChange{change("a", "1", "x"), change("b", "2", "x"), change("c", "1", "y"), created, created, {}}))
	assert.ErrorContains(t, CheckTwice([]*tfjson.ResourceChange{change("a", "1", "x"), change("b", "1", "x")}), "a and b manage survey 1/x: ")
}
