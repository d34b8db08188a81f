package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// One page lists the global options, and every other page links to it.
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

// The page of a resource contains a row for each key that package check knows.
func TestKeysOfJSONAttributes(t *testing.T) {
	t.Parallel()
	page := filepath.Join(t.TempDir(), "survey.md")
	require.NoError(t, os.WriteFile(page, []byte("Before\n"+keysMark+"After\n"), 0o600))
	require.NoError(t, writeKeys(page))
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	for _, want := range []string{
		"Before\n### Keys of `appearance`\n", "\nAfter\n",
		"| `urlMatchType` | string | How to compare `url`. Defaults to `icontains`, which ignores case. One of `regex`, `not_regex`, `exact`, `is_not`, `icontains`, `not_icontains`. | 1.82.0 |\n",
		"| `events.values[].propertyFilters.*.values` | list of strings |", "| `groups[].properties[].operator` | string |", "| `groups[].rollout_percentage` | number, 0 to 100 |",
		"| `deviceTypes` | list of strings | Types of devices. One of `Desktop`, `Mobile`, `Tablet`. | 1.214.0 |\n", "| `LANGUAGE.thankYouMessageHeader` | string |",
		"### Keys of `questions[].translations`\n", "| `LANGUAGE.choices` | list of strings | Choices in the same order. |",
	} {
		assert.Contains(t, string(text), want)
	}
	assert.ErrorContains(t, writeKeys(page), "does not contain", "the page no longer contains the mark")
}
