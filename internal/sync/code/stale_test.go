package code_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// killed is an environment variable. It contains the directory in which this test program, as another process, writes
// a file until it is killed.
const killed = "ATOMICFILE_TEST_KILLED"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killed); dir != "" {
		_ = code.WriteFiles([]code.File{{Path: filepath.Join(dir, "a.tf"), Write: func(w io.Writer) error {
			_, _ = os.Stdout.WriteString("writing\n")
			select {}
		}}}, nil)
	}
	os.Exit(m.Run())
}

// The next write removes a killed process's files. It keeps files that a running process will rename, and other
// programs' files.
func TestWriteSetRemovesWhatAKilledProcessLeft(t *testing.T) {
	t.Parallel()
	dir := directoryOf(t, map[string]string{"a.tf": "old", ".a.tf.posthog-sync-x-1": "mine", ".a.tf.swp": "mine"})
	own := strings.TrimSuffix(code.TemporaryPattern(".b.tf."), "*") + "17"
	require.NoError(t, os.WriteFile(filepath.Join(dir, own), nil, 0o600))
	earlier := strings.TrimSuffix(code.TemporaryPattern(".c.tf."), "*") + "18"
	require.NoError(t, os.WriteFile(filepath.Join(dir, earlier), nil, 0o600))
	require.NoError(t, os.Chtimes(filepath.Join(dir, earlier), time.Time{}, time.Now().Add(-time.Hour)))

	writer := exec.Command(os.Args[0]) //nolint:gosec // this program
	writer.Env = append(os.Environ(), killed+"="+dir)
	output, err := writer.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, writer.Start())
	_, err = output.Read(make([]byte, 1))
	require.NoError(t, err)
	require.Len(t, filesOf(t, dir), 6, "the temporary file of a running process must stay")
	requireHidden(t, dir)
	code.RemoveStale(dir)
	require.Len(t, filesOf(t, dir), 5, "the file of an earlier process with the same ID must be removed")

	require.NoError(t, writer.Process.Kill())
	_ = writer.Wait() // killed
	require.NoError(t, code.WriteFiles([]code.File{{Path: filepath.Join(dir, "a.tf"), Write: text("new")}}, nil))
	assert.Equal(t, map[string]string{"a.tf": "new", ".a.tf.posthog-sync-x-1": "mine", ".a.tf.swp": "mine", own: ""}, filesOf(t, dir))
}

// requireHidden requires that only the user can read the temporary files, no matter what permissions the final files
// have.
func requireHidden(t *testing.T, dir string) {
	t.Helper()
	temporary, err := filepath.Glob(filepath.Join(dir, ".*.posthog-sync-*"))
	require.NoError(t, err)
	require.NotEmpty(t, temporary)
	for _, path := range temporary {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, path)
	}
}

// Two containers share a directory, but have separate process IDs. A file may belong to a process that is invisible
// here and still in use, so it is kept for a day.
func TestRemoveStaleLeavesWhatAnotherContainerWrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	self := strconv.Itoa(os.Getpid())
	for name, age := range map[string]time.Duration{
		".a.tf.posthog-sync-0123456789ab-999999999-1":    time.Hour,
		".a.tf.posthog-sync-0123456789ab-" + self + "-2": time.Hour,
		".a.tf.posthog-sync-999999999-3":                 time.Hour,
		".b.tf.posthog-sync-0123456789ab-999999999-1":    25 * time.Hour,
		".b.tf.posthog-sync-0123456789ab-" + self + "-2": 25 * time.Hour,
		".b.tf.posthog-sync-999999999-3":                 25 * time.Hour,
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		made := time.Now().Add(-age)
		require.NoError(t, os.Chtimes(path, made, made))
	}

	code.RemoveStale(dir)
	assert.Equal(t, map[string]string{
		".a.tf.posthog-sync-0123456789ab-999999999-1": "", ".a.tf.posthog-sync-0123456789ab-" + self + "-2": "", ".a.tf.posthog-sync-999999999-3": "",
	}, filesOf(t, dir))
}
