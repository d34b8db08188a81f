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

// LockName is the name of the lock file. Users commit it together with the configuration, like
// .terraform.lock.hcl.
const LockName = ".posthog-sync.lock.json"

// lockFormat is the version of the file format.
const lockFormat = 1

// Lock records the values that the configuration and PostHog shared after the last pull. The Terraform
// state cannot serve as the base for a three-way merge, because pull changes the configuration
// without an apply. Lock omits values that equal the last write.
//
// An entry is valid until the next write. After that, the state is the base again.
type Lock struct {
	// prefix is the start of the keys of all objects of the PostHog instance.
	prefix  string
	before  []byte
	entries map[string]entry
	changed bool
}

// entry contains the recorded values of one object.
type entry struct {
	// Seen identifies the object's last write before the entry was made. It is empty if the object was not in
	// the state yet.
	Seen string `json:"seen,omitempty"`
	// Base contains the questions that both sides shared, if they differ from the last write in content
	// or order. Each question has its ID from the last write, even if a later save replaced that ID.
	Base []identity.Question `json:"base,omitzero"`
	// Questions contains question names (see questionNames), as earlier releases wrote them.
	Questions []string `json:"questions,omitzero"`
	// Values maps paths to hashes of values.
	Values map[string]string `json:"values,omitempty"`
	// Reported maps the new IDs of questions with detached answers to their old IDs. If someone rewords such
	// a question, only this entry shows that it is the same question.
	Reported map[string]string `json:"cuts,omitempty"`
	// Possible maps the new IDs of questions to the missing questions that they may be the same as.
	Possible map[string]identity.Question `json:"possible,omitempty"`
}

func (e entry) isEmpty() bool {
	return e.Base == nil && e.Questions == nil && len(e.Values) == 0 && len(e.Reported) == 0 && len(e.Possible) == 0
}

// lockFile is the JSON document in the lock file.
type lockFile struct {
	Format  int              `json:"format"`
	Objects map[string]entry `json:"objects"`
}

// ReadLock reads the lock file of a directory for the objects of one PostHog instance. If the file
// does not exist, the lock is empty.
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

	const remedy = "Without the file, pull uses the last apply as the merge base. No edits are lost"
	document := lockFile{}
	switch err := json.Unmarshal(raw, &document); {
	case bytes.HasPrefix(raw, []byte("<<<<<<<")) || bytes.Contains(raw, []byte("\n<<<<<<<")):
		return nil, fmt.Errorf("%s contains a merge conflict. Keep the side whose .tf files you keep, or delete the file. %s", path, remedy)
	case err != nil:
		return nil, fmt.Errorf("could not read %s: %w. Restore the file from version control, or delete it. %s", path, err, remedy)
	case document.Format != lockFormat:
		return nil, fmt.Errorf("%s has format %d, but this version of posthog-sync requires format %d. Use the version that wrote the file, restore the file, or delete it. %s",
			path, document.Format, lockFormat, remedy)
	}
	l.before = raw
	maps.Copy(l.entries, document.Objects)
	return l, nil
}

// key returns an object's key. It contains the host and the parent, because a directory's workspaces can
// use different PostHog instances and projects.
func (l *Lock) key(parentID, id string) string {
	return l.prefix + parentID + "/" + id
}

// currentEntry returns the entry of an object, if it was made after the object's last write.
func (l *Lock) currentEntry(parentID, id, lastWrite string) (entry, bool) {
	if l == nil {
		return entry{}, false
	}
	entry, ok := l.entries[l.key(parentID, id)]
	return entry, ok && entry.Seen == lastWrite
}

// Note records the values that the configuration and PostHog share after an edit with these findings.
func (l *Lock) Note(resources []Resource, findings []Finding) {
	for _, r := range resources {
		if r.ID != "" && r.Disposition == "" {
			l.set(l.key(r.ParentID, r.ID), r.common(findings))
		}
	}
}

// ExportedQuestions returns a function that returns the questions of an exported survey in a project, under the IDs that
// they had at the first export. The result is outdated after an apply has imported the survey. Later changes of the lock
// do not change it.
func (l *Lock) ExportedQuestions(projectID string) func(survey string) []identity.Question {
	entries := maps.Clone(l.entries)
	return func(survey string) []identity.Question {
		e := entries[l.key(projectID, survey)]
		if e.Seen != "" {
			return nil
		}
		questions := slices.Clone(e.Base)
		for i, q := range questions {
			if old, ok := e.Possible[q.ID]; ok {
				questions[i].ID, questions[i].Text = old.ID, old.Text
			}
		}
		return questions
	}
}

// NoteSurvey records an exported survey. The configuration and PostHog share the survey's values until an
// apply imports it into the state. detached are the questions whose old IDs are in no other place.
func (l *Lock) NoteSurvey(ctx context.Context, wire api.Survey, projectID string, detached identity.DetachedList) error {
	fields, err := survey.FromAPI(ctx, wire, survey.Fields{ProjectID: types.StringValue(projectID)}, &attribute.Response{})
	if err != nil {
		return err
	}
	return l.noteExport(ctx, projectID, fields.ID.ValueString(), attribute.FromStruct(&fields), arguments(surveyschema.Resource()), detached)
}

// NoteApp records an exported import app. See NoteSurvey.
func (l *Lock) NoteApp(ctx context.Context, wire api.PipelineImportApp, organizationID string) error {
	fields := importapp.FromAPI(wire, importapp.Fields{OrganizationID: types.StringValue(organizationID)}, &attribute.Response{})
	return l.noteExport(ctx, organizationID, fields.ID.String(), attribute.FromStruct(&fields), arguments(importapp.ResourceSchema()), nil)
}

func (l *Lock) noteExport(
	ctx context.Context, parentID, id string, attributes map[string]attr.Value, arguments map[string]attr.Type, detached identity.DetachedList,
) error {
	key := l.key(parentID, id)
	if l.entries[key].Seen != "" {
		return nil // the object is in the state, which records its last write
	}
	values := map[string]any{}
	for name := range arguments {
		if attributes[name] == nil {
			continue // PostHog does not store this attribute
		}
		value, err := attributes[name].ToTerraformValue(ctx)
		if err != nil {
			return err
		}
		if plain := attribute.Tree(value); plain != nil && name != schemaName { // a schema can contain secrets
			values[name] = plain
		}
	}
	for _, d := range detached.Certain() {
		list := questionList(values)
		list[d.Position] = withID(list[d.Position], d.OldID)
	}

	e := entry{Base: identity.NewQuestions(questionList(values)), Values: attribute.Hashes("", values)}
	for _, d := range detached.Possible() {
		e.notePossible(d, d.OldID)
		if q := &e.Base[d.Position]; q.ID == "" && identity.IndexByID(e.Base, d.OldID) < 0 {
			q.ID, q.Text = d.OldID, d.OldText
		}
	}
	l.set(key, e)
	return nil
}

// notePossible records the first question that a question may be the same as. oldID is its ID.
func (e *entry) notePossible(d identity.Detached, oldID string) {
	if _, isNoted := e.Possible[d.ID]; isNoted || d.ID == "" {
		return
	}
	if e.Possible == nil {
		e.Possible = map[string]identity.Question{}
	}
	e.Possible[d.ID] = identity.Question{ID: oldID, Text: d.OldText}
}

// set replaces an entry. It keeps an outdated entry until something else changes, so that an apply
// alone does not change the lock file.
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

// Tidy removes outdated entries if the lock has changed: entries from before the last write, and entries
// for unmanaged objects in projects that have managed objects.
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

// Change returns the change of the lock file. ok is false if the file does not change.
func (l *Lock) Change() (Change, bool) {
	if !l.changed {
		return Change{}, false
	}
	content, _ := json.MarshalIndent(lockFile{lockFormat, l.entries}, "", "  ") // texts can always be encoded
	content = append(content, '\n')
	if bytes.Equal(content, l.before) || l.before == nil && len(l.entries) == 0 {
		return Change{}, false
	}
	return Change{Path: LockName, Before: l.before, After: content}, true
}

// common returns the values that the configuration and PostHog share after an edit, if they differ from
// the last write.
func (r Resource) common(findings []Finding) entry {
	if r.settled != nil {
		return *r.settled
	}
	left := r.findLeft(findings)
	b := r.base
	e := entry{Seen: r.memory.written, Values: map[string]string{}}
	for _, path := range b.paths {
		hash, writeHash := b.hashAtAgreement(path), b.hashAtWrite(path)
		if live := hashAtPath(b.live, path); live == hashAtPath(b.code, path) || !left.has(path) {
			hash = live
		}
		if r.memory.isNew {
			writeHash = attribute.HashOfNothing
		}
		name, _, _ := strings.Cut(path, ".")
		if root, _, _ := strings.Cut(name, "/"); hash != writeHash && !r.Sensitive[root] {
			e.Values[replaceQuestionID(path, r.agreed.WrittenID)] = hash
		}
	}

	for _, d := range r.Detached.Certain() {
		if d.ID != "" && !d.IsKept {
			if e.Reported == nil {
				e.Reported = map[string]string{}
			}
			e.Reported[d.ID] = r.agreed.WrittenID(d.OldID)
		}
	}

	for _, d := range r.Detached.Possible() {
		e.notePossible(d, r.agreed.WrittenID(d.OldID))
	}

	questions := r.agreedQuestions(left)
	if len(b.paths) > 0 && !r.Sensitive[questionsName] && (r.memory.isNew || !identity.SameVersion(questions, r.writtenQuestions())) {
		e.Base = []identity.Question{}
		for _, q := range questions {
			q.ID = r.agreed.WrittenID(q.ID)
			e.Base = append(e.Base, q)
		}
	}
	return e
}

// writtenQuestions returns the questions at the last write.
func (r Resource) writtenQuestions() []identity.Question {
	if first := r.agreed.First(); first != nil {
		return first
	}
	return identity.NewQuestions(r.state)
}

// agreedQuestions returns the questions that the configuration and PostHog share: PostHog's questions, and the merge base
// for those that pull left. Questions that both sides removed are in neither.
func (r Resource) agreedQuestions(left leftValues) []identity.Question {
	list := func(version any) []identity.Question { return identity.NewQuestions(questionList(object(version))) }
	ours, theirs, base := list(r.Versions.Code), list(r.Versions.Live), list(r.Versions.Applied)
	names, baseNames := questionNames(theirs), questionNames(base)
	if !left.hasQuestions() || slices.Equal(questionNames(ours), names) {
		return theirs
	}

	agreed := slices.DeleteFunc(slices.Clone(base), func(q identity.Question) bool {
		name := questionNames([]identity.Question{q})[0]
		return !slices.Contains(questionNames(ours), name) && !slices.Contains(names, name)
	})
	if left.names[questionsName] || left.names[""] {
		return agreed
	}
	agreed = slices.DeleteFunc(agreed, func(q identity.Question) bool { // pull removed them
		return !slices.Contains(names, questionNames([]identity.Question{q})[0]) && !left.hasQuestion(q.ID)
	})

	for i, q := range agreed {
		if k := slices.Index(names, questionNames([]identity.Question{q})[0]); k >= 0 {
			agreed[i] = left.merge(q, theirs[k])
		}
	}
	for k, q := range theirs {
		if slices.Contains(baseNames, names[k]) || left.hasQuestion(q.ID) {
			continue
		}
		index := 0
		if k > 0 {
			index = slices.Index(questionNames(agreed), names[k-1]) + 1
		}
		agreed = slices.Insert(agreed, index, q)
	}
	return agreed
}
