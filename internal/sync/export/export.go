// Package export writes live objects as configuration into a directory: it decides which
// objects are written, under which addresses and in which files. Package code generates
// the configuration, and knows what the directory holds already. It knows
// neither a command line nor the service: a Source has the objects, and what it reports and
// refuses is worded by the caller.
package export

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// Source has the live objects of a project and an organization.
type Source interface {
	// Surveys and Apps iterate over all objects. An error is the last element.
	Surveys(ctx context.Context) iter.Seq2[api.Survey, error]
	Apps(ctx context.Context) iter.Seq2[api.PipelineImportApp, error]
	// AppsRemoved reports, after Apps, whether PostHog has removed import apps, so that
	// Apps yielded none.
	AppsRemoved() bool
	// Survey and App read an object that the lists lack. found is false only where the service
	// proves that it does not exist.
	Survey(ctx context.Context, id string) (survey api.Survey, found bool, err error)
	App(ctx context.Context, id int64) (app api.PipelineImportApp, found bool, err error)
}

// Options say what is exported and how.
type Options struct {
	// ProjectID and OrganizationID are those of the source; empty where it has none.
	ProjectID, OrganizationID string
	// Surveys and Apps are the kinds of objects that are exported. Blocks of other kinds stay
	// as they are.
	Surveys, Apps bool
	// Selects reports whether objects with a name are exported; nil selects all.
	Selects func(name string) bool
	// Unmanaged leaves out the objects that other files declare, and those in Managed.
	Unmanaged bool
	Managed   map[code.Key]bool
	// Addresses are those under which the state of the directory manages objects. One that it
	// manages elsewhere than the export would is not written a second time.
	Addresses map[code.Key]string
	// FilePerObject writes a file for each object, and not one for each kind.
	FilePerObject bool
	// ProviderBlock adds a provider block with the project and the organization.
	ProviderBlock bool
	// ReplaceOthers allows to replace the export of another project or organization.
	ReplaceOthers bool
	// Remember is called for each object that is written, as the service has it; nil for nothing.
	Remember func(Live)
	// Past returns the versions of the questions of a survey that is new in the files, oldest
	// first, as far as the activity log has them; nil for nothing.
	Past func(ctx context.Context, survey api.Survey) ([][]identity.Question, error)
	// Code says how surveys are written.
	Code code.Options
}

// Live is an object of the service: a survey or an import app.
type Live struct {
	Survey *api.Survey
	App    *api.PipelineImportApp
}

// Run writes the objects of a source into the files of a directory, all of them or none, and
// removes files of earlier exports that are no longer needed. The report is filled as far as
// the run got. A *Refusal says what is in the way.
func Run(ctx context.Context, source Source, directory *code.Directory, o Options) (Report, error) {
	x := newRun(source, directory, o)
	if err := x.collect(ctx); err != nil {
		return Report{}, err
	}
	err := x.write(ctx)
	return x.report, err
}

// Print writes to w what Run would write into files, and no file.
func Print(ctx context.Context, source Source, directory *code.Directory, w io.Writer, o Options) (Report, error) {
	x := newRun(source, directory, o)
	if err := x.collect(ctx); err != nil {
		return Report{}, err
	}
	err := x.print(w)
	return x.report, err
}

// run is one export. Memory holds one page of objects, and the text of each that was rendered.
type run struct {
	Options
	source    Source
	directory *code.Directory
	report    Report

	// entries are the objects that are written, taken their addresses.
	entries []entry
	taken   map[code.Address]bool
	// seen are the objects that the service has.
	seen    map[code.Key]bool
	flagIDs map[string]int64
	// keptAny is set when blocks of an earlier export stay, and with them the flags that they
	// refer to.
	keptAny bool
	// leftOut is set when an object is neither written nor kept, since it is managed or not selected.
	leftOut bool
	// renderSurvey generates the configuration of a survey.
	renderSurvey func(ctx context.Context, survey api.Survey, o code.Options) (*code.Object, error)
}

// entry is an object that is written, with its blocks.
type entry struct {
	code.Key
	code.Address
	// former are its earlier addresses, oldest first.
	former []code.Address
	text   []byte
}

func newRun(source Source, directory *code.Directory, o Options) *run {
	x := &run{
		Options: o, source: source, directory: directory, report: Report{Directory: directory.Path},
		taken: map[code.Address]bool{}, seen: map[code.Key]bool{}, flagIDs: map[string]int64{},
	}
	x.renderSurvey = func(ctx context.Context, survey api.Survey, options code.Options) (*code.Object, error) {
		return code.Survey(ctx, survey, o.ProjectID, options)
	}
	return x
}

// parent is the project or organization of the objects of a type.
func (o Options) parent(typ string) string {
	if typ == code.AppType {
		return o.OrganizationID
	}
	return o.ProjectID
}

// writes reports whether this run exports objects of a type.
func (o Options) writes(typ string) bool {
	if typ == code.AppType {
		return o.OrganizationID != "" && o.Apps
	}
	return o.ProjectID != "" && o.Surveys
}

func (o Options) selects(name string) bool { return o.Selects == nil || o.Selects(name) }

// Report is the result of an export.
type Report struct {
	Directory string `json:"directory"`
	Files     []File `json:"files"`
	Surveys   int    `json:"surveys"`
	Apps      int    `json:"pipeline_import_apps"`
	// Kept is the number of objects whose blocks of an earlier export stay as they are,
	// Skipped that of objects which something else manages.
	Kept    int `json:"kept"`
	Skipped int `json:"left_out"`
	// Gone is the number of objects of an earlier export that the service no longer has.
	Gone int `json:"gone"`
	// Moved are the resources with a new address.
	Moved []Move `json:"moved"`
	// Withheld are the defaults of secret fields that were not written.
	Withheld []Withheld `json:"withheld,omitempty"`
	// Detached are the surveys with detached answers.
	Detached []Detached `json:"-"`
}

// Withheld is a field of the config_schema of an import app, whose default is secret.
type Withheld struct {
	App   string `json:"app"`
	Field string `json:"field"`
}

// Status is what became of a file.
type Status string

// The values of Status.
const (
	// Written files are new, or have another content than before.
	Written Status = "written"
	// Unchanged files have the right content already.
	Unchanged Status = "unchanged"
	// Removed files are no longer needed.
	Removed Status = "removed"
	// Edited files were edited since the last export, and are left to their editor.
	Edited Status = "edited"
)

// File is one file of an export.
type File struct {
	Path   string `json:"path"`
	Status Status `json:"status"`
}

// Move is a resource whose address changed since the last export.
type Move struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Refusal is the error of an export that would destroy something. Nothing was written.
type Refusal struct {
	// Reason says what is in the way, and which flag helps.
	Reason string
}

// Error implements error.
func (r *Refusal) Error() string { return r.Reason }

func refuse(form string, values ...any) error { return &Refusal{fmt.Sprintf(form, values...)} }
