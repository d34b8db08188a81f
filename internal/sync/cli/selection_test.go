package cli

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A run passes options down as values. The common flags stay as they are on the command line, even if a command
// supports only surveys, a source lacks a kind, or one source sets the other's environment.
func TestRunsLeaveTheFlagsAlone(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Documented)
	surveys := filepath.Join(s.dir, "surveys.json")
	code, _, stderr := s.run("snapshot", surveys, "--env", "a", "--kind", "surveys")
	require.Equal(t, codeDone, code, stderr)

	for _, args := range [][]string{
		{"draw", "live:a"},
		{"lint", "live:a", "--select", "*"},
		{"preview", "live:a", "--listen", "nowhere"},
		{"diff", "file:" + surveys, "live:b", "--exclude", "x"},
		{"sync", "file:" + surveys, "live:b", "--dry-run"},
		{"snapshot", filepath.Join(s.dir, "{environment}.json"), "--all-environments", "--kind", "apps"},
	} {
		parsed := s.program()
		root := newRoot(parsed)
		cmd, rest, err := root.Find(args)
		require.NoError(t, err)
		require.NoError(t, cmd.ParseFlags(rest))

		p := s.program()
		s.runWith(t.Context(), p, args...)
		assert.Equal(t, parsed.flags, p.flags, args)
	}
}

// Narrowing a selection does not change the original. Both record the globs that matched.
func TestSelectionIsAValue(t *testing.T) {
	t.Parallel()
	p := newProgram("test")
	p.flags.selected, p.flags.without = []string{"N*", "Q*"}, []string{"Never"}
	all := p.selection()
	surveys := all.of(true, false)

	assert.True(t, all.includes(source.App))
	assert.True(t, all.includes(source.Survey))
	assert.False(t, surveys.includes(source.App))

	for name, want := range map[string]bool{"NPS": true, "Never": false, "Other": false} {
		assert.Equal(t, want, surveys.selects(name), name)
	}
	assert.True(t, all.matched["N*"])
	assert.False(t, all.matched["Q*"])
}
