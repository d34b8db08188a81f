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
	require.NoError(t, writeReference(dir))

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

func TestFilesOfTheArchives(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "release")
	require.NoError(t, writeRelease(dir))
	for _, file := range []string{
		"posthog-sync/man/posthog-sync.1",
		"posthog-sync/man/posthog-sync-export.1",
		"posthog-sync/completions/_posthog-sync",
		"posthog-sync/completions/posthog-sync.bash",
		"posthog-sync/completions/posthog-sync.fish",
		"posthog-sync/completions/posthog-sync.ps1",
		"posthog-testserver/man/posthog-testserver.1",
		"posthog-testserver/completions/_posthog-testserver",
	} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		require.NoError(t, err)
		assert.Contains(t, string(text), "posthog", file)
	}
}
