package provider

import (
	"os"
	"runtime/debug"
)

// CollectLess has garbage collected at every fivefold of the heap, unless GOGC says when.
// A provider lives for one run and holds little: at every doubling of 10 MB, collecting
// would be a third of the CPU time of a plan that changes surveys. It is for a process
// that is nothing but the provider.
func CollectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
