package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// explainFlagError explains an error in the flags of a command, and how to correct it.
func explainFlagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := "--" + unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			name = name[1:]
		}
		return notFound(cmd, "flag", name, flagNames(cmd))
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		cause := invalid.Unwrap()
		if _, ok := errors.AsType[*strconv.NumError](cause); ok && invalid.GetFlag().Value.Type() == "bool" {
			cause = errors.New("must be true or false")
		}
		return fmt.Errorf("--%s %q: %w", invalid.GetFlag().Name, invalid.GetValue(), cause)
	}

	problem := "a flag is not written correctly"
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		problem = fmt.Sprintf("--%s requires a value", missing.GetFlag().Name)
	} else if malformed, ok := errors.AsType[*pflag.InvalidSyntaxError](err); ok {
		problem = malformed.GetSpecifiedFlag() + " is not a flag"
	}
	return fmt.Errorf("%s. %s", problem, helpHint(cmd, "flag"))
}

// explainUnknownCommand returns an error if a command line's command does not exist, and nil otherwise.
func explainUnknownCommand(root *cobra.Command, args []string) error {
	_, _, err := root.Find(args)
	if err == nil {
		return nil
	}

	// Read the name from the error's text, because args may also contain flags.
	var name string
	if _, unreadable := fmt.Sscanf(err.Error(), "unknown command %q", &name); unreadable != nil {
		name = strings.Join(args, " ")
	}
	return unknownCommand(root, name)
}

// refuseUnknownTopics adds cobra's commands help and completion. It makes them return an error for an argument that is
// not a command.
func refuseUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = func(_ *cobra.Command, topic []string) error { return explainUnknownCommand(root, topic) }
		case "completion":
			cmd.Run = func(cmd *cobra.Command, _ []string) { _ = cmd.Help() } // its error is that of a write to stdout
			cmd.Args = func(cmd *cobra.Command, shells []string) error {
				if len(shells) == 0 {
					return nil
				}
				return unknownCommand(cmd, shells[0])
			}
		}
	}
}

// unknownCommand returns the error for a subcommand that a command does not have.
func unknownCommand(parent *cobra.Command, name string) error {
	var names []string
	for _, cmd := range parent.Commands() {
		names = append(names, cmd.Name())
	}
	return notFound(parent, "command", strconv.Quote(name), names)
}

// notFound returns the error for a flag or subcommand that a command does not have.
func notFound(cmd *cobra.Command, kind, name string, names []string) error {
	meant := attribute.Suggestion(strings.Trim(name, `"`), names)
	if meant != "" {
		meant = fmt.Sprintf(" Did you mean %s?", meant)
	}
	return fmt.Errorf("%s does not have the %s %s.%s %s", cmd.CommandPath(), kind, name, meant, helpHint(cmd, kind))
}

func helpHint(cmd *cobra.Command, kind string) string {
	return fmt.Sprintf("To list the %ss, run %s --help", kind, cmd.CommandPath())
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, "--"+flag.Name)
		}
	})
	return names
}

// expectArguments makes a command print its usage if it gets too many or too few arguments.
func expectArguments(cmd *cobra.Command) {
	accept := cmd.Args
	if accept == nil {
		return
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if accept(cmd, args) == nil {
			return nil
		}
		number := strconv.Itoa(len(args)) + " arguments"
		if len(args) == 1 {
			number = "1 argument"
		}
		return fmt.Errorf("%s does not accept %s. Usage: posthog-sync %s", cmd.Name(), number, cmd.Use)
	}
}

// excludeEachOther makes a command return an error if more than one of the named flags is set.
func excludeEachOther(cmd *cobra.Command, names ...string) {
	next := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		var given []string
		for _, name := range names {
			if cmd.Flags().Changed(name) {
				given = append(given, "--"+name)
			}
		}
		if len(given) > 1 {
			return fmt.Errorf("%s cannot be used together", strings.Join(given, " and "))
		}
		if next != nil {
			return next(cmd, args)
		}
		return nil
	}
}
