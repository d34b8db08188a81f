package environment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// lookUp returns the path of the nearest file, or an empty string. The file decides which variable is sent
// to which host, so it must belong to the user. The search therefore ends at the repository root, and at
// the first parent directory that another user owns.
func lookUp(dir string) (string, error) {
	for {
		path := filepath.Join(dir, FileName)
		info, err := os.Stat(path)
		switch {
		case err == nil && !info.Mode().IsRegular():
			return "", fmt.Errorf("%s is not a regular file", path) // reading a pipe could block forever
		case err == nil:
			return path, checkOwner(dir, path, info)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("could not look for %s: %w", FileName, err)
		}

		parent := filepath.Dir(dir)
		if parent == dir || isRepositoryRoot(dir) || !isOwnDirectory(parent) {
			return "", nil
		}
		dir = parent
	}
}

// isRepositoryRoot reports whether a directory is the root of a git repository or worktree. In a worktree,
// .git is a file.
func isRepositoryRoot(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

func isOwnDirectory(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && isOwn(info)
}

// checkOwner returns an error if another user owns the file or its directory. Silently skipping such a file
// could select a different project.
func checkOwner(dir, path string, info fs.FileInfo) error {
	if isOwn(info) && isOwnDirectory(dir) {
		return nil
	}
	return fmt.Errorf("%s was not read, because it or its directory belongs to another user, and this file controls "+
		"where the API key is sent. If you trust the file, set --config %s", path, path)
}
