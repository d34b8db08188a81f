package architecture

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A property test that draws other inputs in each run fails changes that have nothing to do
// with it.
func TestPropertyTestsHaveAFixedSeed(t *testing.T) {
	t.Parallel()
	const rapid, fixed = `"pgregory.net/rapid"`, `_ "` + module + `/internal/testing/fixedseed"`
	files := tracked(t, func(path string) bool {
		return strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "tools/")
	})

	draws, isFixed := map[string]bool{}, map[string]bool{}
	for path, text := range files {
		folder := filepath.Dir(path)
		draws[folder] = draws[folder] || strings.Contains(text, rapid) && path != "internal/testing/architecture/fixed_seed_test.go"
		isFixed[folder] = isFixed[folder] || strings.Contains(text, fixed)
	}
	assert.NotEmpty(t, draws)
	for folder, random := range draws {
		assert.Equal(t, random, isFixed[folder], "%s: its tests have to import internal/testing/fixedseed if, and only if, they import rapid", folder)
	}
}
