package examples_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// linked finds the targets of links in Markdown.
var linked = regexp.MustCompile(`\]\(([^)#]*)`)

// shown are the pages of a registry, as links in guides name them.
var shown = regexp.MustCompile(`^(https?://.*|(\.\./)?(resources|data-sources|list-resources|actions|functions|guides)/.*|\.\./index\.md|[^/]*)$`)

// A registry shows the index, the guides and the reference of the provider: guides link to
// nothing else of the repository by a relative path.
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

// Terraform stops a list at 100 unless its limit says otherwise, so examples have one.
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
