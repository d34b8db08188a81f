package main

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
)

// recordingHeader is the first record of a recording: a file with what Terraform sends to
// a provider during a plan, state and configuration in the encoding of the protocol. A
// recordedSurvey follows for each survey.
type recordingHeader struct {
	ProviderConfig []byte
	SchemaVersion  int64
}

// recordedSurvey is one survey of a recording.
type recordedSurvey struct {
	Number    int
	StateJSON []byte // as the state file holds it
	State     []byte // the same in the encoding of the protocol
	Private   []byte
	Config    []byte // what is in the state already
	Changed   []byte // the same with one word changed
	Proposed  []byte // the state with that word changed
}

// recordingWriter writes a recording; its encoder may be called by several at a time.
type recordingWriter struct {
	file *os.File
	gob  *gob.Encoder
}

func createRecording(path string, first recordingHeader) (recordingWriter, error) {
	file, err := os.Create(path)
	if err != nil {
		return recordingWriter{}, err
	}
	w := recordingWriter{file, gob.NewEncoder(file)}
	return w, w.gob.Encode(first)
}

// recording reads a recording. It decodes the surveys one by one, so that the measured
// memory does not include the whole recording.
type recording struct {
	recordingHeader
	file *os.File
	gob  *gob.Decoder
}

func openRecording(path string) (*recording, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &recording{file: file, gob: gob.NewDecoder(file)}
	if err := s.gob.Decode(&s.recordingHeader); err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Join(err, file.Close()))
	}
	return s, nil
}

// each calls do for every entry, ten at a time as Terraform does, and closes the
// recording.
func (s *recording) each(ctx context.Context, do func(recordedSurvey) error) error {
	return errors.Join(tenAtATime(ctx, func() (func() error, error) {
		var e recordedSurvey
		if err := s.gob.Decode(&e); err != nil {
			return nil, err
		}
		return func() error { return do(e) }, nil
	}), s.file.Close())
}

// forEach calls do for the numbers below n, ten at a time.
func forEach(ctx context.Context, n int, do func(i int) error) error {
	next := 0
	return tenAtATime(ctx, func() (func() error, error) {
		i := next
		if next++; i == n {
			return nil, io.EOF
		}
		return func() error { return do(i) }, nil
	})
}

// tenAtATime calls the functions that next returns, until it returns io.EOF, one fails or
// the context ends.
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
