package testserver

import (
	"errors"
	"os"
	"syscall"
)

// Names of the system that package syscall lacks.
const (
	errSharingViolation syscall.Errno = 32
	deleteOnClose                     = 0x04000000
)

// lockFile creates a file that no other process can open. It goes with the process, however
// that ends.
func lockFile(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS,
		syscall.FILE_ATTRIBUTE_NORMAL|deleteOnClose, 0)
	if errors.Is(err, errSharingViolation) {
		return nil, errLocked
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}

// unlockFile ends the lock, and with it the file.
func unlockFile(file *os.File) { _ = file.Close() }
