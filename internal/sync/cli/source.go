package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
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

// sourceLoader loads sources into memory. Commands that process live objects one at a time use
// program.live instead.
type sourceLoader struct {
	program  *program
	selected selection
	// named is the environment in which configuration is planned, and the environment of a live source
	// without a name. It is empty for the default environment.
	named string
	// as converts each loaded object: it either leaves the object unchanged or shelves it.
	as func(source.Object) source.Object
	// detached collects, by survey ID, the questions with detached answers whose new IDs a loaded plan
	// keeps. If it is nil, they are not collected.
	detached map[string]identity.DetachedList
}

// loader returns a loader for selected objects.
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

// inSource adds the source to an error. Errors about a file already contain its name on each line.
func inSource(s source.Source, err error) error {
	if s.Form == source.File {
		return err
	}
	return fmt.Errorf("%s: %w", s, err)
}

// objects returns all objects of a source.
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
		if err := l.addDetached(plan, pull.PrivateStates(s.Argument)); err != nil {
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
			err = fmt.Errorf("the directory does not have a Terraform state, or the state is empty. Run %s init and apply there first, use the directory of the state, or read the configuration as code:%s", tf.Name(), s.Argument)
		}
		return state.Objects(), err
	}
	tf.KeyIsOptional = true
	var private map[string]map[string][]byte
	plan, err := tf.PlanAnd(ctx, s.Argument, func(file string, _ bool) bool {
		private = pull.PrivateStates(file)
		return true
	}, nil)
	if err != nil {
		return nil, err
	}
	if err := l.addDetached(plan, private); err != nil {
		return nil, err
	}
	if tf.IsWithoutKey {
		for _, address := range tfplan.Unanswered(plan) {
			l.program.logf("%s: unknown without a key", address)
		}
	}
	return tfplan.Objects(ctx, plan)
}

// addDetached collects the questions with detached answers whose new IDs a plan keeps.
func (l sourceLoader) addDetached(plan *tfjson.Plan, private map[string]map[string][]byte) error {
	if l.detached == nil {
		return nil
	}
	surveys, err := detachedInPlan(plan, private)
	for _, survey := range surveys {
		for _, d := range survey.Detached.Certain() {
			if survey.Plans(d.ID) {
				l.detached[survey.ID] = append(l.detached[survey.ID], d)
			}
		}
	}
	return err
}

// detachedInPlan returns the surveys with detached answers in a plan, by resource address. private
// contains the private states of a saved plan.
func detachedInPlan(plan *tfjson.Plan, private map[string]map[string][]byte) (map[string]pull.Resource, error) {
	resources, err := pull.Resources(plan, private, nil, code.IsProviderSource)
	if err != nil {
		return nil, err
	}
	detached := map[string]pull.Resource{}
	for _, r := range resources {
		if len(r.Detached) > 0 {
			detached[r.Address] = r
		}
	}
	return detached, nil
}

// readSurveyFile reads the surveys of a YAML file.
func (p *program) readSurveyFile(ctx context.Context, file string) ([]source.Object, error) {
	return surveyfile.Read(ctx, file, func(text string) { p.logf("Warning: %s", text) })
}

// sourceEnvironment returns the environment in a live source's argument, or the --env environment if the
// argument is empty.
func (p *program) sourceEnvironment(name string) (environment.Environment, error) {
	set, err := p.environments()
	if err != nil {
		return environment.Environment{}, err
	}
	return set.Get(cmp.Or(name, p.namedEnvironment()))
}

// objects returns all objects of a live source, including objects that are not selected. convert keeps
// or shelves each object.
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

// readPlan reads a plan in JSON. If the file is a saved plan, Terraform converts it to JSON.
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

// plannedDirectory is a directory's plan, with the data that the provider and pull recorded.
type plannedDirectory struct {
	// plan omits resources. It is nil if the plan changes nothing and was therefore not read.
	plan      *tfjson.Plan
	resources []pull.Resource
	// lock contains the data that pull recorded for the directory.
	lock *pull.Lock
}

// planning selects which parts of a directory's plan to read.
type planning struct {
	// forEdit is set if the caller needs only resources that it may edit.
	forEdit bool
	// ifDiffers is set if the caller does not need a plan without changes.
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

// survey returns the resource of a survey. ok is false if the directory does not contain it.
func (d plannedDirectory) survey(id string) (pull.Resource, bool) {
	for _, r := range d.resources {
		if r.Type == code.SurveyType && r.ID == id {
			return r, true
		}
	}
	return pull.Resource{}, false
}

// planWithCLI plans a directory with Terraform and reads the private states from the plan.
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

// terraform returns the program that plans with the provider of this build. The provider runs in this
// process and gets e's API key here, so neither Terraform's environment nor its arguments contain the key.
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
