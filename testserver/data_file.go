package testserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// dataFile is the file to which a server saves its store.
type dataFile struct {
	path   string
	server *Server
	// written is the current content of the file.
	written []byte
}

// newDataFile returns the data file of s and makes s report changes to it. The caller must call run.
func newDataFile(path string, s *Server) *dataFile {
	s.world.Mu.Changed = make(chan struct{}, 1)
	return &dataFile{path: path, server: s}
}

// resolveLink returns the target of path if path is a symbolic link, and path otherwise.
func resolveLink(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// run saves the store at the start, after each change, and once more when the context ends. It saves
// changes that occur during a write together in the next write.
func (d *dataFile) run(ctx context.Context) error {
	for {
		ended := ctx.Err() != nil
		if err := d.write(); err != nil || ended {
			return err
		}
		select {
		case <-d.server.world.Mu.Changed:
		case <-ctx.Done():
		}
	}
}

// write replaces the file atomically with the current store. Even if the program is killed, readers
// find either the previous or the new content.
func (d *dataFile) write() error {
	var content bytes.Buffer
	if err := d.server.Dump(&content); err != nil {
		return err
	}
	if bytes.Equal(content.Bytes(), d.written) {
		return nil
	}
	if err := replaceFile(d.path, content.Bytes()); err != nil {
		return fmt.Errorf("could not store the data in %s: %w", d.path, err)
	}
	d.written = content.Bytes()
	return nil
}

// replaceFile replaces the content of a file atomically, and keeps its mode.
func replaceFile(path string, content []byte) (err error) {
	path = resolveLink(path) // keeps a symbolic link, and replaces its target
	temporary, err := os.CreateTemp(filepath.Dir(path), temporaryPattern(path))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temporary.Name())
		}
	}()

	_, err = temporary.Write(content)
	err = errors.Join(err, temporary.Sync(), temporary.Close())
	if err != nil {
		return err
	}
	if existing, statErr := os.Stat(path); statErr == nil {
		if err := os.Chmod(temporary.Name(), existing.Mode().Perm()); err != nil {
			return err
		}
	}
	return os.Rename(temporary.Name(), path)
}

// lockData locks a data file until unlock is called or the process ends, so that two servers don't
// overwrite each other's changes. Each change replaces the data file itself, so the lock is held on a
// separate file in the same directory, which is never removed.
func lockData(path string) (unlock func(), err error) {
	target := resolveLink(path)
	lock := flock.New(filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".lock"))
	locked, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("could not store the data in %s: %w", path, err)
	case !locked:
		return nil, fmt.Errorf("another posthog-testserver stores its data in %s, and the two would overwrite each other's changes. "+
			"Stop that server, or set -data to another file", path)
	}
	removeTemporaryFiles(target)
	return func() { _ = lock.Close() }, nil
}

// removeTemporaryFiles removes temporary files that killed servers left next to the data file. The caller
// holds the lock, so no other server is writing one. Errors are ignored because a leftover file does no harm.
func removeTemporaryFiles(path string) {
	prefix, suffix, _ := strings.Cut(temporaryPattern(path), "*")
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, entry := range entries {
		name := entry.Name()
		if len(name) > len(prefix)+len(suffix) && strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix) {
			_ = os.Remove(filepath.Join(filepath.Dir(path), name))
		}
	}
}

// temporaryPattern returns the pattern for [os.CreateTemp] for the temporary files of a data file.
func temporaryPattern(path string) string { return "." + filepath.Base(path) + ".*.tmp" }
