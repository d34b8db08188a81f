package architecture

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each picture of the documentation is shown somewhere, and each that is shown is there.
func TestPicturesAreShown(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "*.md"))
	require.NoError(t, err)
	picture := regexp.MustCompile(`(?:src|srcset)="docs/images/([^"]+)"`)

	var shown []string
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, found := range picture.FindAllStringSubmatch(string(text), -1) {
			shown = append(shown, found[1])
		}
	}
	slices.Sort(shown)

	files, err := os.ReadDir(filepath.Join(root, "docs", "images"))
	require.NoError(t, err)
	var there []string
	for _, file := range files {
		there = append(there, file.Name())
	}
	assert.Equal(t, there, slices.Compact(shown))
}
