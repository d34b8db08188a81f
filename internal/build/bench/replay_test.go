package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A do-nothing provider that planned a change where there is none would make the
// real one look good.
func TestDoNothingProvidersPlanWhatIsExpected(t *testing.T) {
	t.Parallel()
	for _, c := range []variant{typed, jsonText} {
		t.Run(string(c), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "recording")
			require.NoError(t, prepare(t.Context(), c, 3, path))
			for _, change := range []bool{false, true} {
				_, err := replay(t.Context(), c, path, change)
				require.NoError(t, err)
			}
		})
	}
}

func TestReplayRefusesAPlanThatDoesOtherwise(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "recording")
	require.NoError(t, prepare(t.Context(), jsonText, 1, path))
	made, err := openRecording(path)
	require.NoError(t, err)
	var one recordedSurvey
	require.NoError(t, made.gob.Decode(&one))
	require.NoError(t, made.file.Close())

	one.Proposed = nil
	newServer, err := jsonText.server(t.Context())
	require.NoError(t, err)
	planning := session{t.Context(), newServer()}
	require.NoError(t, planning.configure(made.ProviderConfig))
	require.NoError(t, planning.replayPlan(made.recordingHeader, one, false))

	// The block says something new, and the proposal does not.
	upgraded, err := planning.upgrade(made.SchemaVersion, one.StateJSON)
	require.NoError(t, err)
	one.Proposed = upgraded.MsgPack
	require.ErrorContains(t, planning.replayPlan(made.recordingHeader, one, true), "did the opposite")
}

func TestSameBytes(t *testing.T) {
	t.Parallel()
	require.True(t, sameByteCounts([]byte("promoters, detractors"), []byte("detractors, promoters")))
	require.False(t, sameByteCounts([]byte("current"), []byte("coming")))
	require.False(t, sameByteCounts([]byte(before), []byte(after)), "a changed plan must not pass as unchanged")
	require.False(t, sameByteCounts([]byte("aab"), []byte("abb")))
}
