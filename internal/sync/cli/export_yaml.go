package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/export"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/surveyfile"
)

// exportYAML writes surveys to a YAML file for users to edit, or prints them.
func (p *program) exportYAML(cmd *cobra.Command, file string, f exportFlags) error {
	for _, name := range []string{"layout", "branching", "only", "state", "provider-block", "verify"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s cannot be used with --to yaml, because it applies only to Terraform configuration", name)
		}
	}

	ctx := cmd.Context()
	service, err := p.liveSource("", p.selection().of(true, false))
	if err != nil {
		return err
	}
	if service.ProjectID == "" {
		return errors.New("--to yaml exports surveys, but the environment has no project_id")
	}

	var document code.YAML
	detached, err := p.addSurveys(ctx, &document, service, file, f.questionIDs)
	if err != nil {
		return err
	}
	text, err := document.Bytes()
	if err != nil {
		return err
	}

	p.progress.Close()
	if file == "" || f.stdout {
		if _, err := p.stdout.Write(text); err != nil {
			return err
		}
		return p.detachedYAML(ctx, service, file, detached)
	}

	existing, err := code.ReadForReplacement(file)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil && !bytes.Equal(existing, text) && !f.force:
		return &refusedError{file + " exists and was left unchanged. Use another file, or overwrite it with --force"}
	}
	if err := code.WriteFile(file, code.Content(text)); err != nil {
		return err
	}
	p.logf("%s: %s", file, responses.Count(document.Len(), "survey"))
	return p.detachedYAML(ctx, service, file, detached)
}

// addSurveys adds the selected PostHog surveys to a file, with the question IDs that have the answers.
// It returns the surveys with detached answers. file is the existing file that the export rewrites.
// withIDs writes the IDs of all questions.
func (p *program) addSurveys(ctx context.Context, document *code.YAML, service *live, file string, withIDs bool) ([]export.Detached, error) {
	earlier, err := p.questionsByName(ctx, file)
	if err != nil {
		return nil, err
	}

	var detached []export.Detached
	past := service.answerLog().importedPast
	for survey, err := range service.allSurveys(ctx) {
		if err != nil {
			return nil, err
		}
		if name, _ := survey.Name.Get(); !service.selected.selects(name) { // a survey without a name cannot be selected by name
			continue
		}

		now, replaced, err := reattachedYAML(ctx, survey, earlier, past)
		if err != nil {
			return nil, err
		}
		if len(replaced.Questions) > 0 {
			detached = append(detached, replaced)
		}
		if err := document.Add(ctx, now, service.ProjectID, export.WithIDs(code.Options{QuestionIDs: withIDs}, replaced.Questions)); err != nil {
			return nil, err
		}
	}
	return detached, nil
}

// questionsByName maps the survey names in an existing file to the surveys' questions. It returns nil if
// the file does not exist or cannot be parsed.
func (p *program) questionsByName(ctx context.Context, file string) (map[string][]identity.Question, error) {
	if file == "" {
		return nil, nil
	}
	objects, err := surveyfile.Read(ctx, file, func(string) {})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		p.logf("Could not read the question IDs in %s: %s", file, err)
		return nil, ctx.Err()
	}

	surveys := map[string][]identity.Question{}
	for _, o := range objects {
		raws, _ := o.Stated.Survey.Questions.Get() // empty if null
		for _, raw := range raws {
			var fields map[string]any
			if err := json.Unmarshal(raw, &fields); err != nil {
				return nil, err
			}
			surveys[o.Name] = append(surveys[o.Name], identity.NewQuestion(fields))
		}
	}
	return surveys, nil
}

// reattachedYAML returns a survey with the question IDs that have the answers. It finds these IDs in the
// activity log and in the existing file.
func reattachedYAML(ctx context.Context, survey api.Survey, earlier map[string][]identity.Question, past func(context.Context, api.Survey) (export.Logged, error)) (api.Survey, export.Detached, error) {
	name, _ := survey.Name.Get() // a survey without a name cannot be in the file
	logged, err := past(ctx, survey)
	if err != nil {
		return survey, export.Detached{}, err
	}
	now, replaced, err := export.Reattach(survey, earlier[name], logged)
	return now, export.Detached{ID: *survey.ID, Survey: name, Questions: replaced}, err
}

// detachedYAML returns a report of the surveys with detached answers. The written file contains their
// old IDs, unless there are or may be answers under the new IDs.
func (p *program) detachedYAML(ctx context.Context, service *live, file string, list []export.Detached) error {
	written := repairing{stating: "The file contains the old IDs. A sync restores them, which reattaches the answers."}
	if file != "" {
		written.otherwise = syncCommand(source.Source{Form: source.File, Argument: file}, "", p.environmentFlags(""))
	}
	for _, survey := range list {
		for i := range survey.Questions {
			survey.Questions[i].Stays = true // if PostHog cannot count the answers, a sync requires --allow-detached-answers
		}
	}

	surveys, err := service.answerLog().countAnswers(ctx, list, written)
	if err != nil {
		return err
	}
	for _, section := range detachedSections(surveys) {
		p.logf("%s", section.Title)
		for _, note := range section.Notes {
			p.logf("  %s", note)
		}
	}
	return detachedError(surveys)
}
