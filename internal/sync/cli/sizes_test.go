package cli

import "testing"

// sized returns how many items a test uses: n, or a tenth of n with -short, which make test and the race detector
// set.
func sized(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}
