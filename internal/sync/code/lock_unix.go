//go:build unix

package code

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// lockInterval is the time between two looks at a lock that another process holds.
const lockInterval = 100 * time.Millisecond

// LockDir locks a directory for this process until unlock is called, or the process ends. It
// waits while another process has locked it, and calls waiting before it does. A directory that
// is not there, and one of a file system without locks, is not locked.
func LockDir(ctx context.Context, dir string, waiting func()) (unlock func(), err error) {
	file, err := os.Open(dir) //nolint:gosec // the directory that the user named
	if err != nil {
		return func() {}, nil //nolint:nilerr // what cannot be opened is not locked, and is read next
	}
	unlock = func() { _ = file.Close() }
	for isFirst := true; ; isFirst = false {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return unlock, nil
		}
		if isFirst {
			waiting()
		}
		select {
		case <-ctx.Done():
			unlock()
			return nil, context.Cause(ctx)
		case <-time.After(lockInterval):
		}
	}
}
