package export

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// Every refusal is reached, says what is in the way, and comes before the first write.
func TestRefusals(t *testing.T) {
	t.Parallel()
	nps := survey(1, "NPS")
	address := hclfile.Address{Type: hclfile.SurveyType, Label: "nps_00000001"}
	reached := map[RefusalCode]bool{}
	for want, prepare := range map[*Refusal]func(dir string, o *Options){
		{Code: OtherParent, File: "surveys.tf", Holds: "1", Exports: "2"}: func(dir string, o *Options) {
			_, err := exported(t, dir, &fakeSource{surveys: []api.Survey{nps}}, *o)
			require.NoError(t, err)
			o.ProjectID = "2"
		},
		{Code: ImportedElsewhere, File: "own.tf", Address: address, ID: *nps.ID}: func(dir string, _ *Options) {
			write(t, dir, "own.tf", "import {\n  to = posthog_survey.nps\n  id = \""+*nps.ID+"\"\n}\n")
		},
		{Code: DeclaredElsewhere, File: "own.tf", Address: address, ID: *nps.ID}: func(dir string, _ *Options) {
			write(t, dir, "own.tf", "resource \"posthog_survey\" \"nps_00000001\" {}\n")
		},
		{Code: NotExported}: func(dir string, _ *Options) { write(t, dir, "surveys.tf", "# mine\n") },
	} {
		dir, options := t.TempDir(), all()
		prepare(dir, &options)
		before := files(t, dir)
		if want.Code == NotExported {
			want.File = dir + "/surveys.tf"
		}

		_, err := exported(t, dir, &fakeSource{surveys: []api.Survey{nps}}, options)
		var refusal *Refusal
		require.ErrorAs(t, err, &refusal, want.Code)
		assert.Equal(t, want, refusal)
		assert.Equal(t, before, files(t, dir), want.Code)
		reached[refusal.Code] = true
	}
	for _, code := range RefusalCodes() {
		assert.True(t, reached[code], code)
	}
}

// A file of an export that somebody edited is left to them, and reported.
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
