package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Values of draw's --to flag.
const (
	toMermaid = "mermaid"
	toSVG     = "svg"
	toText    = "text"
)

// newDraw returns the command that draws the flow of surveys.
func newDraw(p *program) *cobra.Command {
	format, out := toMermaid, ""
	cmd := &cobra.Command{
		Use:   "draw [SOURCE]",
		Short: "Draw the flow of each survey",
		Long: `Draws where each answer of a survey leads. SOURCE is live (the default), live:NAME, file:PATH, tf:DIR,
code:DIR, or plan:FILE.

The command prints the drawings one after the other, each below the name of its survey. With --out,
it writes a file for each survey. A dashed border marks a question that respondents cannot reach. No
other program is needed to draw SVG.`,
		Example: `  # The flow of one survey, for a README
  posthog-sync draw --select 'Quarterly NPS'

  # A picture of each survey of this directory
  posthog-sync draw code:. --to svg --out flows`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.draw(cmd.Context(), optional(args, string(source.Live)), format, out)
		},
	}
	cmd.Flags().Var(newChoice(&format, toMermaid, toText, toMermaid, toSVG), "to", "format of the drawings")
	cmd.Flags().StringVar(&out, "out", "", "directory to write one file per survey to")
	return cmd
}

// draw draws the surveys of a source.
func (p *program) draw(ctx context.Context, name, format, out string) error {
	s, err := source.Parse(name)
	if err != nil {
		return err
	}
	objects, err := p.loadSurveys(ctx, s)
	if err != nil {
		return err
	}
	if out != "" {
		if err := os.MkdirAll(out, 0o750); err != nil {
			return fmt.Errorf("cannot create the directory for the drawings: %w", err)
		}
	}
	p.progress.Close()

	used := map[string]bool{}
	for _, object := range objects {
		drawing, err := drawSurvey(object, format)
		if err != nil {
			return err
		}
		if out == "" {
			if _, err := io.WriteString(p.stdout, addTitle(object.Name, drawing, format)); err != nil {
				return err
			}
			continue
		}

		// Planned surveys may share a name, and do not have IDs yet.
		file := filepath.Join(out, code.Unique(pageLabel(object), used)+"."+extensions[format])
		if err := code.WriteFile(file, code.Content([]byte(drawing))); err != nil {
			return err
		}
		p.logf("%s: %s", object.Name, file)
	}
	return nil
}

// extensions are the file extensions of the drawing formats.
var extensions = map[string]string{toMermaid: "mmd", toSVG: "svg", toText: "txt"}

// drawSurvey draws one survey.
func drawSurvey(survey source.Object, format string) (string, error) {
	questions, err := review.Questions(survey)
	if err != nil {
		return "", err
	}

	graph := review.Flow(questions)
	switch format {
	case toText:
		return flow.Text(graph), nil
	case toSVG:
		return flow.SVG(survey.Name, graph), nil
	default:
		return flow.Mermaid(graph), nil
	}
}

// addTitle adds the survey's name above its drawing: a Markdown heading for Mermaid, or a line for
// text. An SVG already contains the title.
func addTitle(name, drawing, format string) string {
	switch format {
	case toText:
		return escape.Terminal(name) + "\n" + drawing
	case toSVG:
		return drawing
	default:
		return "## " + escape.Markdown(name) + "\n\n```mermaid\n" + drawing + "```\n\n"
	}
}
