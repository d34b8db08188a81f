package pull

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// What the code was written from decides who changed a value: it is the base of a merge of
// three. It is what the lock has of the object, and else what the service held at the last
// write. Both are known as hashes, and it is one of the values at hand that has the hash: that
// of the code, the live one, or that of the state; any other one differs from all of them.
//
// A value in the code that the service has held since the base counts as the base as well:
// somebody took it over by hand, and the code is behind.

// questionsName is the argument with the questions of a survey.
const questionsName = "questions"

// based is a resource whose Versions.Applied is the merge base.
type based struct {
	reattached
	base base
}

// base says what the code was written from, by the hashes of values.
type base struct {
	memory
	// state, code and live are the hashes of the values at hand.
	state, code, live map[string]string
	// paths are all of which anything is known.
	paths []string
}

func newBase(m memory, state, code, live map[string]any) base {
	b := base{memory: m, state: attribute.Hashes("", state), code: attribute.Hashes("", code), live: attribute.Hashes("", live)}
	known := map[string]bool{}
	for _, hashes := range []map[string]string{b.state, b.code, b.live, m.lock.Values} {
		for path := range hashes {
			known[path] = true
		}
	}
	for path := range m.held {
		known[path] = true
	}
	b.paths = slices.Sorted(maps.Keys(known))
	return b
}

// written is the hash of a value at the last write: the oldest that is remembered since.
func (b base) written(path string) string {
	if past := b.held[path]; len(past) > 0 {
		return past[len(past)-1]
	}
	return hashIn(b.state, path)
}

// first is the hash of a value when code and service last agreed on it.
func (b base) first(path string) string {
	hash, ok := b.lock.Values[path]
	switch {
	case b.locked && ok:
		return hash
	case b.locked && b.isNew:
		return attribute.HashOfNothing
	}
	return b.written(path)
}

// hash is the hash of the value that the code was written from.
func (b base) hash(path string) string {
	first, code := b.first(path), hashIn(b.code, path)
	since := b.held[path]
	if len(since) > 0 {
		since = since[:len(since)-1]
	}
	if at := slices.Index(since, first); at >= 0 {
		since = since[:at]
	}
	if slices.Contains(since, code) {
		return code
	}
	return first
}

func hashIn(hashes map[string]string, path string) string {
	if hash, ok := hashes[path]; ok {
		return hash
	}
	return attribute.HashOfNothing
}

// other is a value that is none of those at hand.
type other string

// value is the value of a path that the code was written from. values are those at hand.
func (b base) value(path string, values ...any) any {
	for _, value := range values {
		if b.is(path, value) {
			return value
		}
	}

	isObject, isText := true, false
	names := map[string]bool{}
	parts := make([]map[string]any, len(values))
	for i, value := range values {
		text, ok := value.(jsonvalue.Text)
		if ok {
			isText = true
			value, _ = jsonvalue.Decode(text) // else it is no object
		}
		parts[i], ok = value.(map[string]any)
		isObject = isObject && (ok || value == nil)
		for name := range parts[i] {
			names[name] = true
		}
	}
	if !isObject {
		return other(b.hash(path))
	}

	object := map[string]any{}
	for name := range names {
		below := make([]any, len(parts))
		for i := range parts {
			below[i] = parts[i][name]
		}
		if value := b.value(join(path, name), below...); value != nil {
			object[name] = value
		}
	}
	if isText {
		text, err := json.Marshal(object)
		if err != nil {
			return other(b.hash(path))
		}
		return jsonvalue.Text(text)
	}
	return object
}

// is reports whether the code was written from a value of a path.
func (b base) is(path string, value any) bool {
	hashes := attribute.Hashes(path, value)
	for _, known := range b.paths {
		if (known == path || strings.HasPrefix(known, path+".")) && hashIn(hashes, known) != b.hash(known) {
			return false
		}
	}
	return true
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// rebase finds the merge base.
func (r reattached) rebase() based {
	b := based{reattached: r}
	state, ours, theirs := object(r.Versions.Applied), object(r.Versions.Code), object(r.Versions.Live)
	if state == nil || ours == nil || theirs == nil {
		return b
	}

	ours = maps.Clone(ours)
	b.Versions.Code = ours
	stated, isList := ours[questionsName].([]any)
	var first []identity.Question
	if isList {
		stated, first = r.identify(stated, questionsOf(theirs))
		ours[questionsName] = stated
	}

	if b.Versions.IsSame() && !r.memory.locked && !r.memory.isNew && len(r.memory.held) == 0 {
		return b // nothing has changed since the last write
	}
	b.base = newBase(r.memory, state, ours, theirs)
	applied := map[string]any{}
	for name := range r.arguments {
		var value any
		if name == questionsName && isList {
			value = b.baseQuestions(first, state[name], stated, theirs[name])
		} else {
			value = b.base.value(name, ours[name], theirs[name], state[name])
		}
		if value != nil {
			applied[name] = value
		}
	}
	b.Versions.Applied = applied
	return b
}

// identify returns the questions of the configuration with IDs where the plan knows none, and the
// questions of the version that the configuration was written from.
func (r reattached) identify(stated, live []any) (identifiedList []any, first []identity.Question) {
	stated = slices.Clone(stated)
	if r.memory.isNew && r.memory.locked { // the plan knows what is live alone
		for i := range stated {
			stated[i] = identified(stated[i], code.Unknown{})
		}
	}

	past := r.since(stated, live)
	ids, first := past.Match(identity.QuestionsIn(stated))
	for _, q := range past.First() {
		if q.ID == "" && !slices.Contains(first, q) { // no ID leads from one list to another
			first = append(first, q)
		}
	}
	for i, id := range ids {
		question := object(stated[i])
		_, isOpen := question["id"].(code.Unknown)
		switch isNone := isOpen || idOf(question) == ""; {
		case isNone && id != "" && withID(stated, id) == nil:
			stated[i] = identified(question, id)
		case isOpen && slices.Contains(namesOf(first), namesOf(identity.QuestionsIn(stated))[i]):
			stated[i] = identified(question, nil) // what it says is all that tells it
		}
	}

	for _, q := range identity.QuestionsIn(stated) {
		// A question of the configuration that PostHog once had, and not any more, was deleted there,
		// whichever list the configuration is closest to.
		if q.ID != "" && !slices.Contains(idsOf(first), q.ID) && withID(live, q.ID) == nil && past.Has(q.ID) {
			first = append(first, q)
		}
	}
	return stated, first
}

// since are the versions of questions of which the configuration was written from one.
func (r reattached) since(stated, live []any) identity.Agreed {
	if r.agreed.First() != nil && !r.memory.locked {
		return r.agreed
	}
	return r.agreed.Since(r.saidOr(r.state, stated, live), identity.QuestionsIn(live))
}

// saidOr are the questions when configuration and PostHog last agreed on them: those of the lock, of
// the last write, or of the state. The lock of an early release has hashes instead of texts.
func (r reattached) saidOr(state, stated, live []any) []identity.Question {
	said := r.agreed.First()
	if said == nil {
		said = identity.QuestionsIn(state)
	}
	switch {
	case !r.memory.locked || r.memory.lock.Base == nil && r.memory.lock.Questions == nil && len(r.memory.lock.Values) == 0:
		return said
	case r.memory.lock.Base != nil:
		locked := slices.Clone(r.memory.lock.Base)
		for i, q := range locked {
			locked[i].ID = r.agreed.Root(q.ID)
		}
		return locked
	}

	texts := map[string]string{}
	known := slices.Concat(said, identity.QuestionsIn(slices.Concat(state, live, stated)))
	for _, q := range known {
		texts[hashOf(q.Type)], texts[hashOf(q.Text)] = q.Type, q.Text
	}
	names := r.memory.lock.Questions
	if names == nil {
		names = namesOf(said)
	}
	locked := make([]identity.Question, len(names))
	for i, name := range names {
		name = r.agreed.Root(name)
		if locked[i].ID = name; slices.Contains(namesOf(known), name) {
			locked[i] = known[slices.Index(namesOf(known), name)]
		}
		for field, text := range map[string]*string{"type": &locked[i].Type, "question": &locked[i].Text} {
			if hash, ok := r.memory.lock.Values[attribute.QuestionPath(name)+"."+field]; ok {
				*text = texts[hash] // none for one that nobody has any more
			}
		}
	}
	return locked
}

func hashOf(text string) string { return attribute.Hashes("text", text)["text"] }

// baseQuestions are the questions that the configuration was written from.
func (b based) baseQuestions(first []identity.Question, was any, stated []any, is any) any {
	state, _ := was.([]any)
	live, _ := is.([]any)
	questions := []any{}
	for _, q := range first {
		if q.ID == "" {
			question := any(map[string]any{"type": q.Type, "question": q.Text})
			isSame := func(other identity.Question) bool {
				return other.ID == "" && other.Type == q.Type && other.Text == q.Text
			}
			if at := slices.IndexFunc(identity.QuestionsIn(state), isSame); at >= 0 {
				question = state[at]
			}
			questions = append(questions, question)
			continue
		}
		var values []any
		for _, list := range [][]any{stated, live, state} {
			if question := withID(list, q.ID); question != nil {
				values = append(values, question)
			}
		}
		if len(values) > 0 {
			questions = append(questions, identified(b.base.value(attribute.QuestionPath(q.ID), values...), q.ID))
		}
	}
	return questions
}

func object(value any) map[string]any {
	fields, _ := value.(map[string]any)
	return fields
}

// questionsOf are the questions of a version.
func questionsOf(version map[string]any) []any {
	list, _ := version[questionsName].([]any)
	return list
}

// namesOf are the IDs of questions, or what tells one without an ID from the others: its text.
func namesOf(questions []identity.Question) []string {
	names := make([]string, len(questions))
	for i, q := range questions {
		names[i] = cmp.Or(q.ID, "#"+hashOf(q.Text))
	}
	return names
}

func idsOf(questions []identity.Question) []string {
	ids := make([]string, len(questions))
	for i, q := range questions {
		ids[i] = q.ID
	}
	return ids
}

func idOf(value any) string {
	id, _ := object(value)["id"].(string)
	return id
}

// withID is the question with an ID; nil for none.
func withID(list []any, id string) map[string]any {
	for _, value := range list {
		if id != "" && idOf(value) == id {
			return object(value)
		}
	}
	return nil
}
