// Package inputfile reads files that users specify, and explains why it cannot read a file. It does not
// interpret the content.
package inputfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Read reads a file, which may be a pipe.
func Read(path string) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, describe(path, err)
	}
	return text, nil
}

// ReadRegular reads a regular file of at most most bytes. It rejects pipes, because reading a pipe may never
// end.
func ReadRegular(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, describe(path, err)
	case info.IsDir():
		return nil, isDirectory(path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file. Use a file on disk", path)
	case info.Size() > most:
		return nil, fmt.Errorf("%s has %d bytes. The maximum is %d MB", path, info.Size(), most>>20)
	}
	return Read(path)
}

// Open opens a file, which may be a pipe.
func Open(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, describe(path, err)
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, errors.Join(isDirectory(path), file.Close())
	}
	return file, nil
}

func isDirectory(path string) error { return fmt.Errorf("%s is a directory. Use a file", path) }

// describe explains why the file at a path is not readable. The error wraps its cause.
func describe(path string, err error) error {
	text := ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text = fmt.Sprintf("the file %s does not exist", path)
	case errors.Is(err, fs.ErrPermission):
		text = fmt.Sprintf("permission to read %s is denied", path)
	default:
		cause := err
		if failed, ok := errors.AsType[*fs.PathError](err); ok {
			cause = failed.Err
		}
		text = fmt.Sprintf("could not read %s: %v", path, cause)
	}
	return &unreadable{text, err}
}

// unreadable is the error for a file that cannot be read.
type unreadable struct {
	text  string
	cause error
}

func (e *unreadable) Error() string { return e.text }

func (e *unreadable) Unwrap() error { return e.cause }
