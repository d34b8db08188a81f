package testserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// flagEntryKeys are the keys of a feature_flags entry.
var flagEntryKeys = append(slices.DeleteFunc(api.Fields("FeatureFlag"), func(name string) bool { return name == "team_id" }), append(flagOnlyMembers, "project_id")...)

func (l *loader) flag(path string, raw json.RawMessage) error {
	f, err := readFlag(path, raw)
	if err != nil {
		return err
	}
	if l.store.Flags.Get(f.ID) != nil {
		return fmt.Errorf("%s.id: another feature flag has it too", path)
	}
	l.store.AddFlag(f)
	l.later(func() error { return l.knownProject(path+".project_id", f.Project) })
	return nil
}

func readFlag(path string, raw json.RawMessage) (*store.Flag, error) {
	o := strictjson.Read(path, raw, flagEntryKeys)
	o.Require("id", "project_id", "key")
	store.FlagTable.CheckEntry(o)
	if !o.Fields.IsNull(flagAuthor) {
		o.Integer(flagAuthor, 0)
	}
	f := &store.Flag{ID: o.ID("id"), Project: o.ID("project_id")}
	if o.Err == nil {
		f.Object = store.NewObject(store.FlagTable, o.Fields, []string{"id", "project_id"})
	}
	return f, o.Err
}

// draftResponse is a decoded response whose survey is not looked up yet.
type draftResponse struct {
	store.ResponseCount
	path string
}

func (l *loader) response(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, []string{"survey_id", "count", "at", "project_id", "archived", "submission_id"})
	o.Require("survey_id", "count")
	r := store.ResponseCount{Survey: o.UUID("survey_id"), Project: o.ID("project_id"), Count: o.Integer("count", 0), At: o.Fields["at"]}
	r.Archived, r.Submission = o.Boolean("archived", false), o.Text("submission_id", "")
	switch {
	case r.At == nil:
		r.At = json.RawMessage("null")
	case r.At[0] != 'n' && !field.IsTimestamp(r.At):
		o.Fail("at", "must be a date-time, is %s", r.At)
	}
	if r.Count < 0 {
		o.Fail("count", "must not be below 0, is %s", strconv.FormatInt(r.Count, 10))
	}
	l.responses = append(l.responses, draftResponse{r, path})
	return o.Err
}

// resolveResponses finds the project of each response. Responses outlive their survey:
// those of a deleted one have a project_id.
func (l *loader) resolveResponses() error {
	for _, d := range l.responses {
		if s := l.store.Survey(d.Survey); s != nil {
			d.Project = s.Project
		} else if d.Project == 0 {
			return fmt.Errorf("%s.survey_id: there is no survey %s; answers to a deleted one need a project_id", d.path, d.Survey)
		}
		if err := l.knownProject(d.path+".project_id", d.Project); err != nil {
			return err
		}
		l.store.AddResponse(d.ResponseCount)
	}
	return nil
}
