package faultmatrix

import (
	"os"
	"runtime/debug"
	"testing"
)

// The tests make much garbage and keep little of it: it is collected less often.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
