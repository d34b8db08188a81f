// Package atomicfile writes files completely or not at all.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// newFile are the permissions of a file that did not exist before.
const newFile = 0o644

// Write replaces the file at path by what the function writes. If that fails, or the disk
// is full, the file stays as it was, and no temporary file is left. An existing file keeps
// its permissions, and a symbolic link stays one.
func Write(path string, write func(io.Writer) error) error {
	target, mode, err := resolve(path)
	if err != nil {
		return err
	}

	temporary, err := beside(path, target)
	if err != nil {
		return err
	}

	if err := fill(temporary, mode, write); err != nil {
		_ = os.Remove(temporary.Name())
		return fmt.Errorf("%s was not written and is as before: %w", path, err)
	}

	if err := os.Rename(temporary.Name(), target); err != nil {
		_ = os.Remove(temporary.Name())
		return fmt.Errorf("%s was not written and is as before: %w", path, err)
	}
	return nil
}

// Check returns an error if the file at path cannot be written.
func Check(path string) error {
	target, _, err := resolve(path)
	if err != nil {
		return err
	}
	temporary, err := beside(path, target)
	if err != nil {
		return err
	}
	return errors.Join(temporary.Close(), os.Remove(temporary.Name()))
}

// beside creates the temporary file that later replaces target: in the same directory,
// since a rename between file systems is not atomic.
func beside(path, target string) (*os.File, error) {
	temporary, err := os.CreateTemp(filepath.Dir(target), Pattern("."+filepath.Base(target)+"."))
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, fmt.Errorf("%s was not written: %w", path, failed.Err) // without the temporary name
	}
	return temporary, err
}

// resolve follows symbolic links, and returns the permissions that the file has or
// will have.
func resolve(path string) (string, fs.FileMode, error) {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, newFile, nil
	}
	if err != nil {
		return "", 0, fmt.Errorf("%s was not written: %w", path, err)
	}

	info, err := os.Stat(target)
	if err != nil {
		return "", 0, fmt.Errorf("%s was not written: %w", path, err)
	}
	if !info.Mode().IsRegular() {
		return "", 0, fmt.Errorf("%s was not written: it is not a regular file", path)
	}
	return target, info.Mode().Perm(), nil
}

// fill writes the whole content to disk and closes the file.
func fill(file *os.File, mode fs.FileMode, write func(io.Writer) error) error {
	buffered := bufio.NewWriter(file)

	err := write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = file.Chmod(mode)
	}
	// Without a sync, a crash of the machine after the rename could leave an empty file.
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}
