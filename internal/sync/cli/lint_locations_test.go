package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Every finding has a line in a file, because code hosts reject reports without lines.
func TestFindingLocations(t *testing.T) {
	t.Parallel()

	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "infra"), 0o700))
	for name, text := range map[string]string{
		"posthog-sync.yaml": "environments:\n  a: {project_id: 1}\n",
		"infra/a.tf":        "# Surveys\nresource \"posthog_survey\" \"nps\" {\n}\nresource \"posthog_survey\" \"each\" {\n}\n",
		"infra/b.tf":        "\n\nmodule \"shop\" {\n}\n",
		"infra/broken.tf":   "resource \"",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	p := newProgram("test")
	p.getwd = func() (string, error) { return dir, nil }
	p.getenv = func(string) string { return "" }

	code := p.findingLocations(source.Source{Form: source.Code, Argument: filepath.Join(dir, "infra")})
	for address, want := range map[string]review.Location{
		"posthog_survey.nps":                   {File: "infra/a.tf", Line: 2},
		`posthog_survey.each["a.b"]`:           {File: "infra/a.tf", Line: 4},
		"module.shop.posthog_survey.nps":       {File: "infra/b.tf", Line: 3},
		"module.shop[0].module.x.posthog_x.y":  {File: "infra/b.tf", Line: 3},
		"posthog_survey.of_another_kind_of_tf": {File: "infra", Line: 1},
		"":                                     {File: "infra", Line: 1},
	} {
		assert.Equal(t, want, code.Of(address), address)
	}
	assert.Equal(t, review.Location{File: "posthog-sync.yaml", Line: 1}, p.findingLocations(source.Source{Form: source.Live}).Of(""))

	// The report contains no absolute path, even for a file above the working directory.
	p.getwd = func() (string, error) { return filepath.Join(dir, "infra"), nil }
	assert.Equal(t, review.Location{File: "../posthog-sync.yaml", Line: 1}, p.findingLocations(source.Source{Form: source.Live}).Of(""))
	assert.Equal(t, review.Location{File: "base.json", Line: 1}, p.findingLocations(source.Source{Form: source.File, Argument: "./base.json"}).Of(""))
}
