package provider

import (
	"os"
	"runtime/debug"
)

// CollectLess sets GOGC to 400, unless the variable is set. A provider runs for a single
// command and uses little memory: with Go's default of 100, garbage collection would take a
// third of the CPU time of a plan that changes surveys. It is for a process that is nothing
// but the provider.
func CollectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
