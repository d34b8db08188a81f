package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/keys"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// keysFlags are the flags of keys.
type keysFlags struct {
	format      keys.Format
	out, check  string
	withHistory bool
	prefix      string
}

// newKeys returns the verb that writes what the code of an app needs to know of surveys.
func newKeys(p *program) *cobra.Command {
	f := keysFlags{}
	cmd := &cobra.Command{
		Use:   "keys [SOURCE]",
		Short: "Write ids, answers and choices of surveys as code for an app",
		Long: `Write what the code of an app needs to know of surveys, and the service alone knows: the
id of each survey and of its questions, the property that holds the answers, the choices.
The source is live (the default), live:NAME, tf:DIR or file:PATH.

The formats: ts has constants, and the types of the answers as posthog-js sends them; json
is for programs in every other language, env for shells and .env files; markdown is a
codebook for people who analyse answers, and with --history what changed when. The name of
FILE decides, such as surveys.ts, or --format; without both it is ts.

A name in code is the label of the resource or the name in the function questions (of tf:DIR),
else it is made of the text. FILE remembers names by ids: while a question has its id, its name
stays, whatever becomes of its text or place.

With --check nothing is written: the exit code is 2, after a diff, when FILE is not what would be
written now. A file that keys has not written is never overwritten (exit code 3).`,

		Example: `  # Constants and types for an app in TypeScript
  posthog-sync keys --out src/surveys.ts

  # In CI: has somebody edited the surveys since?
  posthog-sync keys --check src/surveys.ts

  # A codebook of two surveys, with their history
  posthog-sync keys --out codebook.md --history --select 'NPS*'

  # Variables for an app that Vite builds
  posthog-sync keys --out .env.surveys --prefix VITE_`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.keys(cmd.Context(), optional(args, string(source.Live)), f)
		},
	}
	f.add(cmd)
	return cmd
}

// add defines the flags.
func (f *keysFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(newChoice(&f.format, "", keys.Formats...), "format", "ts, env, json or markdown (default: by the name of FILE, else ts)")
	flags.StringVar(&f.out, "out", "", "FILE to write; what keys has not written is not overwritten")
	flags.StringVar(&f.check, "check", "", "FILE to compare, without writing: exit code 2 and a diff when it is not up to date")
	flags.BoolVar(&f.withHistory, "history", false, "markdown: what changed when, from the activity feed of a live source")
	flags.StringVar(&f.prefix, "prefix", "", "env: what the names of variables begin with, such as VITE_")
	excludeEachOther(cmd, "out", "check")
}

// keys writes the file of a source, or compares it.
func (p *program) keys(ctx context.Context, name string, f keysFlags) error {
	job, err := newKeysJob(p, name, f)
	if err != nil {
		return err
	}
	if err := job.readFile(); err != nil {
		return err
	}
	written, err := job.render(ctx)
	if err != nil {
		return err
	}

	p.progress.Close()
	switch {
	case f.check != "":
		return job.compare(written)
	case f.out == "":
		_, err := p.stdout.Write(written)
		return err
	case string(written) == job.before:
		p.logf("%s is up to date.", f.out)
		return nil
	}
	if err := code.WriteFile(f.out, code.Content(written)); err != nil {
		return err
	}
	p.logf("%s is written.", f.out)
	return nil
}

// keysJob is one run of keys.
type keysJob struct {
	*program
	keysFlags
	source source.Source
	// before is what the file holds, and names what it remembers.
	before string
	names  keys.Names
}

// file is the path of the file; empty for one that is printed.
func (j *keysJob) file() string {
	if j.out != "" {
		return j.out
	}
	return j.check
}

// readFile reads the file as an earlier run wrote it, if there is one.
func (j *keysJob) readFile() error {
	if j.file() == "" {
		return nil
	}
	text, err := code.ReadForReplacement(j.file())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}

	j.before = string(text)
	j.names, err = keys.ReadNames(j.before, j.format)
	switch {
	case errors.Is(err, keys.ErrForeign):
		return &refusedError{fmt.Sprintf("%s is left as it is: %v; name another file, or remove it", j.file(), err)}
	case err != nil:
		return fmt.Errorf("%s remembers the names that your code uses, but cannot be read: %w; restore it from git, or remove it to get new names", j.file(), err)
	}
	return nil
}

// variablePrefix begins the name of an environment variable.
var variablePrefix = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)?$`)

// newKeysJob checks the command line.
func newKeysJob(p *program, name string, f keysFlags) (*keysJob, error) {
	s, err := source.Parse(name)
	if err != nil {
		return nil, err
	}
	if s.Form == source.Code || s.Form == source.Plan {
		return nil, fmt.Errorf("%s has no ids of what is to be created: give live, live:NAME, tf:DIR or file:PATH", s)
	}

	job := &keysJob{program: p, keysFlags: f, source: s}
	if job.format == "" {
		job.format = keys.TypeScript
		if format, known := keys.DetectFormat(job.file()); known {
			job.format = format
		} else if job.file() != "" {
			return nil, fmt.Errorf("the name of %s does not say its format: give --format", job.file())
		}
	}

	switch {
	case job.withHistory && job.format != keys.Markdown:
		return nil, fmt.Errorf("--history is for --format markdown, and this is %s", job.format)
	case job.withHistory && s.Form != source.Live:
		return nil, fmt.Errorf("--history reads the activity feed of a live source, which %s is not", s)
	case !variablePrefix.MatchString(f.prefix):
		return nil, fmt.Errorf("--prefix %q cannot begin the name of a variable: use letters, digits and underscores", f.prefix)
	}
	return job, nil
}

// render reads the source and writes the file into memory.
func (j *keysJob) render(ctx context.Context) ([]byte, error) {
	objects, err := j.loadSurveys(ctx, j.source)
	if err != nil {
		return nil, err
	}
	var configuration keys.ConfigurationNames
	if j.source.Form == source.State {
		if configuration, err = keys.ReadConfigurationNames(j.source.Argument); err != nil {
			return nil, fmt.Errorf("cannot read the names in the configuration: %w", err)
		}
	}

	surveys, without, err := keys.Read(objects, configuration)
	if err != nil {
		return nil, err
	}
	if len(surveys) == 0 && len(j.flags.selected) > 0 && j.file() != "" {
		return nil, fmt.Errorf("no survey of %s matches --select, and %s would lose the names that it remembers: it is left as it is", j.source, j.file())
	}
	for _, question := range without {
		j.logf("Survey %q, question %d (%q): it has no id of its own, so no code can refer to it, and it is left out. A configuration may set its id.",
			question.Survey, question.Position, question.Question)
	}
	if err := j.warnOfDetached(ctx, objects); err != nil {
		return nil, err
	}
	if j.withHistory {
		if err := j.addHistory(ctx, objects, surveys); err != nil {
			return nil, err
		}
	}
	return keys.Render(keys.Assign(surveys, j.names), j.format, j.prefix)
}

// warnOfDetached reports the surveys whose question IDs a save has replaced since the file was
// written: an app that is built with the new IDs sends its answers there.
func (j *keysJob) warnOfDetached(ctx context.Context, objects []source.Object) error {
	if j.source.Form != source.Live || len(j.names) == 0 {
		return nil
	}
	e, err := j.sourceEnvironment(j.source.Argument)
	if err != nil {
		return err
	}
	service, err := j.live(e, j.selection().of(true, false))
	if err != nil {
		return err
	}

	for _, o := range objects {
		live := past.Identities(questionsNow(objects, o.ID))
		isGone := func(id string) bool { return identity.IndexByID(live, id) < 0 }
		if len(live) == 0 || !slices.ContainsFunc(slices.Collect(maps.Keys(j.names[o.ID].Questions)), isGone) {
			continue
		}
		logged, ok := service.answerLog().read(ctx, *o.SurveyResponse)
		if !ok {
			continue // without access to the log nothing is known
		}
		if list := logged.detached(ctx).WithAnswers(); len(list) > 0 {
			one := newDetachedSurvey(o.ID, o.Name, list, repairing{flags: j.environmentFlags(j.source.Argument)})
			j.logf("Warning: survey %q: %s", o.Name, countDetached(list))
			for _, note := range one.notes() {
				j.logf("  %s", note)
			}
		}
	}
	return ctx.Err()
}

// addHistory reads the edits of surveys.
func (j *keysJob) addHistory(ctx context.Context, objects []source.Object, surveys []keys.Survey) error {
	e, err := j.sourceEnvironment(j.source.Argument)
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
		feed, err := past.ReadSurveyFeed(ctx, c.Surveys(e.ProjectID), survey.ID)
		if err == nil {
			err = feed.CutOff
		}
		if err != nil {
			return fmt.Errorf("--history: cannot read what changed of survey %q: %w", survey.Title, err)
		}
		surveys[i].History = historyOf(feed, questionsNow(objects, survey.ID))
		task.Add(1)
	}
	return nil
}

// questionsNow are the questions that a survey of a live source has.
func questionsNow(objects []source.Object, id string) []past.Question {
	i := slices.IndexFunc(objects, func(o source.Object) bool { return o.ID == id && o.SurveyResponse != nil })
	if i < 0 {
		return nil
	}
	raws, _ := objects[i].SurveyResponse.Questions.Get() // none for null
	questions, _ := past.ParseQuestionList(raws)
	return questions
}

// historyOf are the edits of a survey in the words of the verb history, newest first.
func historyOf(feed past.Feed, live []past.Question) []keys.Edit {
	edits := []keys.Edit{}
	for _, event := range slices.Backward(past.Events(feed, past.Follow(live, feed))) {
		edit := keys.Edit{What: []string{stepsOf(event)}}
		if !event.At.IsZero() {
			edit.At = event.At.UTC().Format(time.RFC3339)
		}
		for _, change := range event.Questions {
			if change.Effect != past.Kept || change.IsEdited || change.From != change.To {
				edit.What = append(edit.What, changeWords(change))
			}
		}
		edits = append(edits, edit)
	}
	return edits
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
	return &differencesError{fmt.Sprintf("%s is not what %s has: write it again with --out %s", j.check, j.source, j.check)}
}
