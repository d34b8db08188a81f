package cli

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two pulls of one directory at once write the code that one writes, and leave nothing beside
// it and the state as it was.
func TestAccTwoPullsAtOnce(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	p.env.SetClock(time.Now().Add(time.Hour))
	p.edit(rewording(0, "How was our support?"))
	state, err := os.ReadFile(filepath.Join(p.cli.Dir, "terraform.tfstate"))
	require.NoError(t, err)

	var pulls sync.WaitGroup
	for range 2 {
		pulls.Go(func() {
			code, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, "pull", p.cli.Dir, "--terraform", p.cli.Path())
			assert.Equal(t, codeDone, code, "%s\n%s", stdout, stderr)
		})
	}
	pulls.Wait()

	assert.Equal(t, []string{".posthog-sync.lock.json"}, left(t, p.cli.Dir))
	kept, err := os.ReadFile(filepath.Join(p.cli.Dir, "terraform.tfstate"))
	require.NoError(t, err)
	assert.Equal(t, string(state), string(kept))
	written, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(t, err)
	assert.Equal(t, p.pull(), string(written), "a third pull has nothing to do")
	assert.Contains(t, string(written), `{ type = "open", question = "How was our support?" }`)
}
