package pemfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const text = "# ours\n-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"

func TestText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ca.pem"), []byte(text), 0o600))
	for name, value := range map[string]string{"text": text, "relative": "ca.pem", "absolute": filepath.Join(dir, "ca.pem")} {
		read, err := Text(value, dir)
		require.NoError(t, err, name)
		assert.Equal(t, text, read, name)
	}

	none, err := Text("", dir)
	require.NoError(t, err)
	assert.Empty(t, none)
}

// What is no PEM text is refused, and not repeated: it may be a key that lost its first line.
func TestTextRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "empty"), nil, 0o600))
	for value, want := range map[string]string{
		"c2VjcmV0\nc2VjcmV0\n": "is neither PEM text, which has a line that begins with -----BEGIN, nor the path of a file",
		"c2VjcmV0":             "is the path of a file that cannot be read: ",
		"empty":                "is the path of a file without PEM text",
		".":                    "is the path of a file that cannot be read: ",
	} {
		_, err := Text(value, dir)
		require.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), "c2VjcmV0")
	}
}
