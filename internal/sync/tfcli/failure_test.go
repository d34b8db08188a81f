package tfcli

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A CLI prints many errors about a broken file. The error contains the first of them and the number of the others.
func TestFailedSaysTheFirstError(t *testing.T) {
	t.Parallel()
	first := "Error: Invalid multi-line string\n\n  on main.tf line 2, in resource \"a\" \"b\":\n   2:   name = \"n\n\nQuoted strings may not be split.\n"
	other := "\nError: Unterminated template string\n\n  on main.tf line 2\n\nNo closing marker was found.\n"
	c := &CLI{Path: "/bin/terraform"}

	for others, end := range []string{"", "\n\nTo see the remaining 1 error, run terraform plan in that directory.", "\n\nTo see the remaining 2 errors, run terraform plan in that directory."} {
		cause := errors.New("exit status 1\n\n" + first + strings.Repeat(other, others))
		err := c.failed(t.Context(), "plan", "code", cause)
		require.EqualError(t, err, "terraform plan failed in code: "+strings.TrimSpace(strings.TrimPrefix(first, "Error: "))+end)
		assert.ErrorIs(t, err, cause)
	}

	cause := errors.New("exit status 137")
	err := c.failed(t.Context(), "plan", "code", cause)
	assert.EqualError(t, err, "terraform plan failed in code: exit status 137")

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	assert.EqualError(t, c.failed(ctx, "plan", "code", cause), "terraform plan in code was stopped: interrupted")
}
