package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFilesOfTheArchives(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "release")
	require.NoError(t, write(dir))

	for _, file := range []string{
		"posthog-sync/man/posthog-sync.1",
		"posthog-sync/man/posthog-sync-export.1",
		"posthog-sync/completions/_posthog-sync",
		"posthog-sync/completions/posthog-sync.bash",
		"posthog-sync/completions/posthog-sync.fish",
		"posthog-sync/completions/posthog-sync.ps1",
		"posthog-testserver/man/posthog-testserver.1",
		"posthog-testserver/completions/_posthog-testserver",
		"posthog-testserver/completions/posthog-testserver.bash",
	} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		require.NoError(t, err)
		assert.Contains(t, string(text), "posthog", file)
	}

	require.Error(t, write(""), "the working directory is never replaced")
}
