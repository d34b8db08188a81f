package code_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// directoryOf creates a directory with files.
func directoryOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

// filesOf returns all files in a directory, including hidden files. A subdirectory has no text.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	files := map[string]string{}
	for _, entry := range entries {
		if entry.IsDir() {
			files[entry.Name()] = ""
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		require.NoError(t, err)
		files[entry.Name()] = string(b)
	}
	return files
}

func TestWriteSetReplacesAndRemoves(t *testing.T) {
	t.Parallel()
	dir := directoryOf(t, map[string]string{"a.tf": "old a", "gone.tf": "old", "mine.tf": "mine"})
	require.NoError(t, code.WriteFiles([]code.File{
		{Path: filepath.Join(dir, "a.tf"), Write: text("new a")},
		{Path: filepath.Join(dir, "b.tf"), Write: text("new b")},
	}, []string{filepath.Join(dir, "gone.tf")}))
	assert.Equal(t, map[string]string{"a.tf": "new a", "b.tf": "new b", "mine.tf": "mine"}, filesOf(t, dir))
}

// The disk becomes full during the first file, or during the last file.
func TestWriteSetOnAFullDisk(t *testing.T) {
	t.Parallel()
	for _, full := range []string{"a.tf", "b.tf", "c.tf"} {
		before := map[string]string{"a.tf": "old a", "b.tf": "old b", "gone.tf": "old"}
		dir := directoryOf(t, before)
		var files []code.File
		for _, name := range []string{"a.tf", "b.tf", "c.tf"} {
			write := text("new " + name)
			if name == full {
				write = func(w io.Writer) error {
					_, err := io.WriteString(w, strings.Repeat("x", 1<<16))
					return errors.Join(err, syscall.ENOSPC)
				}
			}
			files = append(files, code.File{Path: filepath.Join(dir, name), Write: write})
		}

		err := code.WriteFiles(files, []string{filepath.Join(dir, "gone.tf")})
		require.ErrorIs(t, err, syscall.ENOSPC, full)
		assert.EqualError(t, err, filepath.Join(dir, full)+" was not written, and all files are unchanged: no space left on device")
		assert.Equal(t, before, filesOf(t, dir), full)
	}
}

// If a file cannot be replaced or removed, the files before it are restored.
func TestWriteSetPutsBackWhatWasReplaced(t *testing.T) {
	t.Parallel()
	files := func(dir string) []code.File {
		return []code.File{
			{Path: filepath.Join(dir, "a.tf"), Write: text("new a")},
			{Path: filepath.Join(dir, "new.tf"), Write: text("new")},
			{Path: filepath.Join(dir, "b.tf"), Write: text("new b")},
			{Path: filepath.Join(dir, "c.tf"), Write: text("new c")},
		}
	}
	before := map[string]string{"a.tf": "old a", "gone.tf": "old"}

	// A path becomes a directory between preparation and replacement.
	dir := directoryOf(t, before)
	set := files(dir)
	set[3].Write = func(w io.Writer) error {
		return errors.Join(os.Mkdir(filepath.Join(dir, "b.tf"), 0o700), text("new c")(w))
	}
	err := code.WriteFiles(set, []string{filepath.Join(dir, "gone.tf")})
	require.ErrorContains(t, err, filepath.Join(dir, "b.tf")+" was not written")
	assert.Equal(t, map[string]string{"a.tf": "old a", "gone.tf": "old", "b.tf": ""}, filesOf(t, dir))

	// A file to remove no longer exists.
	dir = directoryOf(t, before)
	err = code.WriteFiles(files(dir), []string{filepath.Join(dir, "gone.tf"), filepath.Join(dir, "never.tf")})
	require.ErrorIs(t, err, os.ErrNotExist)
	assert.Equal(t, before, filesOf(t, dir))
}
