package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/inputfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/snapshot"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/surveyfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfcli"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

// sourceLoader loads sources into memory. A verb that can work on live objects one by one uses
// program.live.
type sourceLoader struct {
	program  *program
	selected selection
	// named is the environment on which code is planned, and of a live source that names none;
	// empty for the default one.
	named string
	// as says whether objects are as they are, or shelved.
	as func(source.Object) source.Object
}

// loader returns a loader of selected objects.
func (p *program) loader(selected selection) sourceLoader {
	return sourceLoader{program: p, selected: selected, named: p.namedEnvironment(), as: source.Object.Whole}
}

// loadSurveys loads the selected surveys of a source.
func (p *program) loadSurveys(ctx context.Context, s source.Source) ([]source.Object, error) {
	return p.loader(p.selection().of(true, false)).load(ctx, s)
}

// load loads the selected objects of a source.
func (l sourceLoader) load(ctx context.Context, s source.Source) ([]source.Object, error) {
	objects, err := l.objects(ctx, s)
	if err != nil {
		return nil, inSource(s, err)
	}

	var selected []source.Object
	for _, object := range objects {
		if l.selected.includes(object.Kind) && l.selected.selects(object.Name) {
			selected = append(selected, object)
		}
	}
	return selected, nil
}

// inSource is an error with the source in it. The errors of a file name it in each line.
func inSource(s source.Source, err error) error {
	if s.Form == source.File {
		return err
	}
	return fmt.Errorf("%s: %w", s, err)
}

// objects are all objects of a source.
func (l sourceLoader) objects(ctx context.Context, s source.Source) ([]source.Object, error) {
	switch s.Form {
	case source.Live:
		service, err := l.program.liveSource(cmp.Or(s.Argument, l.named), l.selected)
		if err != nil {
			return nil, err
		}
		return service.objects(ctx, l.as)
	case source.File:
		if s.IsWritten() {
			return l.program.readSurveyFile(ctx, s.Argument)
		}
		contents, err := snapshot.Open(s.Argument)
		if err != nil {
			return nil, err
		}
		return snapshot.Objects(ctx, contents, l.as)
	case source.Plan:
		plan, err := l.readPlan(ctx, s.Argument)
		if err != nil {
			return nil, err
		}
		return tfplan.Objects(ctx, plan)
	case source.State, source.Code:
	}

	tf, err := l.terraform()
	if err != nil {
		return nil, err
	}
	if s.Form == source.State {
		state := tfplan.NewStateReader(l.as)
		isThere, err := tf.State(ctx, s.Argument, state.Add)
		if err == nil && !isThere {
			err = fmt.Errorf("the directory has no Terraform state, or an empty one: run %s init and apply there first, name the directory of the state, or read the configuration as code:%s", tf.Name(), s.Argument)
		}
		return state.Objects(), err
	}
	tf.KeyIsOptional = true
	plan, err := tf.Plan(ctx, s.Argument)
	if err != nil {
		return nil, err
	}
	if tf.IsWithoutKey {
		for _, address := range tfplan.Unanswered(plan) {
			l.program.logf("%s: unknown without a key", address)
		}
	}
	return tfplan.Objects(ctx, plan)
}

// readSurveyFile reads the surveys of a YAML file.
func (p *program) readSurveyFile(ctx context.Context, file string) ([]source.Object, error) {
	return surveyfile.Read(ctx, file, func(text string) { p.logf("Warning: %s", text) })
}

// sourceEnvironment is the environment of a live source: the one that it names, or that of --env.
func (p *program) sourceEnvironment(name string) (environment.Environment, error) {
	set, err := p.environments()
	if err != nil {
		return environment.Environment{}, err
	}
	return set.Get(cmp.Or(name, p.namedEnvironment()))
}

// objects are all objects of a live source, whether selected or not, as they are or shelved.
func (l *live) objects(ctx context.Context, convert func(source.Object) source.Object) ([]source.Object, error) {
	var objects []source.Object
	for wire, err := range l.allSurveys(ctx) {
		if err != nil {
			return nil, err
		}
		object, err := source.FromSurvey(ctx, wire, l.ProjectID)
		if err != nil {
			return nil, err
		}
		object.Service = l.BaseURL
		objects = append(objects, convert(object))
	}

	for wire, err := range l.allApps(ctx) {
		if err != nil {
			return nil, err
		}
		object, err := source.FromApp(ctx, wire, l.OrganizationID)
		if err != nil {
			return nil, err
		}
		object.Service = l.BaseURL
		objects = append(objects, object)
	}
	return objects, nil
}

// readPlan reads the JSON of a plan. The CLI converts a saved plan to JSON.
func (l sourceLoader) readPlan(ctx context.Context, path string) (*tfjson.Plan, error) {
	text, err := inputfile.Read(path)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(text, []byte("PK")) { // a saved plan is a ZIP archive
		tf, err := l.terraform()
		if err != nil {
			return nil, err
		}
		return tf.ShowPlan(ctx, ".", path)
	}
	return tfplan.Parse(text)
}

// terraform returns the program that plans, with the settings of the environment.
func (l sourceLoader) terraform() (*tfcli.CLI, error) {
	e, err := l.program.sourceEnvironment(l.named)
	if err != nil {
		return nil, err
	}
	return l.program.terraform(e)
}

// plannedDirectory is the plan of a directory, with what the state remembers.
type plannedDirectory struct {
	// plan has no resources; it is nil for one that was not read, since it changes nothing.
	plan      *tfjson.Plan
	resources []pull.Resource
	// lock is what pull remembers of the directory.
	lock *pull.Lock
}

// planning says what is needed of the plan of a directory.
type planning struct {
	// forEdit is set where only the resources are needed on which something is to be edited.
	forEdit bool
	// ifDiffers is set where a plan that changes nothing is not read.
	ifDiffers bool
}

// planDirectory plans a directory.
func (p *program) planDirectory(ctx context.Context, e environment.Environment, dir string, options planning) (planned plannedDirectory, err error) {
	if planned.lock, err = pull.ReadLock(dir, e.BaseURL); err != nil {
		return planned, err
	}
	reader := &pull.Reader{Lock: planned.lock, IsOurs: code.IsProviderSource, ForEdit: options.forEdit}
	plan := p.planWithCLI
	if p.planner != nil {
		plan = p.planner
	}
	planned.plan, err = plan(ctx, e, dir, reader, options)
	planned.resources = reader.Resources
	return planned, err
}

// survey is the resource of a survey; not ok if the directory has none.
func (d plannedDirectory) survey(id string) (pull.Resource, bool) {
	for _, r := range d.resources {
		if r.Type == code.SurveyType && r.ID == id {
			return r, true
		}
	}
	return pull.Resource{}, false
}

// planWithCLI plans a directory with Terraform, and reads the private states from the plan.
func (p *program) planWithCLI(ctx context.Context, e environment.Environment, dir string, reader *pull.Reader, options planning) (*tfjson.Plan, error) {
	tf, err := p.terraform(e)
	if err != nil {
		return nil, err
	}
	return tf.PlanAnd(ctx, dir, func(file string, differs bool) bool {
		if options.ifDiffers && !differs {
			return false
		}
		reader.Private = pull.PrivateStates(file)
		return true
	}, reader.Add)
}

// terraform returns the program that plans, with the provider of this build and an
// environment. The provider runs in this process and gets the key here: it is passed to the
// CLI neither in its environment nor in its arguments.
func (p *program) terraform(e environment.Environment) (*tfcli.CLI, error) {
	p.announce(e)
	variables := e.Variables(p.getenv)
	return tfcli.Find(p.flags.terraform, func() *provider.Provider {
		instance := provider.New(p.version)
		instance.Transport, instance.WrapTransport = p.roundTripper, p.wrap
		instance.Getenv = func(name string) string {
			if value, ok := variables[name]; ok {
				return value
			}
			return p.getenv(name)
		}
		return instance
	})
}
