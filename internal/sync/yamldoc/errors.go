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

// Errorf returns an Error for a mistake on a line.
func Errorf(line int, format string, args ...any) *Error {
	return &Error{line, fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// Errors contains the mistakes in a file.
type Errors []*Error

func (e Errors) Error() string { return e.text("") }

// In adds the file's name to each mistake.
func In(file string, err error) error {
	if all, ok := errors.AsType[Errors](err); ok {
		return fileErrors{all, file}
	}
	return fmt.Errorf("%s: %w", file, err)
}

// ErrorOrNil returns the errors in file order, or nil if there are none.
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
		if !slices.Contains(lines, line) { // an alias repeats the mistakes of its anchor
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// fileErrors contains errors and their file's name.
type fileErrors struct {
	Errors
	file string
}

func (e fileErrors) Error() string { return e.text(e.file + ": ") }

func (e fileErrors) Unwrap() error { return e.Errors }
