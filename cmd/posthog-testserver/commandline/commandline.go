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

// Command returns the command line for man pages and shell completion. Running it serves nothing.
func Command() (*cobra.Command, error) {
	command := &cobra.Command{
		Use:   "posthog-testserver",
		Short: "Serve PostHog surveys and import apps from memory, for tests",
		Long: `posthog-testserver serves PostHog's API for surveys and pipeline import apps from
memory. It prints its URL and the environment variables that clients need to find
it, and runs until you interrupt it.

Use the control paths below /_testserver/ to replace its objects, inject faults, set
its clock, and list the requests that it received.

You can set each flag with an environment variable, such as
POSTHOG_TESTSERVER_MAX_EVENTS. A flag takes precedence. The arguments "health [URL]"
check whether a server is running at that URL. Without a URL, they check the server
on this machine with the same --listen.

Exit codes: 0 interrupted, or the server is running; 1 the server cannot run, or is
not running; 2 invalid arguments.`,
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
