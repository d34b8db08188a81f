package cli

import (
	"github.com/spf13/cobra"
)

// verbs return the commands, in the order in which the help lists them.
var verbs = []func(*program) *cobra.Command{
	newExport,
	newPull,
	newDiff,
	newSync,
	newReview,
	newHistory,
	newRepair,
	newLint,
	newKeys,
	newSnapshot,
	newDraw,
	newPreview,
	newTry,
	newDoctor,
}

// Command returns the root command for generators of documentation. It must not be run.
func Command() *cobra.Command { return newRoot(newProgram("")) }

// optional is the argument of a verb, or what stands for one that is left out.
func optional(args []string, unset string) string {
	if len(args) == 0 {
		return unset
	}
	return args[0]
}

// newRoot returns the root command with all verbs.
func newRoot(p *program) *cobra.Command {
	root := &cobra.Command{
		Use:   "posthog-sync",
		Short: "Keep PostHog surveys and import apps in step with code",
		Long: `posthog-sync brings live surveys and pipeline import apps into Terraform code, and
keeps both sides in step.

It reads the environment variables of the provider (POSTHOG_API_KEY,
POSTHOG_BASE_URL, POSTHOG_PROJECT_ID, POSTHOG_ORGANIZATION_ID), or the environments
of posthog-sync.yaml. Results go to stdout, everything else to stderr.

Exit codes: 0 done, or no difference; 1 error; 2 differences found, or a change
proposed and not made; 3 refused by a guard; 130 interrupted.`,
		Version:           p.version,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(*cobra.Command, []string) error { return p.start() },
	}
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	p.flags.add(root)
	if err := p.addCompletion(root); err != nil {
		panic(err) // a flag that add does not define
	}

	for _, verb := range verbs {
		root.AddCommand(verb(p))
	}
	p.overEnvironments(root)
	return root
}
