package inputfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestErrorsSayWhatIsThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	large := filepath.Join(dir, "large")
	require.NoError(t, os.WriteFile(large, []byte("12345"), 0o600))
	missing := filepath.Join(dir, "missing")

	_, err := Read(missing)
	require.EqualError(t, err, "the file "+missing+" does not exist")
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = ReadRegular(missing, 5)
	require.EqualError(t, err, "the file "+missing+" does not exist")
	_, err = Read(filepath.Join(large, "below"))
	require.EqualError(t, err, "could not read "+filepath.Join(large, "below")+": not a directory")
	_, err = Read(dir)
	require.EqualError(t, err, dir+" is a directory. Use a file")
	_, err = ReadRegular(dir, 5)
	require.EqualError(t, err, dir+" is a directory. Use a file")
	_, err = ReadRegular(os.DevNull, 5)
	require.EqualError(t, err, os.DevNull+" is not a regular file. Use a file on disk")
	_, err = ReadRegular(large, 4)
	require.EqualError(t, err, large+" has 5 bytes. The maximum is 0 MB")

	text, err := ReadRegular(large, 5)
	require.NoError(t, err)
	assert.Equal(t, "12345", string(text))
	text, err = Read(os.DevNull)
	require.NoError(t, err)
	assert.Empty(t, text)
}
