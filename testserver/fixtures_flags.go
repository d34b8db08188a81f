package testserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// flagEntryKeys are the keys of a feature_flags entry.
var flagEntryKeys = append(slices.DeleteFunc(api.Fields("FeatureFlag"), func(name string) bool { return name == "team_id" }), append(flagOnlyMembers, "project_id")...)

func (l *loader) flag(path string, raw json.RawMessage) error {
	f, err := readFlag(path, raw)
	if err != nil {
		return err
	}
	if l.store.flags[f.id] != nil {
		return fmt.Errorf("%s.id: another feature flag has it too", path)
	}
	l.store.addFlag(f)
	l.later(func() error { return l.knownProject(path+".project_id", f.project) })
	return nil
}

func readFlag(path string, raw json.RawMessage) (*featureFlag, error) {
	o := strictjson.Read(path, raw, flagEntryKeys)
	o.Require("id", "project_id", "key")
	flagTable.CheckEntry(o)
	if !o.Fields.IsNull(flagAuthor) {
		o.Integer(flagAuthor, 0)
	}
	f := &featureFlag{id: o.ID("id"), project: o.ID("project_id")}
	if o.Err == nil {
		f.object = newObject(flagTable, o.Fields, []string{"id", "project_id"})
	}
	return f, o.Err
}

// draftResponse is a decoded response whose survey is not looked up yet.
type draftResponse struct {
	response
	path string
}

func (l *loader) response(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, []string{"survey_id", "count", "at", "project_id", "archived", "submission_id"})
	o.Require("survey_id", "count")
	r := response{survey: o.UUID("survey_id"), project: o.ID("project_id"), count: o.Integer("count", 0), at: o.Fields["at"]}
	r.archived, r.submission = o.Boolean("archived", false), o.Text("submission_id", "")
	switch {
	case r.at == nil:
		r.at = json.RawMessage("null")
	case r.at[0] != 'n' && !field.IsTimestamp(r.at):
		o.Fail("at", "must be a date-time, is %s", r.at)
	}
	if r.count < 0 {
		o.Fail("count", "must not be below 0, is %s", strconv.FormatInt(r.count, 10))
	}
	l.responses = append(l.responses, draftResponse{r, path})
	return o.Err
}

// resolveResponses finds the project of each response. Responses outlive their survey:
// those of a deleted one have a project_id.
func (l *loader) resolveResponses() error {
	for _, d := range l.responses {
		if s := l.store.surveys[d.survey]; s != nil {
			d.project = s.project
		} else if d.project == 0 {
			return fmt.Errorf("%s.survey_id: there is no survey %s; answers to a deleted one need a project_id", d.path, d.survey)
		}
		if err := l.knownProject(d.path+".project_id", d.project); err != nil {
			return err
		}
		l.store.addResponse(d.response)
	}
	return nil
}
