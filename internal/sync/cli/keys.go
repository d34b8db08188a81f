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
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/keys"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// keysFlags are the flags of keys.
type keysFlags struct {
	format      keys.Format
	out, check  string
	withHistory bool
	prefix      string
}

// newKeys returns the command that generates code for apps from surveys.
func newKeys(p *program) *cobra.Command {
	f := keysFlags{}
	cmd := &cobra.Command{
		Use:   "keys [SOURCE]",
		Short: "Generate survey IDs, answer keys, and choices for apps",
		Long: `Generates what an app needs to use surveys and only PostHog knows: the ID of each survey and question,
the property that contains the answers, and the choices. SOURCE is live (the default), live:NAME,
tf:DIR, or file:PATH.

Formats:
  - ts: constants, and types of the answers as posthog-js sends them
  - json: for programs in other languages
  - env: for shells and .env files
  - markdown: a codebook for analysts; with --history, it shows what changed when

--format sets the format. If omitted, the name of FILE determines it, such as surveys.ts. Without
both, the format is ts.

With tf:DIR, names in the generated code come from resource labels and from the keys of the questions
function. Other names are derived from texts. FILE records each name with its ID: as long as a
question keeps its ID, it keeps its name, even if its text or position changes.

keys never overwrites a file that it did not write. With --check, it writes nothing and prints a diff
if FILE is not up to date.

Exit codes:

    0    done, or up to date
    1    error
    2    --check found differences
    3    FILE was not written by keys, so it was left unchanged
    130  interrupted`,

		Example: `  # Constants and types for a TypeScript app
  posthog-sync keys --out src/surveys.ts

  # In CI: fail if the surveys changed
  posthog-sync keys --check src/surveys.ts

  # A codebook with history for some surveys
  posthog-sync keys --out codebook.md --history --select 'NPS*'

  # Variables for an app built with Vite
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
	flags.Var(newChoice(&f.format, "", keys.Formats...), "format", "ts, env, json, or markdown (default: from the name of FILE, or ts)")
	flags.StringVar(&f.out, "out", "", "file to write; a file that keys did not write is not overwritten")
	flags.StringVar(&f.check, "check", "", "file to check: print a diff and exit with code 2 if it is not up to date")
	flags.BoolVar(&f.withHistory, "history", false, "markdown only: show what changed when, from the activity log of a live source")
	flags.StringVar(&f.prefix, "prefix", "", "env only: prefix of the variable names, such as VITE_")
	excludeEachOther(cmd, "out", "check")
}

// keys generates the file for a source, or compares the existing file with the source.
func (p *program) keys(ctx context.Context, name string, f keysFlags) error {
	job, err := newKeysJob(p, name, f)
	if err != nil {
		return err
	}
	if err := job.readFile(); err != nil {
		return err
	}
	text, err := job.render(ctx)
	if err != nil {
		return err
	}

	p.progress.Close()
	switch {
	case f.check != "":
		return job.compare(text)
	case f.out == "":
		_, err := p.stdout.Write(text)
		return err
	case string(text) == job.before:
		p.logf("%s is up to date.", f.out)
		return nil
	}
	if err := code.WriteFile(f.out, code.Content(text)); err != nil {
		return err
	}
	p.logf("Wrote %s.", f.out)
	return nil
}

// keysJob is one run of keys.
type keysJob struct {
	*program
	keysFlags
	source source.Source
	// before is the file's current content, and names contains the names that the file records.
	before string
	names  keys.Names
}

// file returns the path of the file, or an empty string if keys prints the output.
func (j *keysJob) file() string {
	if j.out != "" {
		return j.out
	}
	return j.check
}

// readFile reads the file of an earlier run, if it exists.
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
		return &refusedError{fmt.Sprintf("%s was left unchanged: %v. Use another file, or remove it", j.file(), err)}
	case err != nil:
		return fmt.Errorf("cannot read %s, which records the names that your code uses: %w. Restore it from git, or remove it to get new names", j.file(), err)
	}
	return nil
}

// variablePrefix matches the valid prefixes of a variable name.
var variablePrefix = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)?$`)

// newKeysJob validates the command line.
func newKeysJob(p *program, name string, f keysFlags) (*keysJob, error) {
	s, err := source.Parse(name)
	if err != nil {
		return nil, err
	}
	if s.Form == source.Code || s.Form == source.Plan {
		return nil, fmt.Errorf("%s does not contain IDs of objects that are not created yet. Use live, live:NAME, tf:DIR, or file:PATH", s)
	}

	job := &keysJob{program: p, keysFlags: f, source: s}
	if job.format == "" {
		job.format = keys.TypeScript
		if format, ok := keys.DetectFormat(job.file()); ok {
			job.format = format
		} else if job.file() != "" {
			return nil, fmt.Errorf("cannot determine the format of %s from its name. Set --format to ts, env, json, or markdown", job.file())
		}
	}

	switch {
	case job.withHistory && job.format != keys.Markdown:
		return nil, fmt.Errorf("--history requires --format markdown, but the format is %s", job.format)
	case job.withHistory && s.Form != source.Live:
		return nil, fmt.Errorf("--history requires a live source, because it reads the activity log. %s is not a live source", s)
	case !variablePrefix.MatchString(f.prefix):
		return nil, fmt.Errorf("--prefix %q is not a valid prefix for a variable name. Use letters, digits, and underscores", f.prefix)
	}
	return job, nil
}

// render reads the source and returns the content of the file.
func (j *keysJob) render(ctx context.Context) ([]byte, error) {
	objects, err := j.loadSurveys(ctx, j.source)
	if err != nil {
		return nil, err
	}
	var configuration keys.ConfigurationNames
	if j.source.Form == source.State {
		if configuration, err = keys.ReadConfigurationNames(j.source.Argument); err != nil {
			return nil, fmt.Errorf("cannot read names from the configuration: %w", err)
		}
	}

	surveys, without, err := keys.Read(objects, configuration)
	if err != nil {
		return nil, err
	}
	if len(surveys) == 0 && len(j.flags.selected) > 0 && j.file() != "" {
		return nil, fmt.Errorf("no survey of %s matches --select. %s was left unchanged, because it would lose the names that it records", j.source, j.file())
	}
	for _, question := range without {
		j.logf("Skipped question %[2]d (%[3]q) of survey %[1]q: it does not have a unique ID, so code cannot refer to it. To include it, set its id in the configuration.",
			question.Survey, question.Position, question.Question)
	}
	if err := j.warnReplacedIDs(ctx, objects); err != nil {
		return nil, err
	}
	if j.withHistory {
		if err := j.addHistory(ctx, objects, surveys); err != nil {
			return nil, err
		}
	}
	return keys.Render(keys.Assign(surveys, j.names), j.format, j.prefix)
}

// warnReplacedIDs reports the surveys whose question IDs were replaced by a save since the file was
// written. An app that is built with the new IDs sends its answers under those IDs.
func (j *keysJob) warnReplacedIDs(ctx context.Context, objects []source.Object) error {
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
			continue // without the log, question IDs cannot be compared
		}
		if list := logged.detachedList(ctx).WithAnswers(); len(list) > 0 {
			survey := newDetachedSurvey(o.ID, o.Name, list, repairing{flags: j.environmentFlags(j.source.Argument)})
			j.logf("Warning: survey %q: %s", o.Name, detachedSummary(list))
			for _, note := range survey.notes() {
				j.logf("  %s", note)
			}
		}
	}
	return ctx.Err()
}

// addHistory adds the edits of each survey.
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
			return fmt.Errorf("--history: cannot read the edits of survey %q: %w", survey.Title, err)
		}
		surveys[i].History = listEdits(feed, questionsNow(objects, survey.ID))
		task.Add(1)
	}
	return nil
}

// questionsNow returns the current questions of a survey in a live source.
func questionsNow(objects []source.Object, id string) []past.Question {
	i := slices.IndexFunc(objects, func(o source.Object) bool { return o.ID == id && o.SurveyResponse != nil })
	if i < 0 {
		return nil
	}
	raws, _ := objects[i].SurveyResponse.Questions.Get() // no questions if null
	questions, _ := past.ParseQuestionList(raws)
	return questions
}

// listEdits returns the edits of a survey, newest first, with the same wording as the history command.
func listEdits(feed past.Feed, live []past.Question) []keys.Edit {
	edits := []keys.Edit{}
	for _, event := range slices.Backward(past.Events(feed, past.Follow(live, feed))) {
		edit := keys.Edit{What: []string{joinSteps(event)}}
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

// compare returns an error if the file is not up to date, and prints the differences.
func (j *keysJob) compare(text []byte) error {
	if string(text) == j.before {
		j.logf("%s is up to date.", j.check)
		return nil
	}
	diff := udiff.Unified("a/"+j.check, "b/"+j.check, j.before, string(text))
	if _, err := j.stdout.Write([]byte(escape.TerminalLines(diff))); err != nil {
		return err
	}
	return &differencesError{fmt.Sprintf("%s does not match %s. To update it, run keys with --out %s", j.check, j.source, j.check)}
}
