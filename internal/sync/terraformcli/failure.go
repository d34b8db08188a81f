package terraformcli

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// failure is the error of a CLI that failed: the first thing that it says is wrong. One
// mistake in a file often has a hundred consequences.
type failure struct {
	text  string
	cause error
}

func (e *failure) Error() string { return e.text }

func (e *failure) Unwrap() error { return e.cause }

// diagnostic matches the beginning of an error among those that a CLI prints.
var diagnostic = regexp.MustCompile(`(?m)^Error: `)

// failed is the error of a failed CLI.
func (c *CLI) failed(ctx context.Context, command, dir string, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("%s %s in %s was stopped: %w", c.Name(), command, dir, cause)
	}

	what := fmt.Sprintf("%s %s failed in %s", c.Name(), command, dir)
	errors := diagnostic.Split(strings.TrimSpace(err.Error()), -1)[1:]
	if len(errors) == 0 {
		return fmt.Errorf("%s: %w", what, err)
	}

	text := what + ": " + strings.TrimSpace(errors[0])
	switch others := len(errors) - 1; {
	case others == 1:
		text += fmt.Sprintf("\n\nThere is another error, which %s %s prints in that directory.", c.Name(), command)
	case others > 1:
		text += fmt.Sprintf("\n\nThere are %d more errors, which %s %s prints in that directory.", others, c.Name(), command)
	}
	return &failure{text, err}
}
