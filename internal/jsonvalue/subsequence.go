package jsonvalue

// LongestCommon returns the longest common subsequence of two lists with n and k elements, as pairs of indexes in
// ascending order. If there are several, it prefers the one that skips elements in the second list first.
func LongestCommon(n, k int, fits func(i, j int) bool) [][2]int {
	longest := lengths(n, k, fits)

	pairs := make([][2]int, 0, longest[0][0])
	for i, j := 0, 0; i < n && j < k; {
		switch {
		case fits(i, j):
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case longest[i+1][j] > longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// CommonLength returns the number of pairs of [LongestCommon].
func CommonLength(n, k int, fits func(i, j int) bool) int { return lengths(n, k, fits)[0][0] }

// lengths returns the lengths of the longest common subsequences after each pair of indexes.
func lengths(n, k int, fits func(i, j int) bool) [][]int {
	longest := make([][]int, n+1)
	for i := range longest {
		longest[i] = make([]int, k+1)
	}

	for i := n - 1; i >= 0; i-- {
		for j := k - 1; j >= 0; j-- {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if fits(i, j) {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	return longest
}
