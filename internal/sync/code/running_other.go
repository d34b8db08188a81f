//go:build !unix

package code

import "os"

// isRunning reports whether a process with this ID exists.
func isRunning(process int) bool {
	p, err := os.FindProcess(process)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
