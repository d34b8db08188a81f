package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/appcode"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// newLint returns the command that checks surveys against rules.
func newLint(p *program) *cobra.Command {
	var f lintFlags
	cmd := &cobra.Command{
		Use:   "lint [SOURCE]",
		Short: "Check surveys, or an app that uses them, against rules",
		Long: "Checks the surveys of a source, each one and all together. SOURCE is live (the default), live:NAME,\n" +
			"file:PATH, tf:DIR, code:DIR, or plan:FILE. A finding is an error, a warning, or a note, which lists\n" +
			"other conditions for the survey to be shown as intended. This command changes nothing.\n\n" +
			"Configuration (code:DIR) can be checked without an API key, as in a pull request from a fork. Facts\n" +
			"that have to be read from PostHog are then unknown, and are listed on stderr.\n\n" +
			"Exit codes:\n\n    0    no errors\n    1    the check failed\n    2    findings of severity error\n    130  interrupted\n\n" +
			"Rules:\n\n" + rulesHelp(review.Rules()) +
			"\n\nWith --app, the command checks the source code of an app instead: the survey IDs in it, and the keys\n" +
			"and choices of the answers that it sends. It skips tests and files that git ignores. Rules with --app:\n\n" + rulesHelp(appcode.Rules()),
		Example: `  # Check the configuration in this directory
  posthog-sync lint code:.

  # Upload findings to code scanning
  posthog-sync lint code:. --format sarif > lint.sarif

  # Disable a rule
  posthog-sync lint live:production --disable unbounded

  # Check that an app sends answers that stay attached to their questions
  posthog-sync lint --app ../web

  # Report settings that the SDKs in your apps ignore
  posthog-sync lint --sdk posthog-js=1.438.24 --sdk posthog-ios=3.79.0`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.lint(cmd.Context(), optional(args, string(source.Live)), f)
		},
	}
	cmd.Flags().StringSliceVar(&f.disabled, "disable", nil, "rule to disable (repeatable)")
	cmd.Flags().StringArrayVar(&f.sdks, "sdk", nil, "report settings that this SDK ignores, as NAME=VERSION (repeatable)")
	cmd.Flags().StringVar(&f.app, "app", "", "directory with the source code of an app: check how it uses the surveys, instead of the surveys")
	excludeEachOther(cmd, "app", "sdk")
	cmd.Flags().Var(newChoice(&p.flags.format, formatText, formatText, formatJSON, formatMarkdown, formatSARIF), "format", "report format: text, json, markdown, or sarif")
	return cmd
}

// lintFlags are the flags of lint.
type lintFlags struct {
	disabled, sdks []string
	app            string
}

// rules returns the rules that the flags select.
func (f lintFlags) rules() []review.Rule {
	if f.app != "" {
		return appcode.Rules()
	}
	return review.Rules()
}

// rulesHelp lists rules for a help text.
func rulesHelp(rules []review.Rule) string {
	var b strings.Builder
	for _, rule := range rules {
		fmt.Fprintf(&b, "    %-31s %s (%s)\n", rule.Name, rule.Description, rule.Severity)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// lint applies the rules to a source, or to an app that uses it.
func (p *program) lint(ctx context.Context, name string, f lintFlags) error {
	options, err := lintOptions(f)
	if err != nil {
		return err
	}
	s, err := source.Parse(name)
	if err != nil {
		return err
	}
	objects, err := p.loadSurveys(ctx, s)
	if err != nil {
		return err
	}

	report := lintReport{Format: 1, Source: s.String(), App: f.app, Surveys: len(objects)}
	if f.app != "" {
		report.Findings, err = appcode.Check(ctx, f.app, objects, f.disabled)
	} else {
		report.Findings, err = review.Lint(objects, options)
	}
	if err != nil {
		return err
	}

	if p.flags.format == formatSARIF {
		p.progress.Close()
		err = review.SARIF(p.stdout, p.version, f.rules(), report.fromHere(), p.findingLocations(s))
	} else {
		err = p.print(report)
	}
	if err != nil {
		return err
	}
	if n := report.count(review.Error); n > 0 {
		return &differencesError{fmt.Sprintf("%s of severity error", responses.Count(n, "finding"))}
	}
	return nil
}

// lintOptions converts the flags of lint to options.
func lintOptions(f lintFlags) (review.Options, error) {
	options := review.Options{Disabled: f.disabled, SDKs: map[audience.SDK]string{}}
	exists := func(name string) bool {
		return slices.ContainsFunc(f.rules(), func(r review.Rule) bool { return r.Name == name })
	}
	for _, rule := range f.disabled {
		if !exists(rule) {
			return options, fmt.Errorf("--disable %q: the rule does not exist. To list the rules, run posthog-sync lint --help", rule)
		}
	}

	for _, text := range f.sdks {
		sdk, version, err := audience.ParseSDK(text)
		if err != nil {
			return options, fmt.Errorf("--sdk: %w", err)
		}
		// Keep the oldest version, because it supports the fewest settings.
		if oldest, ok := options.SDKs[sdk]; !ok || audience.CompareVersions(version, oldest) < 0 {
			options.SDKs[sdk] = version
		}
	}
	return options, nil
}
