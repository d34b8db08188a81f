package jsonvalue_test

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

func TestLongest(t *testing.T) {
	t.Parallel()

	longest := func(a, b string) [][2]int {
		return jsonvalue.LongestCommon(len(a), len(b), func(i, j int) bool { return a[i] == b[j] })
	}
	assert.Empty(t, longest("", "abc"))
	assert.Equal(t, [][2]int{{0, 0}, {2, 1}, {3, 3}}, longest("abcd", "acxd"))
	assert.Equal(t, [][2]int{{0, 1}}, longest("ab", "ba"), "of two equally long subsequences, the one that skips elements of the second list must be chosen")
}

func TestNothingIsLonger(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.IntRange(0, 3), 0, 8)
		a, b := list.Draw(t, "a"), list.Draw(t, "b")
		fits := func(i, j int) bool { return a[i] == b[j] }

		pairs := jsonvalue.LongestCommon(len(a), len(b), fits)
		last := [2]int{-1, -1}
		for _, pair := range pairs {
			require.True(t, fits(pair[0], pair[1]), "%v", pair)
			require.True(t, pair[0] > last[0] && pair[1] > last[1], "pair %v must not come after %v", pair, last)
			last = pair
		}
		require.Len(t, pairs, longestOfAll(a, b))
		require.Equal(t, len(pairs), jsonvalue.CommonLength(len(a), len(b), fits))
	})
}

// longestOfAll tries every subsequence of a list.
func longestOfAll(a, b []int) int {
	longest := 0
	for chosen := range uint(1) << len(a) {
		at := 0
		for i := range a {
			if chosen&(1<<i) == 0 {
				continue
			}
			for at < len(b) && b[at] != a[i] {
				at++
			}
			at++
		}
		if at <= len(b) {
			longest = max(longest, bits.OnesCount(chosen))
		}
	}
	return longest
}
