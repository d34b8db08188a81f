package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// commonFlags are the flags of every command.
type commonFlags struct {
	env, config       string
	allEnvironments   bool
	part              string
	kind              string
	selected, without []string
	format            string
	noProgress        bool
	noColor           bool
	verbose           bool
	terraform         string
}

// Values of --kind. Without the flag, commands work on both kinds.
const (
	kindSurveys = "surveys"
	kindApps    = "apps"
)

// Values of --format.
const (
	formatText     = "text"
	formatJSON     = "json"
	formatMarkdown = "markdown"
)

// add defines the flags on the root command.
func (f *commonFlags) add(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringVar(&f.env, "env", "", "environment in posthog-sync.yaml to use")
	flags.StringVar(&f.config, "config", "", "file with environments (default: posthog-sync.yaml in this directory or a parent directory, up to the repository root)")
	flags.BoolVar(&f.allEnvironments, "all-environments", false, "run once for each environment in posthog-sync.yaml, and print one report")
	flags.StringVar(&f.part, "part", "", "with --all-environments: part I of N, which runs every N-th environment, starting with the I-th, and uses 1/N of each key's quota; I/N, auto (CI_NODE_INDEX and CI_NODE_TOTAL), or auto/N (JOB_COMPLETION_INDEX)")
	flags.Var(newChoice(&f.kind, "", kindSurveys, kindApps), "kind", "surveys or apps (default: both)")
	flags.StringArrayVar(&f.selected, "select", nil, "include only objects whose name matches the glob (repeatable)")
	flags.StringArrayVar(&f.without, "exclude", nil, "exclude objects whose name matches the glob (repeatable)")
	flags.Var(newChoice(&f.format, formatText, formatText, formatJSON, formatMarkdown), "format", "report format: text, json, or markdown")
	flags.BoolVar(&f.noProgress, "no-progress", false, "don't report progress")
	flags.BoolVar(&f.noColor, "no-color", false, "don't print colors (or set NO_COLOR)")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "log each request to stderr")
	flags.StringVar(&f.terraform, "terraform", "", "program that runs plans (default: terraform in PATH, or tofu if terraform is not found)")
}

// check returns an error for values that are invalid for every command.
func (f *commonFlags) check() error {
	switch {
	case f.part != "" && !f.allEnvironments:
		return errors.New("--part requires --all-environments")
	case f.env != "" && f.allEnvironments:
		return errors.New("--env and --all-environments cannot be used together")
	}
	return f.checkPatterns()
}

// choice is a pflag.Value that accepts only certain values.
type choice[T ~string] struct {
	value   *T
	allowed []T
}

// newChoice returns a flag that stores its value in value, and sets the default.
func newChoice[T ~string](value *T, initial T, allowed ...T) *choice[T] {
	*value = initial
	return &choice[T]{value, allowed}
}

// String implements pflag.Value.
func (c *choice[T]) String() string { return string(*c.value) }

// Type implements pflag.Value.
func (c *choice[T]) Type() string { return "string" }

// Set implements pflag.Value.
func (c *choice[T]) Set(text string) error {
	if !slices.Contains(c.allowed, T(text)) {
		words := make([]string, len(c.allowed))
		for i, value := range c.allowed {
			words[i] = string(value)
		}
		return fmt.Errorf("must be one of %s", strings.Join(words, ", "))
	}
	*c.value = T(text)
	return nil
}

// verbs lists the constructors of the commands in the order of the help text.
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

// Command returns the root command for documentation generators. Do not run it.
func Command() *cobra.Command { return newRoot(newProgram("")) }

// optional returns the only argument of a command, or unset if there is none.
func optional(args []string, unset string) string {
	if len(args) == 0 {
		return unset
	}
	return args[0]
}

// newRoot returns the root command with all commands.
func newRoot(p *program) *cobra.Command {
	root := &cobra.Command{
		Use:   "posthog-sync",
		Short: "Keep PostHog surveys and import apps in step with code",
		Long: `posthog-sync imports live surveys and pipeline import apps into Terraform configuration, and keeps
PostHog and the configuration in step.

It connects with the environment variables of the provider (POSTHOG_API_KEY, POSTHOG_BASE_URL,
POSTHOG_PROJECT_ID, POSTHOG_ORGANIZATION_ID), or with the environments in posthog-sync.yaml. Results
go to stdout, and everything else goes to stderr.

Exit codes:

    0    done, or no differences
    1    error
    2    differences found, or a change was proposed but not made
    3    refused by a guard
    130  interrupted`,
		Version:           p.version,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(*cobra.Command, []string) error { return p.start() },
	}
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	p.flags.add(root)

	root.SetFlagErrorFunc(explainFlagError)
	for _, verb := range verbs {
		cmd := verb(p)
		expectArguments(cmd)
		root.AddCommand(cmd)
	}
	p.overEnvironments(root)
	return root
}
