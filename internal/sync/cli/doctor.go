package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// newDoctor returns the verb that checks the settings, or finds out why a survey is not
// shown.
func newDoctor(p *program) *cobra.Command {
	var survey string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the settings, the service and the programs in use",
		Long: `Check everything that the other verbs and the provider need, one line a check: ok,
warning or failed, and what to do. Nothing is changed: whether the key may write is
tested by changing an object that does not exist.

With --survey, find out why a survey is not shown instead.`,
		Example: `  posthog-sync doctor --env production

  # Why does nobody see it?
  posthog-sync doctor --survey "Quarterly NPS"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := doctor{program: p}
			if survey != "" {
				if err := d.checkSurvey(cmd.Context(), survey); err != nil {
					return err
				}
			} else {
				d.checkAll(cmd.Context())
			}
			if err := p.print(&d.report); err != nil {
				return err
			}
			return d.report.verdict()
		},
	}
	cmd.Flags().StringVar(&survey, "survey", "", "name or id of a survey: find out why it is not shown")
	return cmd
}

// doctor runs checks and collects their results.
type doctor struct {
	program *program
	report  doctorReport
}

// checkAll runs the checks of the settings. Checks that could only repeat a failure are left
// out.
func (d *doctor) checkAll(ctx context.Context) {
	if side := d.checkSettings(); side != nil {
		service := serviceChecks{d, side}
		service.run(ctx)
	}
	d.checkCLI(ctx)
}

// The results of a check.
const (
	checkOK      = "ok"
	checkWarning = "warning"
	checkFailed  = "failed"
)

// doctorCheck is one line of the report.
type doctorCheck struct {
	Result string `json:"result"`
	// Check names what was checked.
	Check string `json:"check"`
	// Detail says what was found and, when it is not ok, what to do.
	Detail string `json:"detail"`
}

type doctorReport struct {
	Checks []doctorCheck `json:"checks"`
}

func (d *doctor) ok(check, format string, args ...any) { d.add(checkOK, check, format, args...) }

func (d *doctor) warn(check, format string, args ...any) { d.add(checkWarning, check, format, args...) }

func (d *doctor) fail(check, format string, args ...any) { d.add(checkFailed, check, format, args...) }

func (d *doctor) add(result, check, format string, args ...any) {
	d.report.Checks = append(d.report.Checks, doctorCheck{result, check, fmt.Sprintf(format, args...)})
}

// Text implements report.
func (r *doctorReport) Text(w io.Writer) error {
	for _, c := range r.Checks {
		if _, err := fmt.Fprintf(w, "%-8s%s: %s\n", c.Result, c.Check, c.Detail); err != nil {
			return err
		}
	}
	return nil
}

// Markdown implements report.
func (r *doctorReport) Markdown(w io.Writer) error {
	if _, err := io.WriteString(w, "| | check | |\n|---|---|---|\n"); err != nil {
		return err
	}
	for _, c := range r.Checks {
		if _, err := fmt.Fprintf(w, "| %s | %s | %s |\n", markdownText(c.Result), markdownText(c.Check), markdownText(c.Detail)); err != nil {
			return err
		}
	}
	return nil
}

// verdict is an error when a check failed.
func (r *doctorReport) verdict() error {
	failed := 0
	for _, c := range r.Checks {
		if c.Result == checkFailed {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %s failed", failed, count(len(r.Checks), "check"))
	}
	return nil
}
