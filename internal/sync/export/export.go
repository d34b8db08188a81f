// Package export writes live objects to a directory as configuration. It decides which objects it writes,
// at which addresses, and in which files. Package code generates the configuration and reads the
// directory's existing files. Start reading at [Run].
//
// The package must not send requests or print messages: the caller provides a [Source], and prints the
// [Report] and each [Refusal].
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

// Source provides the live objects of a project and an organization.
type Source interface {
	// Surveys and Apps iterate over all objects. If an error occurs, it is the last element.
	Surveys(ctx context.Context) iter.Seq2[api.Survey, error]
	Apps(ctx context.Context) iter.Seq2[api.PipelineImportApp, error]
	// AppsRemoved reports whether Apps yielded no apps because PostHog no longer supports import apps.
	AppsRemoved() bool
	// Survey and App read an object that is missing from the lists. found is false only if PostHog proves
	// that the object does not exist.
	Survey(ctx context.Context, id string) (survey api.Survey, found bool, err error)
	App(ctx context.Context, id int64) (app api.PipelineImportApp, found bool, err error)
}

// Options are the options of an export.
type Options struct {
	// ProjectID and OrganizationID are the IDs of the source's project and organization. Each is empty if the
	// source does not have a project or an organization.
	ProjectID, OrganizationID string
	// Surveys and Apps select the kinds of objects to export. Blocks for other kinds stay unchanged.
	Surveys, Apps bool
	// Selects reports whether to export objects with the given name. Nil selects all objects.
	Selects func(name string) bool
	// Unmanaged skips objects that other files declare, and objects in Managed.
	Unmanaged bool
	Managed   map[code.Key]bool
	// Addresses contains the addresses at which the directory's state manages objects. If the export would
	// use a different address for an object, it does not write the object a second time.
	Addresses map[code.Key]string
	// FilePerObject writes one file for each object instead of one file for each kind.
	FilePerObject bool
	// ProviderBlock adds a provider block with the project and the organization.
	ProviderBlock bool
	// ReplaceOthers allows the export to replace an export of another project or organization.
	ReplaceOthers bool
	// Remember is called for each exported object, as PostHog returned it. It may be nil.
	Remember func(Live)
	// Past returns what the activity log shows about a survey's questions. It may be nil.
	Past func(ctx context.Context, survey api.Survey) (Logged, error)
	// Agreed returns a survey's questions at an earlier export into the directory. It replaces an activity log that cannot
	// be read, and may be nil. If the state manages the survey, the questions may be outdated.
	Agreed func(survey string) []identity.Question
	// Code contains the options for the configuration of surveys.
	Code code.Options
}

// Live is a survey or an import app in PostHog.
type Live struct {
	Survey *api.Survey
	App    *api.PipelineImportApp
	// Unlogged are the survey's questions with detached answers, if its activity log cannot be read. Only this export
	// knows their old IDs.
	Unlogged identity.DetachedList
}

// Run writes a source's objects to files in a directory, and removes obsolete files of earlier exports. It
// writes either all files or none. If Run returns an error, the report covers the run up to the error. A
// *Refusal explains what prevents the export.
func Run(ctx context.Context, source Source, directory *code.Directory, o Options) (Report, error) {
	x := newRun(source, directory, o)
	if err := x.collect(ctx); err != nil {
		return Report{}, err
	}
	err := x.write(ctx)
	return x.report, err
}

// Print writes to w the content that Run would write to files. It changes no files.
func Print(ctx context.Context, source Source, directory *code.Directory, w io.Writer, o Options) (Report, error) {
	x := newRun(source, directory, o)
	if err := x.collect(ctx); err != nil {
		return Report{}, err
	}
	err := x.print(w)
	return x.report, err
}

// run is one export. It holds one page of objects and the text of all rendered objects in memory.
type run struct {
	Options
	source    Source
	directory *code.Directory
	report    Report

	// entries contains the objects to write, and taken contains their addresses.
	entries []entry
	taken   map[code.Address]bool
	// seen contains the objects that exist in PostHog.
	seen    map[code.Key]bool
	flagIDs map[string]int64
	// keptAny is set if the export keeps blocks of an earlier export. In that case, it also keeps the flags
	// that these blocks may reference.
	keptAny bool
	// leftOut is set if an object is neither written nor kept, because it is managed elsewhere or not
	// selected.
	leftOut bool
	// renderSurvey generates the configuration of a survey.
	renderSurvey func(ctx context.Context, survey api.Survey, o code.Options) (*code.Object, error)
}

// entry is an object to write, and its blocks.
type entry struct {
	code.Key
	code.Address
	// former contains the object's previous addresses, oldest first.
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

// parent returns the project or organization of objects of a type.
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
	// Kept is the number of objects whose blocks from an earlier export are kept. Skipped is the number of
	// objects that are managed elsewhere.
	Kept    int `json:"kept"`
	Skipped int `json:"left_out"`
	// Gone is the number of objects in an earlier export that no longer exist in PostHog.
	Gone int `json:"gone"`
	// Moved lists the resources with a new address.
	Moved []Move `json:"moved"`
	// Withheld lists the secret defaults that were not written.
	Withheld []Withheld `json:"withheld,omitempty"`
	// Detached lists the surveys with detached answers.
	Detached []Detached `json:"-"`
}

// Withheld is a field in the config_schema of an import app that has a secret default.
type Withheld struct {
	App   string `json:"app"`
	Field string `json:"field"`
}

// Status describes what the export did with a file.
type Status string

// Values of Status.
const (
	// Written means that the file is new, or that its content changed.
	Written Status = "written"
	// Unchanged means that the file already had the right content.
	Unchanged Status = "unchanged"
	// Removed means that the file is no longer needed.
	Removed Status = "removed"
	// Edited means that the file was edited after the last export, and stays unchanged.
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

// Refusal is the error of an export that would destroy something. In this case, the export writes no
// files.
type Refusal struct {
	// Reason explains what prevents the export, and contains the flag that allows it.
	Reason string
}

// Error implements error.
func (r *Refusal) Error() string { return r.Reason }

func refuse(form string, values ...any) error { return &Refusal{fmt.Sprintf(form, values...)} }
