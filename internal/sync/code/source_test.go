package code_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ text, complaint string }{
		"usual":             {"a = [{ b = \"${c}\" }]\n", ""},
		"signs in texts":    {"a = \"" + strings.Repeat("-!? ", 20_000) + "\"\n", ""},
		"many conditions":   {strings.Repeat("a = b ? [c ? -1 : 2, !d] : [3]\n", 5000), ""},
		"brackets in texts": {"a = \"" + strings.Repeat("(", 5000) + "\"\n", ""},
		"many lists":        {strings.Repeat("a = [[1], [2]]\n", 5000), ""},
		"deep":              {"a = " + strings.Repeat("[", 200_000), "x.tf nests more than 500 brackets"},
		"deep parentheses":  {"a = " + strings.Repeat("(", 200_000), "more than 500 brackets"},
		"deep objects":      {"a = " + strings.Repeat("{ a = ", 200_000), "more than 500 brackets"},
		"deep blocks":       {strings.Repeat("a {\n", 200_000), "more than 500 brackets"},
		"deep templates":    {"a = " + strings.Repeat(`"${`, 200_000), "more than 500 brackets"},
		"deep negation":     {"a = " + strings.Repeat("! ", 20_000), "or 10000 operators"},
		"deep signs":        {"a = " + strings.Repeat("-", 20_000), "or 10000 operators"},
		"deep conditions":   {"a = (" + strings.Repeat("b ? [1, 2] :\n", 20_000), "or 10000 operators"},
		"deep directives":   {"a = \"" + strings.Repeat("%{ if b }", 20_000), "or 10000 operators"},
	} {
		path := filepath.Join(t.TempDir(), "x.tf")
		require.NoError(t, os.WriteFile(path, []byte(row.text), 0o600))
		source, err := code.ReadSource(path)
		if row.complaint == "" {
			require.NoError(t, err, name)
			assert.Equal(t, row.text, string(source), name)
		} else {
			assert.ErrorContains(t, err, row.complaint, name)
		}
	}

	_, err := code.ReadSource(t.TempDir())
	assert.ErrorContains(t, err, "is not a regular file")
	_, err = code.ReadSource(filepath.Join(t.TempDir(), "x.tf"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}
