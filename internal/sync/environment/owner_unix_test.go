//go:build unix

package environment

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestIsOwnID(t *testing.T) {
	t.Parallel()
	assert.True(t, isOwnID(1000, 1000, ""))
	assert.False(t, isOwnID(0, 1000, ""), "a file of root is not the user's own file")
	assert.True(t, isOwnID(1000, 0, "1000"), "with sudo, a file of the calling user is root's own file")
	assert.False(t, isOwnID(1001, 0, "1000"))
	assert.False(t, isOwnID(1000, 0, ""))
	assert.False(t, isOwnID(1000, 1001, "1000"), "SUDO_UID must apply only to root")
}

// A named pipe as the configuration file is an error. Reading it would wait for a writer.
func TestFileMustBeRegular(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "posthog-sync.yaml")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	_, err := Find(path, "", func(string) string { return "" })
	assert.ErrorContains(t, err, "is not a regular file")
}
