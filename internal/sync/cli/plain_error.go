package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// plainError returns the text of an error, and replaces the texts of library errors with plain words.
// Library errors contain names of system calls and Go types, which mean nothing to users.
func plainError(err error) string {
	text := err.Error()
	for _, library := range libraryErrors(err) {
		if library.text != "" {
			text = strings.Replace(text, library.text, library.words, 1)
		}
	}
	return text
}

// libraryError is a library error's text, and the words that replace it.
type libraryError struct{ text, words string }

// libraryErrors returns the library errors that an error wraps, outermost first.
func libraryErrors(err error) (found []libraryError) {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		found = append(found, libraryError{pathErr.Error(), fileProblem(pathErr.Path, pathErr.Err)})
	}
	if linkErr, ok := errors.AsType[*os.LinkError](err); ok {
		found = append(found, libraryError{linkErr.Error(), fileProblem(linkErr.New, linkErr.Err)})
	}
	if execErr, ok := errors.AsType[*exec.Error](err); ok {
		found = append(found, libraryError{execErr.Error(), fmt.Sprintf("the program %q could not be started: it does not exist or is not executable", execErr.Name)})
	}
	if urlErr, ok := errors.AsType[*url.Error](err); ok {
		found = append(found, libraryError{urlErr.Error(), fmt.Sprintf("no response from %s: %v", urlErr.URL, innermost(urlErr.Err))})
	}
	if syntaxErr, ok := errors.AsType[*json.SyntaxError](err); ok {
		found = append(found, libraryError{syntaxErr.Error(), fmt.Sprintf("invalid JSON at byte %d", syntaxErr.Offset)})
	}
	if typeErr, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		words := fmt.Sprintf("the %s at byte %d has the wrong type", typeErr.Value, typeErr.Offset)
		if field := strings.Trim(typeErr.Field, "."); field != "" {
			words = fmt.Sprintf("%s: %q", words, field)
		}
		found = append(found, libraryError{typeErr.Error(), words})
	}
	if numErr, ok := errors.AsType[*strconv.NumError](err); ok {
		found = append(found, libraryError{numErr.Error(), "it must be a number"})
	}
	for _, end := range []error{io.ErrUnexpectedEOF, io.EOF} {
		if errors.Is(err, end) {
			found = append(found, libraryError{end.Error(), "it is empty or incomplete"})
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		found = append(found, libraryError{": " + fs.ErrNotExist.Error(), ""})
	}
	return found
}

// innermost returns the root cause of an error, without the system calls that libraries prepend.
func innermost(err error) error {
	for {
		cause := errors.Unwrap(err)
		if cause == nil {
			return err
		}
		err = cause
	}
}

// fileProblem explains why a file cannot be used.
func fileProblem(path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path + " does not exist"
	case errors.Is(err, fs.ErrPermission):
		return path + " cannot be used: the permissions of the file or its directory do not allow it"
	}
	return fmt.Sprintf("%s cannot be used: %v", path, err)
}
