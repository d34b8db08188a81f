package code

import (
	"context"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// lockInterval is the time between two attempts to take a lock that another process holds.
const lockInterval = 100 * time.Millisecond

// LockDir locks a directory for this process until unlock is called or the process ends. If another
// process holds the lock, LockDir calls waiting and then waits. It does not lock a directory that does
// not exist, or whose file system does not support locks.
func LockDir(ctx context.Context, dir string, waiting func()) (unlock func(), err error) {
	lock := flock.New(dir, flock.SetFlag(os.O_RDONLY))
	unlock = func() { _ = lock.Unlock() }
	switch isLocked, err := lock.TryLock(); {
	case err != nil:
		return unlock, nil //nolint:nilerr // what cannot be locked is not locked, and is read next
	case isLocked:
		return unlock, nil
	}
	waiting()
	if _, err := lock.TryLockContext(ctx, lockInterval); err != nil && ctx.Err() != nil {
		unlock()
		return nil, context.Cause(ctx)
	}
	return unlock, nil
}
