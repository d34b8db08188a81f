package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/export"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

// exportFlags are the flags of export.
type exportFlags struct {
	to            string
	layout        string
	branching     string
	only          string
	state         string
	questionIDs   bool
	providerBlock bool
	force         bool
	stdout        bool
	verify        bool
}

// Values of export's flags.
const (
	toTerraform   = "tf"
	toYAML        = "yaml"
	layoutKind    = "kind"
	layoutObject  = "object"
	branchNames   = "names"
	branchPlaces  = "places"
	onlyUnmanaged = "unmanaged"
)

// newExport returns the command that writes live objects as Terraform configuration.
func newExport(p *program) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export [DIR|FILE]",
		Short: "Export surveys and import apps as Terraform or YAML",
		Long: `Writes an import block and a resource block for each survey and import app of an environment into DIR
(the working directory by default). A plan of the result imports the objects and changes nothing. To
verify that, add --verify.

Each exported file starts with a header that contains a checksum. export overwrites only files whose
checksum still matches: if someone edited a file, export leaves it unchanged. An object keeps its
resource name as long as its own name stays the same. If the object was renamed, export adds a moved
block. The same objects always produce the same bytes.

export records what it wrote in .posthog-sync.lock.json. Before the first apply, pull uses this file to
tell who edited a value.

With --to yaml, export prints the surveys, or writes them to FILE, in the format that
posthog-sync sync file:FILE live reads. It omits defaults, and the IDs, dates, and status of surveys,
which a sync then leaves unchanged.

Exit codes:

    0    done
    1    error, or --verify found changes
    2    answers are detached
    3    an edited file was left unchanged
    130  interrupted`,
		Example: `  # Export all surveys and import apps, and verify that a plan changes nothing
  posthog-sync export --verify

  # Export only what Terraform does not manage yet
  posthog-sync export --only unmanaged

  # Print the surveys of one campaign
  posthog-sync export --kind surveys --select 'Spring*' --stdout

  # Keep surveys in a YAML file without Terraform
  posthog-sync export --to yaml surveys.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.to == toYAML {
				return p.exportYAML(cmd, optional(args, ""), f)
			}
			return p.export(cmd.Context(), optional(args, "."), f)
		},
	}
	flags := cmd.Flags()
	flags.Var(newChoice(&f.to, toTerraform, toTerraform, toYAML), "to", "format: tf (Terraform configuration) or yaml (a file of surveys)")
	flags.Var(newChoice(&f.layout, layoutKind, layoutKind, layoutObject), "layout", "one file per kind, or one file per object")
	flags.Var(newChoice(&f.branching, branchNames, branchNames, branchPlaces), "branching", "how branching refers to questions: by names or by places (positions)")
	flags.Var(newChoice(&f.only, "", onlyUnmanaged), "only", "unmanaged: export only objects that neither the state nor another file manages")
	flags.StringVar(&f.state, "state", "", "directory whose Terraform state lists managed objects (default: DIR)")
	flags.BoolVar(&f.questionIDs, "question-ids", false, "write the IDs of all questions")
	flags.BoolVar(&f.providerBlock, "provider-block", false, "write a provider block with the project and organization")
	flags.BoolVar(&f.force, "force", false, "overwrite exported files that were edited since")
	flags.BoolVar(&f.stdout, "stdout", false, "print the configuration instead of writing files")
	flags.BoolVar(&f.verify, "verify", false, "plan DIR, and fail if the plan contains anything but no-ops and imports")
	excludeEachOther(cmd, "stdout", "verify")
	return cmd
}

// export exports an environment into a directory.
func (p *program) export(ctx context.Context, dir string, f exportFlags) error {
	if f.state != "" && f.only != onlyUnmanaged {
		return errors.New("--state requires --only unmanaged")
	}
	e, err := p.sourceEnvironment("")
	if err != nil {
		return err
	}
	exported, err := p.runExport(ctx, e, dir, f)
	for _, field := range exported.Withheld {
		p.logWithheld(field.App, field.Field, "the configuration leaves it unchanged with ignore_changes")
	}
	if err != nil {
		if refusal, ok := errors.AsType[*export.Refusal](err); ok {
			return &refusedError{refusal.Reason}
		}
		return err
	}

	r, err := p.newExportReport(ctx, e, exported)
	if err != nil {
		return err
	}
	if f.stdout {
		if err := p.printReport(p.stderr, r); err != nil {
			return err
		}
		return detachedError(r.detached)
	}
	if err := p.print(r); err != nil {
		return err
	}
	if f.verify {
		if err := p.verifyExport(ctx, e, dir); err != nil {
			return err
		}
	}
	if err := r.refusal(); err != nil {
		return err
	}
	return detachedError(r.detached)
}

// runExport reads everything that an export depends on, and writes or prints the export.
func (p *program) runExport(ctx context.Context, e environment.Environment, dir string, f exportFlags) (export.Report, error) {
	service, err := p.live(e, p.selection())
	if err != nil {
		return export.Report{}, err
	}
	if p.parent != nil { // each environment has its own directory
		if err := os.MkdirAll(dir, 0o750); err != nil {
			return export.Report{}, fmt.Errorf("cannot create the directory of environment %q: %w", e.Name, err)
		}
	}
	directory, err := code.ReadDirectory(dir, f.force)
	if err != nil {
		return export.Report{}, err
	}

	options := f.options(service)
	options.Past = service.answerLog().importedPast
	if options.Unmanaged {
		if options.Managed, err = p.managedKeys(ctx, e, f.state, dir); err != nil {
			return export.Report{}, err
		}
	}
	if f.stdout {
		var printed bytes.Buffer
		report, err := export.Print(ctx, exportSource{service}, directory, &printed, options)
		p.progress.Close()
		if err == nil {
			_, err = p.stdout.Write(printed.Bytes())
		}
		return report, err
	}

	if options.Addresses, err = export.ManagedAddresses(dir); err != nil {
		return export.Report{}, err
	}
	lock, err := pull.ReadLock(dir, e.BaseURL)
	if err != nil {
		return export.Report{}, err
	}
	options.Agreed = lock.ExportedQuestions(service.ProjectID)
	remember, remembered := remembering(ctx, lock, service)
	options.Remember = remember
	report, err := export.Run(ctx, exportSource{service}, directory, options)
	err = errors.Join(err, remembered())
	if change, ok := lock.Change(); ok && err == nil {
		err = writeChanges(dir, []pull.Change{change})
	}
	return report, err
}

// options returns the options for an export from a source.
func (f exportFlags) options(service *live) export.Options {
	return export.Options{
		ProjectID: service.ProjectID, OrganizationID: service.OrganizationID,
		Surveys: service.selected.surveys, Apps: service.selected.apps, Selects: service.selected.selects,
		Unmanaged: f.only == onlyUnmanaged, FilePerObject: f.layout == layoutObject,
		ProviderBlock: f.providerBlock, ReplaceOthers: f.force,
		Code: code.Options{BranchingByPlace: f.branching == branchPlaces, QuestionIDs: f.questionIDs},
	}
}

// exportSource adapts a live source to export.Source.
type exportSource struct{ live *live }

// Surveys implements export.Source.
func (s exportSource) Surveys(ctx context.Context) iter.Seq2[api.Survey, error] {
	return s.live.allSurveys(ctx)
}

// Apps implements export.Source.
func (s exportSource) Apps(ctx context.Context) iter.Seq2[api.PipelineImportApp, error] {
	return s.live.allApps(ctx)
}

// AppsRemoved implements export.Source.
func (s exportSource) AppsRemoved() bool { return s.live.program.appsRemoved }

// Survey implements export.Source. Only a 404 proves that the survey does not exist.
func (s exportSource) Survey(ctx context.Context, id string) (survey api.Survey, found bool, err error) {
	survey, err = s.live.client.Surveys(s.live.ProjectID).Retrieve(ctx, id)
	return survey, err == nil, ignoreNotFound(err)
}

// App implements export.Source, like Survey.
func (s exportSource) App(ctx context.Context, id int64) (app api.PipelineImportApp, found bool, err error) {
	app, err = s.live.client.PipelineImportApps(s.live.OrganizationID).Retrieve(ctx, id)
	return app, err == nil, ignoreNotFound(err)
}

func ignoreNotFound(err error) error {
	if client.IsNotFound(err) {
		return nil
	}
	return err
}

// remembering returns two functions. The first records an exported object in the lock, and the second
// waits until all objects are recorded. Recording takes a third of the time of an export, so it runs
// concurrently.
func remembering(ctx context.Context, lock *pull.Lock, origin *live) (remember func(export.Live), wait func() error) {
	objects, noted := make(chan export.Live, pageSize), make(chan error)
	go func() {
		var err error
		for object := range objects {
			switch {
			case err != nil: // after an error, the remaining objects are not recorded
			case object.App != nil:
				err = lock.NoteApp(ctx, *object.App, origin.OrganizationID)
			default:
				err = lock.NoteSurvey(ctx, *object.Survey, origin.ProjectID, object.Unlogged)
			}
		}
		noted <- err
	}()
	return func(object export.Live) { objects <- object }, func() error { close(objects); return <-noted }
}

// managedKeys returns the objects in a directory's state. The directory is the value of --state, or the
// export's target if the target has a state.
func (p *program) managedKeys(ctx context.Context, e environment.Environment, stateDir, dir string) (map[code.Key]bool, error) {
	if stateDir == "" {
		if !hasState(dir) {
			return map[code.Key]bool{}, nil
		}
		stateDir = dir
	}
	if err := export.CheckState(stateDir); err != nil {
		return nil, err
	}

	tf, err := p.terraform(e)
	if err != nil {
		return nil, err
	}
	managed := map[code.Key]bool{}
	isThere, err := tf.State(ctx, stateDir, func(resource *tfjson.StateResource) error { return export.AddResource(managed, resource) })
	if err == nil && !isThere {
		err = fmt.Errorf("--state: %s has no state, or an empty one. To treat all objects as unmanaged, omit --state", stateDir)
	}
	return managed, err
}

// hasState reports whether a directory has a local state or is initialized for a remote state.
func hasState(dir string) bool {
	for _, name := range []string{"terraform.tfstate", filepath.Join(".terraform", "terraform.tfstate")} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}
