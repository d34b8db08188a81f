package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// What export writes is what is there: nothing differs, nothing is to be done, and the same surveys
// give the same bytes.
func TestExportedYAMLIsTheLiveSide(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			s := newTwoSides(t, profile)
			rapid.Check(t, func(rt *rapid.T) {
				s.fill(rt, profile)
				file := filepath.Join(t.TempDir(), "surveys.yaml")
				s.must("export", "--env", "a", "--to", "yaml", file)
				written, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Equal(t, string(written), s.must("export", "--env", "a", "--to", "yaml"))

				s.must("diff", "file:"+file, "live:a", "--kind", "surveys")
				s.must("diff", "live:a", "file:"+file, "--kind", "surveys")
				s.must("sync", "file:"+file, "live:a", "--yes")
			})
		})
	}
}

// must runs a command line that succeeds, and returns its output.
func (s *twoSides) must(args ...string) string {
	s.t.Helper()
	code, stdout, stderr := s.run(args...)
	require.Equal(s.t, codeDone, code, "%v: %s%s", args, stdout, stderr)
	return stdout
}
