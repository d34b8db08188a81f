package examples_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// linked matches the targets of links in Markdown.
var linked = regexp.MustCompile(`\]\(([^)#]*)`)

// shown matches links in guides to pages that a registry shows.
var shown = regexp.MustCompile(`^(https?://.*|(\.\./)?(resources|data-sources|list-resources|actions|functions|guides)/.*|\.\./index\.md|[^/]*)$`)

// A registry shows only the index, the guides, and the provider reference. Guides must not link to other files of the
// repository by a relative path.
func TestGuidesLinkToPagesOfARegistry(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../templates/guides/*.md.tmpl")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, link := range linked.FindAllStringSubmatch(string(text), -1) {
			assert.Regexp(t, shown, link[1], filepath.Base(path))
		}
	}
}

// Terraform ends a list after 100 objects by default, so examples set a limit.
func TestListExamplesHaveALimit(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("list-resources/*/list-resource.tfquery.hcl")
	require.NoError(t, err)
	require.Len(t, paths, 2)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Regexp(t, `\n +limit +=`, string(text), path)
	}
}
