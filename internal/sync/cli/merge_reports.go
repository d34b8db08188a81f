package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/shard"
)

// newMergeReports returns the verb that joins the reports of shards.
func newMergeReports(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "merge-reports FILE...",
		Short: "Join the reports of shards",
		Long: `Join the JSON reports of runs with --all-environments into one. The exit code is that
of all shards together: 1 when an environment failed or the report of a shard is missing,
else 3 when one was refused, else 2 when one has differences.

A shard that was cut off can be run again, and all of its reports passed: of several
results of one environment the latest complete one counts. An incomplete file is named,
and the others are still joined.`,
		Example: `  # One page of all shards
  posthog-sync merge-reports reports/*.json --format markdown`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			merged, err := mergeReports(args)
			if err != nil {
				return err
			}
			if err := p.print(merged); err != nil {
				return err
			}
			return merged.verdict()
		},
	}
}

// mergeReports reads reports and joins them. A job that was killed may leave an empty or
// incomplete file, which must not keep the other reports from being joined.
func mergeReports(files []string) (environmentsReport, error) {
	var reports []environmentsReport
	var cutOff []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return environmentsReport{}, err
		}
		var report environmentsReport
		if err := json.Unmarshal(text, &report); err != nil {
			if !isCutOff(text) {
				return environmentsReport{}, fmt.Errorf("%s: %w", file, err)
			}
			cutOff = append(cutOff, file)
			continue
		}
		if len(reports) > 0 && report.Verb != reports[0].Verb {
			return environmentsReport{}, fmt.Errorf("%s is a report of %s, and %s is one of %s: join reports of one verb", file, report.Verb, files[0], reports[0].Verb)
		}
		reports = append(reports, report)
	}
	if len(reports) == 0 {
		return environmentsReport{}, fmt.Errorf("%s: cut off, as when a job is killed: run it again", strings.Join(cutOff, ", "))
	}

	merged := environmentsReport{Format: 1, Verb: reports[0].Verb, CutOff: cutOff, Environments: latest(reports)}
	var err error
	if merged.MissingShards, err = missingShards(reports); err != nil {
		return environmentsReport{}, err
	}
	merged.Summary = summarize(merged.Environments)
	return merged, nil
}

// isCutOff reports whether a text is empty or the beginning of a JSON document.
func isCutOff(text []byte) bool {
	err := json.NewDecoder(bytes.NewReader(text)).Decode(new(any))
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// latest returns the latest result of each environment, sorted by name. An interrupted one
// counts only if there is no other.
func latest(reports []environmentsReport) []environmentResult {
	var all []environmentResult
	for _, report := range reports {
		all = append(all, report.Environments...)
	}
	slices.SortStableFunc(all, func(a, b environmentResult) int {
		return cmp.Or(
			cmp.Compare(a.Environment, b.Environment),
			cmp.Compare(btoi(a.ExitCode == codeInterrupted), btoi(b.ExitCode == codeInterrupted)),
			b.Finished.Compare(a.Finished),
		)
	})
	return slices.CompactFunc(all, func(a, b environmentResult) bool { return a.Environment == b.Environment })
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// missingShards are the parts I/N without a report.
func missingShards(reports []environmentsReport) ([]string, error) {
	total := 0
	seen := map[int]bool{}
	for _, report := range reports {
		part, err := shard.ParsePart(report.Shard)
		switch {
		case err != nil:
			return nil, fmt.Errorf("the shard of a report: %w", err)
		case part.Of == 0:
			continue
		case total != 0 && part.Of != total:
			return nil, fmt.Errorf("a report is of %d shards and another of %d: join reports of one run", total, part.Of)
		}
		total, seen[part.Index] = part.Of, true
	}

	var missing []string
	for i := 1; i <= total; i++ {
		if !seen[i] {
			missing = append(missing, shard.Part{Index: i, Of: total}.String())
		}
	}
	return missing, nil
}
