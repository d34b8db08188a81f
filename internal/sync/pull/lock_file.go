package pull

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// LockName is the name of the file in which pull remembers what it brought into the code. It
// is committed with the code, as .terraform.lock.hcl is.
const LockName = ".posthog-sync.lock.json"

// lockFormat is the version of the file.
const lockFormat = 1

// Lock is the memory of pull. The state says what the code was written from as long as only an
// apply changes the code and the service together; a pull does so as well, and no state knows
// of it. So the lock has, for each object, the values that code and service had in common after
// the last pull, where they are others than those of the last write.
//
// An entry is good for one write. When another one came since, code and service agreed then,
// and the state says on what.
type Lock struct {
	// prefix is that of the keys of the service.
	prefix  string
	before  []byte
	entries map[string]entry
	changed bool
}

// entry is what is remembered of an object.
type entry struct {
	// Seen is the last write of the object when the entry was made, as the state names it; empty
	// for an object that is not in the state yet.
	Seen string `json:"seen,omitempty"`
	// Base are the questions that both had in common, where they are others than at the last write
	// or in another order. A question has the ID that it had at the last write, which no later save
	// takes from it.
	Base []identity.Question `json:"base,omitzero"`
	// Questions are the names of the questions, see namesOf, as earlier releases wrote them.
	Questions []string `json:"questions,omitzero"`
	// Values are hashes of values by their paths.
	Values map[string]string `json:"values,omitempty"`
	// Reported are the questions with detached answers that were reported: the IDs that they had, by
	// those that they got. Once such a question is reworded, nothing else shows that it is the same.
	Reported map[string]string `json:"cuts,omitempty"`
	// Possible are the questions that may be others which are gone, by the IDs that they have now.
	Possible map[string]identity.Question `json:"possible,omitempty"`
}

func (e entry) isEmpty() bool {
	return e.Base == nil && e.Questions == nil && len(e.Values) == 0 && len(e.Reported) == 0 && len(e.Possible) == 0
}

// lockFile is the document of the file.
type lockFile struct {
	Format  int              `json:"format"`
	Objects map[string]entry `json:"objects"`
}

// ReadLock reads the lock of a directory, for the objects of a service. A directory without one
// has an empty one.
func ReadLock(dir, service string) (*Lock, error) {
	if parsed, err := url.Parse(service); err == nil && parsed.Host != "" {
		service = parsed.Host + strings.TrimSuffix(parsed.Path, "/")
	}
	l := &Lock{prefix: service + "/", entries: map[string]entry{}}
	path := filepath.Join(dir, LockName)
	raw, err := code.ReadSource(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}

	const remedy = "without the file, pull takes the last apply for what the code was written from, and loses nothing"
	document := lockFile{}
	switch err := json.Unmarshal(raw, &document); {
	case bytes.HasPrefix(raw, []byte("<<<<<<<")) || bytes.Contains(raw, []byte("\n<<<<<<<")):
		return nil, fmt.Errorf("%s has a merge conflict: keep the side whose .tf files you keep, or delete the file: %s", path, remedy)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read (%w): restore it from version control, or delete it: %s", path, err, remedy)
	case document.Format != lockFormat:
		return nil, fmt.Errorf("%s has format %d, and this version of posthog-sync knows %d: use the version that wrote it, restore the file, or delete it: %s",
			path, document.Format, lockFormat, remedy)
	}
	l.before = raw
	maps.Copy(l.entries, document.Objects)
	return l, nil
}

// key is that of an object: workspaces of one directory may be of several services and projects.
func (l *Lock) key(parentID, id string) string {
	return l.prefix + parentID + "/" + id
}

// currentEntry is the entry of an object that is good for its last write; not ok for none.
func (l *Lock) currentEntry(parentID, id, lastWrite string) (entry, bool) {
	if l == nil {
		return entry{}, false
	}
	entry, ok := l.entries[l.key(parentID, id)]
	return entry, ok && entry.Seen == lastWrite
}

// Note remembers what the code and the service have in common after the findings of an edit.
func (l *Lock) Note(resources []Resource, findings []Finding) {
	for _, r := range resources {
		if r.ID != "" && r.Disposition == "" {
			l.set(l.key(r.ParentID, r.ID), r.common(findings))
		}
	}
}

// NoteSurvey remembers a survey that was exported: code and service say the same of it until an
// apply brings it into the state.
func (l *Lock) NoteSurvey(ctx context.Context, wire api.Survey, projectID string) error {
	fields, err := survey.FromAPI(ctx, wire, survey.Fields{ProjectID: types.StringValue(projectID)}, &attribute.Response{})
	if err != nil {
		return err
	}
	return l.noteExport(ctx, projectID, fields.ID.ValueString(), attribute.FromStruct(&fields), arguments(surveyschema.Resource()))
}

// NoteApp is NoteSurvey for an import app.
func (l *Lock) NoteApp(ctx context.Context, wire api.PipelineImportApp, organizationID string) error {
	fields := importapp.FromAPI(wire, importapp.Fields{OrganizationID: types.StringValue(organizationID)}, &attribute.Response{})
	return l.noteExport(ctx, organizationID, fields.ID.String(), attribute.FromStruct(&fields), arguments(importapp.ResourceSchema()))
}

func (l *Lock) noteExport(ctx context.Context, parentID, id string, attributes map[string]attr.Value, arguments map[string]attr.Type) error {
	key := l.key(parentID, id)
	if l.entries[key].Seen != "" {
		return nil // it is in the state, which says when it was written
	}
	values := map[string]any{}
	for name := range arguments {
		if attributes[name] == nil {
			continue // the service does not store it
		}
		value, err := attributes[name].ToTerraformValue(ctx)
		if err != nil {
			return err
		}
		if plain := attribute.Tree(value); plain != nil && name != schemaName { // which may have secrets
			values[name] = plain
		}
	}
	l.set(key, entry{Base: identity.QuestionsIn(questionList(values)), Values: attribute.Hashes("", values)})
	return nil
}

// set replaces an entry. One of an earlier write says nothing any more: it stays until something
// else changes, so that an apply alone changes no file.
func (l *Lock) set(key string, e entry) {
	current, exists := l.entries[key]
	switch {
	case e.isEmpty() && (!exists || current.Seen != e.Seen):
	case e.isEmpty():
		delete(l.entries, key)
		l.changed = true
	case !exists || !reflect.DeepEqual(current, e):
		l.entries[key] = e
		l.changed = true
	}
}

// Tidy drops, if anything has changed, the entries that say nothing any more: those of earlier
// writes, and those of objects that no resource manages in a project of which some do.
func (l *Lock) Tidy(resources []Resource) {
	if !l.changed {
		return
	}
	lastWrites, parents := map[string]string{}, map[string]bool{}
	for _, r := range resources {
		lastWrites[l.key(r.ParentID, r.ID)] = r.memory.written
		parents[l.key(r.ParentID, "")] = true
	}
	maps.DeleteFunc(l.entries, func(key string, e entry) bool {
		lastWrite, isManaged := lastWrites[key]
		return isManaged && lastWrite != e.Seen || !isManaged && parents[key[:strings.LastIndex(key, "/")+1]]
	})
}

// Change is what became of the file; not ok for nothing.
func (l *Lock) Change() (Change, bool) {
	if !l.changed {
		return Change{}, false
	}
	content, _ := json.MarshalIndent(lockFile{lockFormat, l.entries}, "", "  ") // texts always encode
	content = append(content, '\n')
	if bytes.Equal(content, l.before) || l.before == nil && len(l.entries) == 0 {
		return Change{}, false
	}
	return Change{Path: LockName, Before: l.before, After: content}, true
}

// common is what configuration and PostHog have in common after the findings of an edit, so far
// as it is not what they had in common at the last write.
func (r Resource) common(findings []Finding) entry {
	if r.settled != nil {
		return *r.settled
	}
	isLeft := map[string]bool{}
	for _, f := range findings {
		if f.Resource.Address == r.Address && f.IsLeft() && f.Kind != code.Detached {
			isLeft[Root(f.Attribute)] = true
		}
	}
	isWritten := func(path string) bool {
		name, _, _ := strings.Cut(path, ".")
		name, _, _ = strings.Cut(name, "/")
		return !isLeft[name] && !isLeft[""]
	}

	b := r.base
	e := entry{Seen: r.memory.written, Values: map[string]string{}}
	for _, path := range b.paths {
		hash, writeHash := b.first(path), b.hashAtWrite(path)
		if live := hashAtPath(b.live, path); live == hashAtPath(b.code, path) || isWritten(path) {
			hash = live
		}
		if r.memory.isNew {
			writeHash = attribute.HashOfNothing
		}
		if root, _, _ := strings.Cut(path, "."); hash != writeHash && !r.Sensitive[root] {
			e.Values[replaceQuestionID(path, r.agreed.Written)] = hash
		}
	}

	for _, d := range r.Detached.Certain() {
		if d.ID != "" {
			if e.Reported == nil {
				e.Reported = map[string]string{}
			}
			e.Reported[d.ID] = r.agreed.Written(d.OldID)
		}
	}

	for _, d := range r.Detached.Possible() {
		if _, isNoted := e.Possible[d.ID]; !isNoted && d.ID != "" {
			if e.Possible == nil {
				e.Possible = map[string]identity.Question{}
			}
			e.Possible[d.ID] = identity.Question{ID: r.agreed.Written(d.OldID), Text: d.OldText}
		}
	}

	questions := r.agreedQuestions(isWritten(questionsName))
	if len(b.paths) > 0 && (r.memory.isNew || !identity.SameVersion(questions, r.writtenQuestions())) {
		e.Base = []identity.Question{}
		for _, q := range questions {
			q.ID = r.agreed.Written(q.ID)
			e.Base = append(e.Base, q)
		}
	}
	return e
}

// writtenQuestions are the questions at the last write.
func (r Resource) writtenQuestions() []identity.Question {
	if first := r.agreed.First(); first != nil {
		return first
	}
	return identity.QuestionsIn(r.state)
}

// agreedQuestions are the questions that configuration and PostHog have in common: those of the
// merge base, but for what both have dropped.
func (r Resource) agreedQuestions(isWritten bool) []identity.Question {
	list := func(version any) []identity.Question { return identity.QuestionsIn(questionList(object(version))) }
	ours, theirs := list(r.Versions.Code), list(r.Versions.Live)
	if isWritten || slices.Equal(questionNames(ours), questionNames(theirs)) {
		return theirs
	}
	return slices.DeleteFunc(list(r.Versions.Applied), func(q identity.Question) bool {
		name := questionNames([]identity.Question{q})[0]
		return !slices.Contains(questionNames(ours), name) && !slices.Contains(questionNames(theirs), name)
	})
}
