//go:build unix

package code_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// Nothing writes to the pipe, so reading it would never end.
func TestReadRefusesAPipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "surveys.tf")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	for _, read := range []func(string) ([]byte, error){code.ReadSource, code.ReadForReplacement} {
		_, err := read(path)
		assert.ErrorContains(t, err, "surveys.tf is not a regular file")
	}
}
