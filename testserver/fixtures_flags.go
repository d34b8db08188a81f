package testserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
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
	o := readStrict(path, raw, flagEntryKeys)
	o.need("id", "project_id", "key")
	o.columns(flagTable)
	f := &featureFlag{id: o.id("id"), project: o.id("project_id")}
	if o.err == nil {
		f.object = newObject(flagTable, o.members, []string{"id", "project_id"})
	}
	return f, o.err
}

// draftResponse is a response whose survey is not looked up.
type draftResponse struct {
	response
	path string
}

func (l *loader) response(path string, raw json.RawMessage) error {
	o := readStrict(path, raw, []string{"survey_id", "count", "at", "project_id", "archived", "submission_id"})
	o.need("survey_id", "count")
	r := response{survey: o.uuid("survey_id"), project: o.id("project_id"), count: o.integer("count", 0), at: o.members["at"]}
	r.archived, r.submission = o.boolean("archived", false), o.text("submission_id", "")
	switch {
	case r.at == nil:
		r.at = json.RawMessage("null")
	case r.at[0] != 'n' && checkMoment("", r.at) != nil:
		o.fail("at", "must be a date-time, is %s", r.at)
	}
	if r.count < 0 {
		o.fail("count", "must not be below 0, is %s", strconv.FormatInt(r.count, 10))
	}
	l.responses = append(l.responses, draftResponse{r, path})
	return o.err
}

// settleResponses finds the project of each response. Answers outlive their survey:
// those of a deleted one say their project themselves.
func (l *loader) settleResponses() error {
	for _, d := range l.responses {
		if s := l.store.surveys[d.survey]; s != nil {
			d.project = s.project
		} else if d.project == 0 {
			return fmt.Errorf("%s.survey_id: there is no survey %s; answers to a deleted one need a project_id", d.path, d.survey)
		}
		if err := l.knownProject(d.path+".project_id", d.project); err != nil {
			return err
		}
		l.store.responses = append(l.store.responses, d.response)
	}
	return nil
}
