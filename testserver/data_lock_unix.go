//go:build unix && !aix && !solaris

package testserver

import (
	"errors"
	"os"
	"syscall"
)

// lockFile creates a file if needed, and locks it for this process. The lock ends with the
// process, however that ends.
func lockFile(path string) (*os.File, error) {
	for {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, err
		}

		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil && isFile(path, file):
			return file, nil
		case err == nil:
			// The one that had it has removed it in the meantime.
			_ = file.Close()
		case errors.Is(err, syscall.EWOULDBLOCK):
			return nil, errors.Join(errLocked, file.Close())
		default:
			return nil, errors.Join(err, file.Close())
		}
	}
}

// unlockFile removes the file, and then ends the lock on it.
func unlockFile(file *os.File) {
	// If this fails the file is left over, without a lock on it.
	_ = os.Remove(file.Name())
	_ = file.Close()
}
