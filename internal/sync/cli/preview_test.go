package cli

import (
	"bufio"
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Ctrl-C ends a preview. The message confirms this, and does not mention unfinished work.
func TestPreviewEnds(t *testing.T) {
	t.Parallel()
	cmd := newProcess(t).command("preview", "live")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())

	// Read stderr only after the process has ended.
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	assert.Contains(t, line, "previewing 2 surveys on http://127.0.0.1:")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, cmd.Wait(), "%s", stderr.String())
	assert.Contains(t, stderr.String(), "The preview stopped.\n")
	assert.NotContains(t, stderr.String(), "nterrupted")
}
