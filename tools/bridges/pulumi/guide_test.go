package pulumi_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGuideNamesVersions fails when the guide has other versions than go.mod.
func TestGuideNamesVersions(t *testing.T) {
	t.Parallel()
	module, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	guide, err := os.ReadFile(filepath.FromSlash("../README.md"))
	require.NoError(t, err)

	fork := regexp.MustCompile(`(?m)^replace github\.com/hashicorp/.*$`).Find(module)
	require.NotEmpty(t, fork)
	assert.Contains(t, string(guide), string(fork))

	bridge := regexp.MustCompile(`pulumi-terraform-bridge/v3 v(3\.\d+)\.`).FindSubmatch(module)
	require.NotNil(t, bridge)
	assert.Contains(t, string(guide), string(bridge[1]))
}
