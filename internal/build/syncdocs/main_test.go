package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The options of all commands are listed once; each page names where.
func TestCommonOptionsAreOnOnePage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, write(dir))

	pages, err := filepath.Glob(filepath.Join(dir, "*.md"))
	require.NoError(t, err)
	require.Greater(t, len(pages), 12)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		isRoot := filepath.Base(page) == "posthog-sync.md"
		assert.Equal(t, isRoot, strings.Contains(string(text), "--all-environments   "), page)
		assert.Equal(t, !isRoot, strings.Contains(string(text), "(posthog-sync.md#options)"), page)
		assert.NotContains(t, string(text), "inherited from parent", page)
	}
}
