package report_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
)

// clock is a clock that the test advances.
type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

func (c *clock) advance(d time.Duration) { c.Time = c.Add(d) }

func TestPlainLinesComeEveryFewSeconds(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	p := report.NewProgress(&out, report.ProgressOptions{Now: c.now})
	surveys := p.Task("surveys")
	surveys.SetTotal(1000)

	for range 10 {
		c.advance(time.Second)
		surveys.Add(100)
	}
	p.Close()

	require.Equal(t, "surveys: 500 of 1000\nsurveys: 1000 of 1000\n", out.String())
}

func TestShortWorkReportsNothing(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	p := report.NewProgress(&out, report.ProgressOptions{Now: c.now})
	p.Task("surveys").Add(10)
	p.Close()
	require.Empty(t, out.String())
}

func TestOffReportsNothingButLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	p := report.NewProgress(&out, report.ProgressOptions{Now: c.now, Off: true, Terminal: true})
	task := p.Task("surveys")
	c.advance(time.Minute)
	task.Add(10)
	p.Logf("a warning")
	p.Close()
	require.Equal(t, "a warning\n", out.String())
}

// A terminal shows a bar with the count and the total. Lines appear above the bar.
func TestTerminalShowsABar(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	p := report.NewProgress(&out, report.ProgressOptions{Now: c.now, Terminal: true})
	surveys := p.Task("surveys")
	surveys.SetTotal(1000)
	p.Logf("a warning")
	surveys.Add(400)
	p.Close() // render the bar for the last time

	shown := out.String()
	require.Regexp(t, `surveys +400 of 1000 \[=+>-+\]`, shown)
	require.Contains(t, shown, "a warning\n")
	require.NotContains(t, shown, "surveys: ", "no plain line may appear next to the bar")
}
