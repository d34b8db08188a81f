package cli

import "testing"

// sized is how many of something a test takes: a tenth of them with -short, which is how
// make test and the race detector run.
func sized(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}
