// Package commandline describes the command line of posthog-testserver to cobra, for its
// man page and for shell completion. The program itself parses its flags with the standard
// library, so that importing the test server does not import cobra.
package commandline

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Command returns the command line for man pages and completion. Running it only
// completes; it serves nothing.
func Command() (*cobra.Command, error) {
	command := &cobra.Command{
		Use:   "posthog-testserver",
		Short: "Serve PostHog surveys and import apps from memory, for tests",
		Long: `posthog-testserver serves the interface for surveys and pipeline import apps from
memory. It prints its address and the environment variables by which clients find
it, and runs until it is interrupted.

Control paths below /_testserver/ replace what it holds, make it fail on demand,
move its clock and list the requests that it got.

Each flag can be given as a variable, such as POSTHOG_TESTSERVER_MAX_EVENTS; a flag wins.
With the arguments "health [URL]" it asks a server whether it serves, without a URL
the one on this machine with the same --listen.

Exit codes: 0 interrupted, or it serves; 1 the server cannot run, or does not serve;
2 wrong arguments.`,
		Example: `  posthog-testserver --listen 127.0.0.1:0 --profile hosted
  posthog-testserver --fixtures snapshot.json
  posthog-testserver health`,
		Args: cobra.NoArgs,
		Run:  func(*cobra.Command, []string) {},
	}
	command.Flags().AddGoFlagSet(testserver.CommandFlags())

	profiles := cobra.FixedCompletions([]string{string(testserver.Documented), string(testserver.Hosted)}, cobra.ShellCompDirectiveNoFileComp)
	if err := command.RegisterFlagCompletionFunc("profile", profiles); err != nil {
		return nil, err
	}
	return command, errors.Join(command.MarkFlagFilename("fixtures", "json"), command.MarkFlagFilename("data", "json"))
}

// Completes reports whether arguments request a completion script, or completions for such
// a script.
func Completes(args []string) bool {
	return len(args) > 0 && (args[0] == "completion" || strings.HasPrefix(args[0], cobra.ShellCompRequestCmd))
}
