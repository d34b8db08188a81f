package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// source contains texts that users read, and strings that they don't.
const source = "package p\n" +
	"import \"a path with many words\"\n" +
	"type t struct { a int `json:\"a b c d e\"` }\n" +
	"var pattern = regexp.MustCompile(\"one two three four\")\n" +
	"var refused = wire.Refused(\"name\", \"This field may not be blank.\")\n" +
	"var short = \"two words\"\n" +
	"var json = `{\"this is a document\": 1}`\n" +
	"var _ = fmt.Sprintf(\"cannot read %q of a survey: %v\", a, err)\n" +
	"var _ = \"The plan launches \" +\n\tname + \" in the project.\"\n" +
	"var long = `The first line of a help.\n\nThe third line of a help.`\n"

func TestExtractFindsWhatUsersRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "p.go")
	require.NoError(t, os.WriteFile(path, []byte(source), 0o600))
	passages, err := extractPassages(path)
	require.NoError(t, err)
	page, places := render("p.go", passages)

	assert.Equal(t, "cannot read `x` of a survey: `x`\n\nThe plan launches `x` in the project.\n\nThe first line of a help.\n\nThe third line of a help.\n\n", page)
	assert.Equal(t, []string{"p.go:8", "", "p.go:9", "", "p.go:11", "p.go:12", "p.go:13", ""}, places)
}
