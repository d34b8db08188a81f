package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestReadUsageEmptiesTheFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "used")
	one, two := usage{time.Second, 1}, usage{time.Minute, 2}
	require.NoError(t, os.WriteFile(file, []byte(text(one)+"\n"+text(two)+"\n"), 0o600))
	all, err := readUsage(file)
	require.NoError(t, err)
	require.Equal(t, []usage{one, two}, all)
	_, err = readUsage(file)
	require.ErrorIs(t, err, os.ErrNotExist, "what was not measured must not be taken for nothing")
}
