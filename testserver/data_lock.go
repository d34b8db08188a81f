package testserver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// errLocked is the error for a lock that another process holds.
var errLocked = errors.New("another process has locked it")

// lockData locks a data file until unlock is called, so that two servers do not overwrite
// each other's changes. The data file itself is replaced at each change, so the lock is on a
// file beside it, which is no obstacle when a server was killed.
func lockData(path string) (unlock func(), err error) {
	target := followed(path)
	name := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".lock")

	file, err := lockFile(name)
	switch {
	case errors.Is(err, errLocked):
		return nil, fmt.Errorf("another posthog-testserver keeps its data in %s, and the two would overwrite each other's changes: "+
			"stop that one, or give this one a file of its own", path)
	case err != nil:
		return nil, fmt.Errorf("cannot keep the data in %s: %w", path, err)
	}
	return func() { unlockFile(file) }, nil
}

// isFile reports whether a path still names an open file.
func isFile(path string, file *os.File) bool {
	named, err := os.Stat(path)
	if err != nil {
		return false
	}
	open, err := file.Stat()
	return err == nil && os.SameFile(named, open)
}
