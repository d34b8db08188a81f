package testserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// storeLock guards a store, and counts what those who may change it have done.
type storeLock struct {
	sync.RWMutex
	// changed holds a value when the store may have changed since it was last taken out;
	// nil when no one wants to know.
	changed chan struct{}
}

// Unlock ends a time in which the store may have changed.
func (l *storeLock) Unlock() {
	l.RWMutex.Unlock()
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// dataFile is the file in which a server keeps its store.
type dataFile struct {
	path   string
	server *Server
	// written is what the file holds.
	written []byte
}

// keepIn makes a server keep its store in a file, from now on.
func (s *Server) keepIn(path string) *dataFile {
	s.mu.changed = make(chan struct{}, 1)
	return &dataFile{path: path, server: s}
}

// run writes the store at the start and after each change, and once more when the context
// ends. Changes that come while it writes are written together.
func (d *dataFile) run(ctx context.Context) error {
	for {
		ended := ctx.Err() != nil
		if err := d.write(); err != nil || ended {
			return err
		}
		select {
		case <-d.server.mu.changed:
		case <-ctx.Done():
		}
	}
}

// write puts the store into the file: whoever reads it finds the store before a change or
// after it, also when the program ends in between.
func (d *dataFile) write() error {
	var content bytes.Buffer
	if err := d.server.Dump(&content); err != nil {
		return err
	}
	if bytes.Equal(content.Bytes(), d.written) {
		return nil
	}
	if err := replaceFile(d.path, content.Bytes()); err != nil {
		return fmt.Errorf("cannot keep the data in %s: %w", d.path, err)
	}
	d.written = content.Bytes()
	return nil
}

// replaceFile puts another content into a file at once.
func replaceFile(path string, content []byte) (err error) {
	// A link stays one.
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
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
	if before, statErr := os.Stat(path); statErr == nil {
		if err := os.Chmod(temporary.Name(), before.Mode().Perm()); err != nil {
			return err
		}
	}
	return os.Rename(temporary.Name(), path)
}
