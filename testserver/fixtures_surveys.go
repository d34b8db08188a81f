package testserver

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// surveyEntryOnly are the keys of a survey entry that are not columns.
var surveyEntryOnly = []string{
	"project_id", "id", "linked_flag", "linked_flag_id", "targeting_flag", "targeting_flag_id",
	"internal_targeting_flag", "targeting_flag_filters", "remove_targeting_flag", "created_by",
}

// flagReferences are the keys under which a survey has flags.
var flagReferences = [...]string{"linked_flag", "targeting_flag", "internal_targeting_flag"}

// draftSurvey is a decoded survey entry whose references are not looked up yet.
type draftSurvey struct {
	*store.Survey
	path string
	// flags are in the order of flagReferences.
	flags     [len(flagReferences)]reference
	createdBy reference
}

// reference refers to a flag or user by its id, or has the whole object, as in responses of
// the service. The id 0 is null.
type reference struct {
	id     int64
	object json.RawMessage
	absent bool
}

// readSurvey reads a survey entry, which has the form of a response with a project_id. Keys
// that the contract does not know come from a newer service and are kept.
func readSurvey(path string, raw json.RawMessage) (draftSurvey, error) {
	o := wire.ReadEntry(path, raw, nil)
	o.Require("project_id", "id", "name", "type")
	store.SurveyTable.CheckEntry(o)
	d := draftSurvey{path: path, Survey: &store.Survey{ID: o.UUID("id"), Project: o.ID("project_id")}}

	for _, name := range []string{"targeting_flag_filters", "remove_targeting_flag"} {
		if !o.Fields.IsNull(name) {
			o.Fail(name, "is for requests only; a flag goes into targeting_flag")
		}
	}

	for i, name := range flagReferences {
		d.flags[i] = readReference(o, name)
	}
	d.createdBy = readReference(o, "created_by")

	if o.Err != nil {
		return d, o.Err
	}

	if !o.Fields.IsNull("created_at") {
		at, _ := wire.ParseTimestamp(wire.Unquote(o.Fields["created_at"]))
		d.At = at.UnixMicro()
	}

	d.Name = wire.Unquote(o.Fields["name"])
	d.Object = store.NewObject(store.SurveyTable, o.Fields, surveyEntryOnly)
	return d, o.Err
}

func (l *loader) survey(path string, raw json.RawMessage) error {
	draft, err := readSurvey(path, raw)
	l.surveys = append(l.surveys, draft)
	return err
}

// readReference reads NAME, an object, or NAME_id.
func readReference(o *wire.Entry, name string) reference {
	nested, byID := o.Fields[name], o.Fields[name+"_id"]
	r := reference{absent: nested == nil && byID == nil}

	if byID != nil && byID[0] != 'n' {
		r.id = o.ID(name + "_id")
	}
	if nested == nil || nested[0] == 'n' {
		return r
	}

	inner := wire.ReadEntry(o.Path+"."+name, nested, nil)
	inner.Require("id")
	id := inner.ID("id")
	for _, key := range []string{"id", "team_id"} {
		// In responses, from which nested objects are taken, ids are never strings.
		if !inner.Fields.IsNull(key) {
			inner.Integer(key, 0)
		}
	}

	if inner.Err == nil && r.id != 0 && r.id != id {
		inner.Fail("id", "differs from %s_id", name)
	}
	if inner.Err != nil && o.Err == nil {
		o.Err = inner.Err
	}

	r.id, r.object = id, nested
	return r
}

// addNested adds the nested flags and user of a survey, all or none.
func (l *loader) addNested(d draftSurvey) error {
	var flags []*store.Flag
	for i, r := range d.flags {
		if r.object == nil {
			continue
		}
		f, err := l.nestedFlag(d.path+"."+flagReferences[i], d.Project, r)
		if err != nil {
			return err
		}
		flags = append(flags, f)
	}

	if d.createdBy.object != nil {
		author, err := l.nestedUser(d.path+".created_by", d.createdBy)
		if err != nil {
			return err
		}
		l.store.PutUser(author)
	}

	for _, f := range flags {
		l.store.AddFlag(f)
	}
	return nil
}

// nestedFlagOnly are the keys of a nested flag that are not columns.
var nestedFlagOnly = []string{"id", "team_id"}

// nestedFlag is a nested flag of a survey. It must not differ from a known one, unless this
// is an edit.
func (l *loader) nestedFlag(path string, project int64, r reference) (*store.Flag, error) {
	o := &wire.Entry{Path: path, Fields: wire.Members(r.object)}
	store.FlagTable.CheckEntry(o)
	known := l.store.Flags.Get(r.id)
	switch {
	case o.Err != nil:
		return nil, o.Err
	case known == nil:
		o.Require("key")
		return &store.Flag{ID: r.id, Project: project, Object: store.NewObject(store.FlagTable, o.Fields, nestedFlagOnly)}, o.Err
	case known.Project != project:
		return nil, fmt.Errorf("%s.id: flag %d belongs to project %d", path, r.id, known.Project)
	}
	edited := *known
	edited.Object = known.With(store.FlagTable, o.Fields).Absorb(store.FlagTable, o.Fields, nestedFlagOnly)
	if l.editing {
		return &edited, nil
	}
	return &edited, checkSame(path, o.Fields, store.FlagTable, known.Object, "feature_flags")
}

// nestedUser is the user that is nested in a survey.
func (l *loader) nestedUser(path string, r reference) (*store.User, error) {
	o := &wire.Entry{Path: path, Fields: wire.Members(r.object)}
	if known := l.store.Users.Get(r.id); known != nil {
		fuller := *known
		fuller.Object = known.Absorb(store.UserTable, o.Fields, userEntryOnly)
		return &fuller, checkSame(path, o.Fields, store.UserTable, known.Object, "users")
	}
	u := readUser(o, l.ids)
	u.Active = true
	return u, o.Err
}

// checkSame refuses two descriptions of an object that differ.
func checkSame(path string, described wire.RawFields, t *wire.Table, known store.Object, list string) error {
	for _, c := range t.Columns {
		if value := described[c.Name]; value != nil && !bytes.Equal(value, known.Values[t.Index[c.Name]]) {
			return fmt.Errorf("%s.%s: differs from what %s or an earlier survey says about the same id", path, c.Name, list)
		}
	}
	return nil
}

// resolveSurveys puts the surveys in their places.
func (l *loader) resolveSurveys() error {
	byProject := map[int64][]*store.Survey{}
	for _, d := range l.surveys {
		if err := l.checkSurvey(d, nil); err != nil {
			return err
		}
		l.completeSurvey(d)
		l.store.AddLoadedSurvey(d.Survey)
		byProject[d.Project] = append(byProject[d.Project], d.Survey)
	}
	for project, surveys := range byProject {
		l.store.ListSurveys(project, surveys)
	}
	return nil
}

// checkSurvey refuses a survey that contradicts the store; before is the version that it
// replaces.
func (l *loader) checkSurvey(d draftSurvey, before *store.Survey) error {
	st := l.store
	if err := l.knownProject(d.path+".project_id", d.Project); err != nil {
		return err
	}
	if held := st.Survey(d.ID); held != before {
		return fmt.Errorf("%s.id: another survey has it too", d.path)
	}
	if named := st.SurveyNamed(d.Project, d.Survey.Name); named != nil && (before == nil || named.ID != before.ID) {
		return fmt.Errorf("%s.name: another survey of project %d has it too", d.path, d.Project)
	}
	for i, r := range d.flags {
		if f := st.Flags.Get(r.id); r.id != 0 && r.object == nil && (f == nil || f.Project != d.Project) {
			return fmt.Errorf("%s.%s: project %d has no feature flag %d", d.path, flagReferences[i], d.Project, r.id)
		}
	}
	return nil
}

// completeSurvey fills in missing values of a checked survey.
func (l *loader) completeSurvey(d draftSurvey) {
	st := l.store
	d.Linked, d.Targeting, d.Internal = d.flags[0].id, d.flags[1].id, d.flags[2].id
	if d.Author = d.createdBy.id; d.createdBy.absent {
		d.Author = l.author
	}
	if d.Object.IsNull(store.SurveyTable, "created_at") {
		d.At = l.now.UnixMicro()
		d.Values[store.SurveyTable.Index["created_at"]] = wire.TimestampText(l.now)
	}
	d.Sequence = st.NextSequence()
	if d.flags[2].absent {
		l.service().AddInternalFlag(d.Survey)
	}
	service.AdoptSamplingFlag(st, d.Survey)
}

// putSurvey adds or replaces a survey of a live store. If it is invalid, nothing changes.
func (l *loader) putSurvey(path string, raw json.RawMessage, before *store.Survey) (*store.Survey, error) {
	d, err := readSurvey(path, raw)
	if err == nil && before != nil && (d.ID != before.ID || d.Project != before.Project) {
		err = fmt.Errorf("%s: id and project_id cannot be changed", path)
	}

	if err == nil {
		err = l.checkSurvey(d, before)
	}
	if err == nil {
		err = l.addNested(d)
	}
	if err != nil {
		return nil, err
	}

	l.completeSurvey(d)
	if before != nil {
		d.Sequence = before.Sequence
		l.store.DropSurvey(before)
	}

	l.store.AddSurvey(d.Survey)
	if before != nil && before.IsRunning() != d.IsRunning() {
		service.SyncFlags(l.store, d.Survey)
	}
	return d.Survey, nil
}
