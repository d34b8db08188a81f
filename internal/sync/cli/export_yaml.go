package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// exportYAML writes surveys as a file that people go on to edit, or prints it.
func (p *program) exportYAML(cmd *cobra.Command, file string, f exportFlags) error {
	for _, name := range []string{"layout", "branching", "only", "state", "provider-block", "verify"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is for Terraform configuration, and has no meaning with --to yaml", name)
		}
	}
	ctx := cmd.Context()
	source, err := p.liveSide("", p.selection().of(true, false))
	if err != nil {
		return err
	}
	if source.ProjectID == "" {
		return errors.New("--to yaml writes surveys, and the environment has no project_id")
	}
	written := code.YAML{QuestionIDs: f.questionIDs}
	for survey, err := range source.allSurveys(ctx) {
		if err != nil {
			return err
		}
		if name, _ := survey.Name.Get(); !source.selected.selects(name) { // one without a name has none to select by
			continue
		}
		if err := written.Add(ctx, survey, source.ProjectID); err != nil {
			return err
		}
	}
	text, err := written.Bytes()
	if err != nil {
		return err
	}

	p.progress.Close()
	if file == "" || f.stdout {
		_, err := p.stdout.Write(text)
		return err
	}
	before, err := code.ReadReplaced(file)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil && !bytes.Equal(before, text) && !f.force:
		return &refusedError{file + " exists and is left as it is: write to another file, or overwrite it with --force"}
	}
	if err := code.WriteFile(file, code.Content(text)); err != nil {
		return err
	}
	p.logf("%s: %s", file, responses.Count(written.Len(), "survey"))
	return nil
}
