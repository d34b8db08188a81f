//go:build unix

package code

import (
	"errors"
	"syscall"
)

// isRunning reports whether there is a process of that number, be it another user's.
func isRunning(process int) bool { return !errors.Is(syscall.Kill(process, 0), syscall.ESRCH) }
