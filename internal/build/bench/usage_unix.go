//go:build unix

package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
)

// peakMemory is the most that a process that has ended held in RAM, in bytes.
func peakMemory(ended *os.ProcessState) (int64, error) {
	used, ok := ended.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, fmt.Errorf("the system reports %T about a process", ended.SysUsage())
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return used.Maxrss, nil
	}
	return used.Maxrss * 1024, nil //nolint:unconvert // an int32 on some systems
}
