package record

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The journal keeps the newest requests under their numbers. Ending a request whose entry or body was
// dropped does not restore the entry or the body.
func TestJournalKeepsTheNewest(t *testing.T) {
	t.Parallel()
	var j Journal
	large := make([]byte, maxKeptBytes/4)
	first, second := j.Begin(Entry{Body: large}), j.Begin(Entry{Body: large})
	for range maxEntries - 1 {
		j.Begin(Entry{})
	}
	require.Len(t, j.Entries(), maxEntries)
	assert.Nil(t, j.EntryByNumber(first.Sequence))
	assert.Equal(t, second.Sequence, j.Entries()[0].Sequence)
	j.End(first, Outcome{})
	require.Len(t, j.Entries(), maxEntries)

	for range 4 {
		j.Begin(Entry{Body: large})
	}
	total, kept := j.Counts()
	assert.Equal(t, []int64{maxEntries + 5, maxEntries}, []int64{total, kept})
	assert.LessOrEqual(t, j.keptBytes, maxKeptBytes)
	last := j.Entries()[maxEntries-1]
	j.End(last, Outcome{AnswerBody: large})
	assert.LessOrEqual(t, j.keptBytes, maxKeptBytes)
	assert.Len(t, j.EntryByNumber(last.Sequence).AnswerBody, len(large))

	j.Clear()
	assert.Empty(t, j.Entries())
	assert.Zero(t, j.keptBytes)
	assert.Equal(t, last.Sequence+1, j.Begin(Entry{}).Sequence)
}
