package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/aymanbagabas/go-udiff"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/history"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/keys"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// variablePrefix begins the name of an environment variable.
var variablePrefix = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)?$`)

// newKeysJob checks the command line.
func newKeysJob(p *program, name string, f keysFlags) (*keysJob, error) {
	s, err := side.Parse(name)
	if err != nil {
		return nil, err
	}
	if s.Form == side.Code || s.Form == side.Plan {
		return nil, fmt.Errorf("%s has no ids of what is to be created: give live, live:NAME, tf:DIR or file:PATH", s)
	}

	job := &keysJob{program: p, keysFlags: f, side: s}
	if job.format == "" {
		job.format = keys.TypeScript
		if format, known := keys.FormatOf(job.file()); known {
			job.format = format
		} else if job.file() != "" {
			return nil, fmt.Errorf("the name of %s does not say its format: give --format", job.file())
		}
	}

	switch {
	case job.withHistory && job.format != keys.Markdown:
		return nil, fmt.Errorf("--history is for --format markdown, and this is %s", job.format)
	case job.withHistory && s.Form != side.Live:
		return nil, fmt.Errorf("--history reads the activity feed of a live side, which %s is not", s)
	case !variablePrefix.MatchString(f.prefix):
		return nil, fmt.Errorf("--prefix %q cannot begin the name of a variable: use letters, digits and underscores", f.prefix)
	}
	return job, nil
}

// render reads the side and writes the file into memory.
func (j *keysJob) render(ctx context.Context) ([]byte, error) {
	objects, err := j.loadSurveys(ctx, j.side)
	if err != nil {
		return nil, err
	}
	var configuration keys.ConfigurationNames
	if j.side.Form == side.State {
		if configuration, err = keys.ReadConfigurationNames(j.side.Argument); err != nil {
			return nil, fmt.Errorf("cannot read the names in the configuration: %w", err)
		}
	}

	surveys, without, err := keys.Read(objects, configuration)
	if err != nil {
		return nil, err
	}
	if len(surveys) == 0 && len(j.flags.selected) > 0 && j.file() != "" {
		return nil, fmt.Errorf("no survey of %s matches --select, and %s would lose the names that it remembers: it is left as it is", j.side, j.file())
	}
	for _, question := range without {
		j.logf("Survey %q, question %d (%q): it has no id of its own, so no code can refer to it, and it is left out. A configuration may set its id.",
			question.Survey, question.Position, question.Question)
	}
	if j.withHistory {
		if err := j.addHistory(ctx, surveys); err != nil {
			return nil, err
		}
	}
	return keys.Render(keys.Assign(surveys, j.names), j.format, j.prefix)
}

// addHistory reads the edits of surveys.
func (j *keysJob) addHistory(ctx context.Context, surveys []keys.Survey) error {
	e, err := j.sideEnvironment(j.side.Argument)
	if err != nil {
		return err
	}
	c, err := j.client(e)
	if err != nil {
		return err
	}

	task := j.progress.Task("activity feeds")
	task.SetTotal(int64(len(surveys)))
	for i, survey := range surveys {
		feed, err := history.ReadFeed(ctx, func(ctx context.Context, page, size int64) (json.RawMessage, error) {
			return c.Surveys(e.ProjectID).ActivityPage(ctx, survey.ID, page, size)
		})
		if err == nil {
			err = feed.CutOff
		}
		if err != nil {
			return fmt.Errorf("--history: cannot read what changed of survey %q: %w", survey.Title, err)
		}
		slices.Reverse(feed.Requests)
		surveys[i].History = keys.HistoryOf(feed.Requests)
		task.Add(1)
	}
	return nil
}

// compare says whether the file is what would be written, and prints what differs.
func (j *keysJob) compare(written []byte) error {
	if string(written) == j.before {
		j.logf("%s is up to date.", j.check)
		return nil
	}
	diff := udiff.Unified("a/"+j.check, "b/"+j.check, j.before, string(written))
	if _, err := j.stdout.Write([]byte(escape.TerminalLines(diff))); err != nil {
		return err
	}
	return &differencesError{fmt.Sprintf("%s is not what %s has: write it again with --out %s", j.check, j.side, j.check)}
}
