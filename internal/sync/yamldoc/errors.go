package yamldoc

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Error is a mistake in a file.
type Error struct {
	Line int
	Text string
}

// Errorf returns a mistake in a line.
func Errorf(line int, format string, args ...any) *Error {
	return &Error{line, fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// Errors are the mistakes in a file.
type Errors []*Error

func (e Errors) Error() string { return e.text("") }

// In returns an error of a file, with the name of the file before each mistake.
func In(file string, err error) error {
	if all, ok := errors.AsType[Errors](err); ok {
		return fileErrors{all, file}
	}
	return fmt.Errorf("%s: %w", file, err)
}

// ErrorOrNil returns the errors in the order of the file; nil if there are none.
func (e Errors) ErrorOrNil() error {
	if len(e) == 0 {
		return nil
	}
	slices.SortStableFunc(e, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
	return e
}

func (e Errors) text(prefix string) string {
	lines := make([]string, 0, len(e))
	for _, one := range e {
		line := prefix + one.Error()
		if !slices.Contains(lines, line) { // an alias repeats what its anchor has
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// fileErrors are errors with the name of their file.
type fileErrors struct {
	Errors
	file string
}

func (e fileErrors) Error() string { return e.text(e.file + ": ") }

func (e fileErrors) Unwrap() error { return e.Errors }
