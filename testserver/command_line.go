package testserver

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// helpHint is the last sentence of errors in the command line.
const helpHint = "To list the flags and commands, run posthog-testserver -h"

// parseFlags parses a command line. Its errors contain the remedy, except [flag.ErrHelp].
func parseFlags(flags *flag.FlagSet, args []string) error {
	flags.SetOutput(io.Discard) // by default, the flag set prints each error, followed by all flags
	err := flags.Parse(args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return err
	}

	// Package flag has no error types.
	problem, remedy := err.Error(), helpHint
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
		problem = fmt.Sprintf("the flag -%s does not exist.", name)
		if meant := wire.Nearest(name, flagNames(flags)); meant != "" {
			remedy = fmt.Sprintf("Did you mean -%s? %s", meant, helpHint)
		}
	} else if name, ok := strings.CutPrefix(err.Error(), "flag needs an argument: "); ok {
		problem = name + " requires a value."
	} else if written, ok := strings.CutPrefix(err.Error(), "bad flag syntax: "); ok {
		problem = written + " is not a flag."
	} else {
		expected := "it must be a number"
		if strings.HasPrefix(problem, "invalid boolean") {
			expected = "it must be true or false"
		}
		problem = strings.Replace(problem, "parse error", expected, 1) + "."
	}
	return fmt.Errorf("%s %s", problem, remedy)
}

func flagNames(flags *flag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}

// printUsage prints the command lines and flags of the program.
func printUsage(flags *flag.FlagSet, to io.Writer) {
	_, _ = fmt.Fprintf(to, "Usage:\n  posthog-testserver [flags]           serve until interrupted\n"+
		"  posthog-testserver [flags] health    report whether a server at -listen serves: exit code 0 if it does, 1 if not\n\nFlags:\n")
	flags.SetOutput(to)
	flags.PrintDefaults()
}
