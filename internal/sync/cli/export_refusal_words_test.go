package cli

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/export"
)

// Every refusal of an export has words and is a refusal to the shell; other errors stay.
func TestRefusalsOfExportHaveWords(t *testing.T) {
	t.Parallel()
	for _, code := range export.RefusalCodes() {
		refusal := &export.Refusal{Code: code, File: "own.tf"}
		err := wordedRefusal(fmt.Errorf("somewhere: %w", refusal))
		assert.Equal(t, codeRefused, exitCode(err), code)
		assert.Contains(t, err.Error(), "own.tf", code)
		assert.NotContains(t, err.Error(), string(code))
	}
	assert.Len(t, refusalWords, len(export.RefusalCodes()))

	other := errors.New("other")
	require.Same(t, other, wordedRefusal(other))
}
