//go:build unix

package code

import (
	"errors"
	"syscall"
)

// isRunning reports whether a process with this ID exists, including processes of other users.
func isRunning(process int) bool { return !errors.Is(syscall.Kill(process, 0), syscall.ESRCH) }
