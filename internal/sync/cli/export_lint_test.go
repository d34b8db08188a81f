package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// OpenTofu's linter reports nothing about exported configuration.
func TestAccExportedCodeIsLinted(t *testing.T) {
	t.Parallel()
	cli := acctest.Start(t).CLI(t)
	if !strings.Contains(cli.Run("validate", "-help"), "-lint") {
		t.Skipf("%s does not have the linter of OpenTofu 1.13", cli.About())
	}
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(hostileFixtures(t, hostileNames()))})
	code, stdout, stderr := commandLine(t, t.Context(), srv, "export", cli.Dir)
	require.Equal(t, codeDone, code, "%s\n%s", stdout, stderr)

	output := cli.Run("validate", "-lint=all")

	assert.Contains(t, output, "Experimental linting enabled")
	assert.NotContains(t, output, "(core:")
}
