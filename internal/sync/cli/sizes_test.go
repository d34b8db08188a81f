package cli

import "testing"

// sized returns how many of something a test uses: a tenth with -short, which make test and the race detector set.
func sized(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}
