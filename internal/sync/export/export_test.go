package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// fakeSource contains objects in memory.
type fakeSource struct {
	surveys []api.Survey
	apps    []api.PipelineImportApp
	// unlisted contains surveys that exist but are missing from the list.
	unlisted []api.Survey
	// err ends the list of surveys. readErr ends each read of one object.
	err, readErr error
}

func (s *fakeSource) Surveys(context.Context) iter.Seq2[api.Survey, error] {
	return list(s.surveys, s.err)
}

func (s *fakeSource) Apps(context.Context) iter.Seq2[api.PipelineImportApp, error] {
	return list(s.apps, nil)
}

func (s *fakeSource) Survey(_ context.Context, id string) (api.Survey, bool, error) {
	for _, survey := range s.unlisted {
		if *survey.ID == id {
			return survey, true, s.readErr
		}
	}
	return api.Survey{}, false, s.readErr
}

func (s *fakeSource) App(context.Context, int64) (api.PipelineImportApp, bool, error) {
	return api.PipelineImportApp{}, false, s.readErr
}

// list iterates over objects, and repeats each object on a second page, like a list that changes while it is read.
func list[T any](objects []T, err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, object := range slices.Concat(objects, objects) {
			if !yield(object, nil) {
				return
			}
		}
		if err != nil {
			var none T
			yield(none, err)
		}
	}
}

// survey returns a survey whose ID ends in a number.
func survey(n int, name string) api.Survey {
	id := fmt.Sprintf("0190d6a4-0000-7000-8000-%012d", n)
	return api.Survey{
		ID: &id, Name: nullable.NewNullableWithValue(name), Type: nullable.NewNullableWithValue(api.SurveyType("popover")),
		Questions: nullable.NewNullableWithValue([]json.RawMessage{json.RawMessage(`{"id": "q", "type": "open", "question": "Why?"}`)}),
	}
}

func app(id int64, name string) api.PipelineImportApp {
	return api.PipelineImportApp{ID: &id, Name: nullable.NewNullableWithValue(name), OrganizationID: nullable.NewNullableWithValue("org")}
}

// all returns the options for an export of everything.
func all() Options {
	return Options{ProjectID: "1", OrganizationID: "org", Surveys: true, Apps: true}
}

// exported exports to a directory.
func exported(t *testing.T, dir string, source Source, o Options) (Report, error) {
	t.Helper()
	directory, err := code.ReadDirectory(dir, false)
	require.NoError(t, err)
	return Run(t.Context(), source, directory, o)
}

// files maps the file names in a directory to contents.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	contents := map[string]string{}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		require.NoError(t, err)
		contents[entry.Name()] = string(text)
	}
	return contents
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}

// The export does not render objects that it does not write, because rendering takes most of its time.
func TestSelectedBeforeRendered(t *testing.T) {
	t.Parallel()
	source := &fakeSource{}
	managed, imported := map[code.Key]bool{}, strings.Builder{}
	for n := range 1000 {
		source.surveys = append(source.surveys, survey(n, fmt.Sprint("Survey ", n)))
		if n == 0 {
			continue
		}
		id := "1/" + *source.surveys[n].ID
		managed[code.Key{Type: code.SurveyType, ImportID: id}] = true
		fmt.Fprintf(&imported, "import {\n  to = posthog_survey.s%d\n  id = %q\n}\n", n, id)
	}

	for name, change := range map[string]func(dir string, o *Options){
		"selected":         func(_ string, o *Options) { o.Selects = func(name string) bool { return name == "Survey 0" } },
		"managed":          func(_ string, o *Options) { o.Unmanaged, o.Managed = true, managed },
		"imported by code": func(dir string, o *Options) { write(t, dir, "own.tf", imported.String()); o.Unmanaged = true },
		"declared by code": func(dir string, o *Options) {
			var declared strings.Builder
			for _, s := range source.surveys[1:] {
				fmt.Fprintf(&declared, "resource \"posthog_survey\" %q {}\n", code.SurveyLabel(s.Name.MustGet(), *s.ID))
			}
			write(t, dir, "own.tf", declared.String())
			o.Unmanaged = true
		},
	} {
		dir, options := t.TempDir(), all()
		change(dir, &options)
		directory, err := code.ReadDirectory(dir, false)
		require.NoError(t, err)

		x := newRun(source, directory, options)
		var rendered atomic.Int64
		render := x.renderSurvey
		x.renderSurvey = func(ctx context.Context, survey api.Survey, how code.Options) (*code.Object, error) {
			rendered.Add(1)
			return render(ctx, survey, how)
		}
		require.NoError(t, x.collect(t.Context()))
		assert.EqualValues(t, 1, rendered.Load(), name)
		assert.Equal(t, 1, x.report.Surveys, name)
	}
}

// A second export of the same objects changes nothing, in either layout. The printed text equals the files without
// their headers.
func TestExportIsStable(t *testing.T) {
	t.Parallel()
	source := &fakeSource{surveys: []api.Survey{survey(2, "B"), survey(1, "A")}, apps: []api.PipelineImportApp{app(7, "Tickets")}}
	for _, perObject := range []bool{false, true} {
		dir, options := t.TempDir(), all()
		options.FilePerObject = perObject

		first, err := exported(t, dir, source, options)
		require.NoError(t, err)
		assert.Equal(t, []int{2, 1}, []int{first.Surveys, first.Apps})
		before := files(t, dir)
		require.Len(t, before, map[bool]int{false: 3, true: 4}[perObject])

		second, err := exported(t, dir, &fakeSource{surveys: []api.Survey{survey(1, "A"), survey(2, "B")}, apps: source.apps}, options)
		require.NoError(t, err)
		assert.Equal(t, before, files(t, dir))
		for _, file := range second.Files {
			assert.Equal(t, Unchanged, file.Status, file.Path)
		}

		directory, err := code.ReadDirectory(t.TempDir(), false)
		require.NoError(t, err)
		var printed strings.Builder
		_, err = Print(t.Context(), source, directory, &printed, options)
		require.NoError(t, err)
		for name, text := range before {
			_, body, _ := strings.Cut(text, "\n\n")
			assert.Contains(t, printed.String(), body, name)
		}
		assert.Empty(t, files(t, directory.Path))
	}
}

// Two surveys with the same name and similar IDs have different addresses.
func TestAddressesAreUnique(t *testing.T) {
	t.Parallel()
	one, other := survey(1, "NPS"), survey(1, "NPS")
	id := strings.Replace(*one.ID, "0190", "0191", 1)
	other.ID = &id

	dir := t.TempDir()
	_, err := exported(t, dir, &fakeSource{surveys: []api.Survey{one, other}}, all())
	require.NoError(t, err)
	directory, err := code.ReadDirectory(dir, false)
	require.NoError(t, err)
	require.Len(t, directory.Exported, 2)
	assert.Contains(t, files(t, dir)["surveys.tf"], `"nps_00000001"`)
	assert.Contains(t, files(t, dir)["surveys.tf"], `"nps_0191d6a4_0000_7000_8000_000000000001"`)
}

// Only PostHog's response about an object proves that the object was deleted. A list without the object, or a
// failure, does not.
func TestGoneIsProved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kept, gone := survey(1, "Kept"), survey(2, "Gone")
	_, err := exported(t, dir, &fakeSource{surveys: []api.Survey{kept, gone}}, all())
	require.NoError(t, err)
	before := files(t, dir)

	_, err = exported(t, dir, &fakeSource{surveys: []api.Survey{kept}, unlisted: []api.Survey{gone}}, all())
	require.NoError(t, err)
	assert.Equal(t, before, files(t, dir), "the export must not remove a survey that exists but is not listed")

	failure := errors.New("503")
	_, err = exported(t, dir, &fakeSource{surveys: []api.Survey{kept}, readErr: failure}, all())
	require.ErrorIs(t, err, failure)
	assert.Equal(t, before, files(t, dir), "the export must not remove a survey if it cannot check that it was deleted")

	_, err = exported(t, dir, &fakeSource{surveys: []api.Survey{kept}, err: failure}, all())
	require.ErrorIs(t, err, failure)
	assert.Equal(t, before, files(t, dir), "the export must not change files if the list is incomplete")

	report, err := exported(t, dir, &fakeSource{surveys: []api.Survey{kept}}, all())
	require.NoError(t, err)
	assert.Equal(t, 1, report.Gone)
	assert.NotContains(t, files(t, dir)["surveys.tf"], "Gone")
}

// Objects that a run does not select stay unchanged, byte for byte, and other kinds keep their files.
func TestWhatIsNotExportedStays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	source := &fakeSource{surveys: []api.Survey{survey(1, "A"), survey(2, "B")}, apps: []api.PipelineImportApp{app(7, "Tickets")}}
	_, err := exported(t, dir, source, all())
	require.NoError(t, err)
	before := files(t, dir)

	options := all()
	options.Apps, options.Selects = false, func(name string) bool { return name == "C" }
	source.surveys, source.apps = []api.Survey{survey(1, "A, renamed"), survey(2, "B"), survey(3, "C")}, nil
	report, err := exported(t, dir, source, options)
	require.NoError(t, err)
	after := files(t, dir)
	assert.Equal(t, 2, report.Kept)
	assert.Equal(t, before["pipeline_import_apps.tf"], after["pipeline_import_apps.tf"])
	_, blocks, _ := strings.Cut(before["surveys.tf"], "\n\n")
	assert.Contains(t, after["surveys.tf"], strings.TrimSpace(blocks))
	assert.Contains(t, after["surveys.tf"], `"c_00000003"`)
}

// A global app of another organization is omitted, unless an earlier export contains it.
func TestForeignApps(t *testing.T) {
	t.Parallel()
	own, foreign := app(7, "Own"), app(8, "Foreign")
	dir := t.TempDir()
	_, err := exported(t, dir, &fakeSource{apps: []api.PipelineImportApp{own, foreign}}, all())
	require.NoError(t, err)
	foreign.OrganizationID = nullable.NewNullableWithValue("other")
	source := &fakeSource{apps: []api.PipelineImportApp{own, foreign}}

	report, err := exported(t, dir, source, all())
	require.NoError(t, err)
	assert.Equal(t, []int{2, 0}, []int{report.Apps, report.Skipped})

	report, err = exported(t, t.TempDir(), source, all())
	require.NoError(t, err)
	assert.Equal(t, 1, report.Apps)
}

func (s *fakeSource) AppsRemoved() bool { return false }
