package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withoutIDs are questions as a client sends them that does not know ids.
func withoutIDs(list []any) []any {
	for _, q := range list {
		delete(q.(fields), "id")
	}
	return list
}

func (p pulled) requireEmptyPlan() {
	p.t.Helper()
	_, planned := p.cli.Exit("plan", "-detailed-exitcode", "-no-color", "-input=false")
	assert.Zero(p.t, planned)
}

// After repairs of three saves without ids, one of them pulled before, a plan is empty, with the
// ids in the code and without.
func TestAccRepairAndPlan(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	ids := p.ids()
	repair := func(args ...string) string {
		exit, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, append([]string{"repair", "NPS", "--yes", "--terraform", p.cli.Path()}, args...)...)
		require.Equal(t, codeDone, exit, "%s\n%s", stdout, stderr)
		return stdout
	}

	p.edit(withoutIDs)
	assert.NotEqual(t, ids, p.ids())
	repair()
	assert.Equal(t, ids, p.ids())
	p.requireEmptyPlan()

	p.edit(withoutIDs)
	exit, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, "pull", p.cli.Dir, "--terraform", p.cli.Path())
	require.Equal(t, codeDifferences, exit, "%s\n%s", stdout, stderr)
	repair("--state", p.cli.Dir, "--write-ids", p.cli.Dir)
	assert.Equal(t, ids, p.ids())
	code, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(t, err)
	for id := range strings.FieldsSeq(ids) {
		assert.Contains(t, string(code), `"`+id+`"`)
	}
	p.requireEmptyPlan()
	assert.Contains(t, repair("--write-ids", p.cli.Dir), "Nothing to repair")
	again, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(t, err)
	assert.Equal(t, string(code), string(again))

	p.edit(withoutIDs)
	repair("--write-ids", p.cli.Dir)
	assert.Equal(t, ids, p.ids())
	p.requireEmptyPlan()
}
