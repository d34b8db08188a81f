package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// newLint returns the verb that checks surveys against rules.
func newLint(p *program) *cobra.Command {
	var disabled, sdks []string
	cmd := &cobra.Command{
		Use:   "lint [SIDE]",
		Short: "Check surveys against rules, one by one and against each other",
		Long: "Apply rules to all surveys of a side: live (the default), live:NAME, file:PATH, tf:DIR,\n" +
			"code:DIR or plan:FILE. A finding of severity error ends with exit code 2. A note says on\n" +
			"what else it depends that the survey is shown as was meant.\n\n" +
			"Code needs no API key, as in a pull request from a fork: what would have to be looked up is\n" +
			"unknown then, and named on stderr.\n\nThe rules:\n" + rulesHelp(),
		Example: `  # The surveys that the code in this directory asks for
  posthog-sync lint code:.

  # For the code scanning of a code host
  posthog-sync lint code:. --format sarif > lint.sarif

  # Without a rule
  posthog-sync lint live:production --disable unbounded

  # What the SDKs in your apps ignore
  posthog-sync lint --sdk posthog-js=1.438.24 --sdk posthog-ios=3.79.0`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.lint(cmd.Context(), optional(args, string(side.Live)), disabled, sdks)
		},
	}
	cmd.Flags().StringSliceVar(&disabled, "disable", nil, "rule to leave out; may be repeated")
	cmd.Flags().StringArrayVar(&sdks, "sdk", nil, "SDK in an app and its version, as NAME=VERSION: report settings that it ignores; may be repeated")
	cmd.Flags().Var(newChoice(&p.flags.format, formatText, formatText, formatJSON, formatMarkdown, formatSARIF), "format", "of the report: text, json, markdown or sarif")
	return cmd
}

// rulesHelp lists the rules for the help text.
func rulesHelp() string {
	var b strings.Builder
	for _, rule := range review.Rules() {
		fmt.Fprintf(&b, "  %-31s %s (%s)\n", rule.Name, rule.Description, rule.Severity)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// lint applies the rules to a side.
func (p *program) lint(ctx context.Context, name string, disabled, sdks []string) error {
	options, err := lintOptions(disabled, sdks)
	if err != nil {
		return err
	}
	s, err := side.Parse(name)
	if err != nil {
		return err
	}
	objects, err := p.loadSurveys(ctx, s)
	if err != nil {
		return err
	}

	findings, err := review.Lint(objects, options)
	if err != nil {
		return err
	}
	report := lintReport{Format: 1, Side: s.String(), Surveys: len(objects), Findings: findings}
	if err := p.printLint(report, s); err != nil {
		return err
	}
	if n := report.count(review.Error); n > 0 {
		return &differencesError{fmt.Sprintf("%s of severity error", responses.Count(n, "finding"))}
	}
	return nil
}

// printLint prints the report in one of the common formats, or in SARIF.
func (p *program) printLint(r lintReport, s side.Side) error {
	if p.flags.format != formatSARIF {
		return p.print(r)
	}
	p.progress.Close()
	return review.SARIF(p.stdout, p.version, r.Findings, p.findingLocations(s))
}

// lintOptions reads the flags of lint.
func lintOptions(disabled, sdks []string) (review.Options, error) {
	options := review.Options{Disabled: disabled, SDKs: map[review.SDK]string{}}
	known := func(name string) bool {
		return slices.ContainsFunc(review.Rules(), func(r review.Rule) bool { return r.Name == name })
	}
	for _, rule := range disabled {
		if !known(rule) {
			return options, fmt.Errorf("--disable %q: there is no such rule; posthog-sync lint --help lists them", rule)
		}
	}

	for _, text := range sdks {
		sdk, version, err := review.ParseSDK(text)
		if err != nil {
			return options, fmt.Errorf("--sdk: %w", err)
		}
		// An app with an older version is the one to care for.
		if other, ok := options.SDKs[sdk]; !ok || review.CompareVersions(version, other) < 0 {
			options.SDKs[sdk] = version
		}
	}
	return options, nil
}
