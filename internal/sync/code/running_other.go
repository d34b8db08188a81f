//go:build !unix

package code

import "os"

// isRunning reports whether there is a process of that number.
func isRunning(process int) bool {
	p, err := os.FindProcess(process)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
