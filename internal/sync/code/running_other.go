//go:build !unix

package code

import "os"

// isRunning reports whether there is a process of that number.
func isRunning(process int) bool {
	found, err := os.FindProcess(process)
	if err != nil {
		return false
	}
	_ = found.Release()
	return true
}
