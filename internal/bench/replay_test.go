package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSameBytes(t *testing.T) {
	t.Parallel()
	require.True(t, sameBytes([]byte("promoters, detractors"), []byte("detractors, promoters")))
	require.False(t, sameBytes([]byte("current"), []byte("coming")))
	require.False(t, sameBytes([]byte(before), []byte(after)), "a changed plan must not pass as unchanged")
	require.False(t, sameBytes([]byte("aab"), []byte("abb")))
}
