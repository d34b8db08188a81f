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

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// content returns a file's text. The file must be the only one in its directory.
func content(t *testing.T, path string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1, "no temporary file may remain next to the file")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

func TestWriteReplaces(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.json")
	require.NoError(t, code.WriteFile(path, text("old")))
	require.NoError(t, os.Chmod(path, 0o600))
	require.NoError(t, code.WriteFile(path, text("new")))
	assert.Equal(t, "new", content(t, path))

	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "a write must keep the file's permissions")
}

func TestWriteKeepsALink(t *testing.T) {
	t.Parallel()
	target := filepath.Join(t.TempDir(), "target")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.WriteFile(target, []byte("old"), 0o600))
	require.NoError(t, os.Symlink(target, link))
	require.NoError(t, code.WriteFile(link, text("new")))
	assert.Equal(t, "new", content(t, target))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink)
}

// The disk becomes full after the first buffer is written.
func TestFullDiskLeavesTheFileAsItWas(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.json")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	err := code.WriteFile(path, func(w io.Writer) error {
		if _, err := io.WriteString(w, strings.Repeat("x", 1<<16)); err != nil {
			return err
		}
		return syscall.ENOSPC
	})
	require.ErrorIs(t, err, syscall.ENOSPC)
	assert.EqualError(t, err, path+" was not written, and all files are unchanged: no space left on device")
	assert.Equal(t, "old", content(t, path))
}

func TestPlacesThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for path, complaint := range map[string]string{
		filepath.Join(dir, "nowhere", "a.json"): "nowhere does not exist. Create it",
		filepath.Join(file, "a.json"):           "not a directory",
		dir:                                     "was not written: it is not a regular file",
	} {
		called := false
		err := code.WriteFile(path, func(io.Writer) error { called = true; return errors.New("never") })
		assert.ErrorContains(t, err, complaint)
		assert.ErrorContains(t, code.CheckWritable(path), complaint)
		assert.False(t, called)
	}
	require.NoError(t, code.CheckWritable(file))
	require.NoError(t, code.CheckWritable(filepath.Join(dir, "new")))
	assert.NoFileExists(t, filepath.Join(dir, "new"))
}
