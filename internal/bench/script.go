package main

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
)

// A script is what Terraform would send to a provider while it plans: what a
// prepared run has put into the state, and the configuration, in the encoding of
// the protocol. It is a file of one opening and one entry for each survey.
type opening struct {
	ProviderConfig []byte
	SchemaVersion  int64
}

// entry is one survey.
type entry struct {
	Number    int
	StateJSON []byte // as the state file holds it
	State     []byte // the same in the encoding of the protocol
	Private   []byte
	Config    []byte // what is in the state already
	Changed   []byte // the same with one word changed
	Proposed  []byte // the state with that word changed
}

// scriptWriter writes a script; its encoder may be called by several at a time.
type scriptWriter struct {
	file *os.File
	gob  *gob.Encoder
}

func createScript(path string, first opening) (scriptWriter, error) {
	file, err := os.Create(path)
	if err != nil {
		return scriptWriter{}, err
	}
	w := scriptWriter{file, gob.NewEncoder(file)}
	return w, w.gob.Encode(first)
}

// script is a script that is read. The entries come one by one, so that the memory
// that is measured is not that of the script.
type script struct {
	opening
	file *os.File
	gob  *gob.Decoder
}

func openScript(path string) (*script, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &script{file: file, gob: gob.NewDecoder(file)}
	if err := s.gob.Decode(&s.opening); err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Join(err, file.Close()))
	}
	return s, nil
}

// each calls do for every entry, ten at a time as Terraform does, and closes the
// script.
func (s *script) each(ctx context.Context, do func(entry) error) error {
	return errors.Join(tenAtATime(ctx, func() (func() error, error) {
		var e entry
		if err := s.gob.Decode(&e); err != nil {
			return nil, err
		}
		return func() error { return do(e) }, nil
	}), s.file.Close())
}

// tenAtATime does what next returns until it says io.EOF, something fails or the
// context ends.
func tenAtATime(ctx context.Context, next func() (func() error, error)) error {
	const parallelism = 10
	work, failed := make(chan func() error), make(chan error, parallelism)
	for range parallelism {
		go func() {
			var err error
			for do := range work {
				if err == nil {
					err = do()
				}
			}
			failed <- err
		}()
	}
	err := ctx.Err()
	for err == nil {
		var do func() error
		if do, err = next(); err == nil {
			work <- do
			err = ctx.Err()
		}
	}
	close(work)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	for range parallelism {
		err = errors.Join(err, <-failed)
	}
	return err
}
