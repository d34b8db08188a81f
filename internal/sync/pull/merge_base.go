package pull

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
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

// memory is what is known of the past of an object.
type memory struct {
	// written identifies the last write; empty for an object that is not in the state yet.
	written string
	held    attribute.Held
	past    survey.QuestionPast
	// history is what the private state says of the questions.
	history []byte
	// lock is what code and service had in common after the last pull, if locked is set.
	lock   entry
	locked bool
	// isNew is set for an object that the next apply brings into the state.
	isNew bool
}

// recall reads what the private state of the resource remembers. What cannot be read of it is
// not known.
func (r *Resource) recall(private map[string][]byte, lock *Lock, isNew bool) {
	if isNew {
		private = nil // it is that of the plan alone
	}
	r.memory = memory{history: private[survey.HistoryKey], written: strings.Trim(string(private[attribute.WrittenKey]), `"`), isNew: isNew}
	var err error
	if r.memory.held, err = attribute.DecodeHeld(private[attribute.HeldKey]); err != nil {
		r.memory.held = attribute.Held{}
	}
	if r.memory.past, err = survey.DecodeQuestionPast(r.memory.history); err != nil {
		r.memory.past = survey.QuestionPast{}
	}
	r.memory.lock, r.memory.locked = lock.entryOf(*r)
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

// rebase puts what the code was written from into the place of what the state has.
func (r *Resource) rebase() {
	state, _ := r.Versions.Applied.(map[string]any)
	code, _ := r.Versions.Code.(map[string]any)
	live, _ := r.Versions.Live.(map[string]any)
	if state == nil || code == nil || live == nil {
		return
	}
	code = maps.Clone(code)
	r.Versions.Code = code

	stated, isList := code[questionsName].([]any)
	var first []survey.QuestionKey
	if isList {
		stated = slices.Clone(stated)
		code[questionsName] = stated
		r.state, _ = state[questionsName].([]any)
		is, _ := live[questionsName].([]any)
		first = r.identify(stated, r.state, is)
	}

	if r.Versions.IsSame() && !r.memory.locked && !r.memory.isNew && len(r.memory.held) == 0 {
		return // nothing has changed since the last write
	}
	r.base = newBase(r.memory, state, code, live)
	applied := map[string]any{}
	for name := range r.arguments {
		var value any
		if name == questionsName && isList {
			value = r.baseQuestions(first, state[name], stated, live[name])
		} else {
			value = r.base.value(name, code[name], live[name], state[name])
		}
		if value != nil {
			applied[name] = value
		}
	}
	r.Versions.Applied = applied
}

// identify gives the questions of the code the ids that the plan does not know, and returns
// those of the list that the code was written from.
func (r *Resource) identify(stated, was, is []any) []survey.QuestionKey {
	if r.memory.isNew && r.memory.locked { // the plan knows what is live alone
		for i := range stated {
			stated[i] = identified(stated[i], code.Unknown{})
		}
	}
	past := r.past(stated, was, is)
	ids, first := past.Match(keysOf(stated))
	for _, key := range past.First() {
		if key.ID == "" && !slices.Contains(first, key) { // no id leads from one list to another
			first = append(first, key)
		}
	}
	for i, id := range ids {
		question, _ := stated[i].(map[string]any)
		_, isOpen := question["id"].(code.Unknown)
		switch isNone := isOpen || idOf(question) == ""; {
		case isNone && id != "" && withID(stated, id) == nil:
			stated[i] = identified(question, id)
		case isOpen && slices.Contains(namesOf(first), namesOf(keysOf(stated))[i]):
			stated[i] = identified(question, nil) // what it says is all that tells it
		}
	}

	for _, key := range keysOf(stated) {
		// A question of the code that the service once had, and not any more, was deleted there,
		// whichever list the code is closest to.
		if key.ID != "" && !slices.Contains(idsOf(first), key.ID) && withID(is, key.ID) == nil && past.Held(key.ID) {
			first = append(first, key)
		}
	}
	return first
}

// identified is a question with another id.
func identified(value, id any) any {
	question, _ := value.(map[string]any)
	question = maps.Clone(question)
	if question != nil {
		question["id"] = id
	}
	return question
}

// past are the lists of questions of which the code was written from one.
func (r *Resource) past(stated, was, is []any) survey.QuestionPast {
	if r.memory.past.First() != nil && !r.memory.locked {
		return r.memory.past
	}
	return r.memory.past.Since(r.said(stated, was, is), keysOf(is))
}

// said are the questions when code and service last agreed on them.
func (r *Resource) said(stated, was, is []any) []survey.QuestionKey {
	said := r.memory.past.First()
	if said == nil {
		said = keysOf(was)
	}
	if !r.memory.locked {
		return said
	}

	texts := map[string]string{}
	known := slices.Concat(said, keysOf(was), keysOf(is), keysOf(stated))
	for _, key := range known {
		texts[hashOf(key.Type)], texts[hashOf(key.Text)] = key.Type, key.Text
	}
	names := r.memory.lock.Questions
	if names == nil {
		names = namesOf(said)
	}
	locked := make([]survey.QuestionKey, len(names))
	for i, name := range names {
		name = r.memory.past.Root(name)
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

// baseQuestions are the questions that the code was written from.
func (r *Resource) baseQuestions(first []survey.QuestionKey, was any, stated []any, is any) any {
	state, _ := was.([]any)
	live, _ := is.([]any)
	questions := []any{}
	for _, key := range first {
		if key.ID == "" {
			question := any(map[string]any{"type": key.Type, "question": key.Text})
			if at := slices.Index(keysOf(state), key); at >= 0 {
				question = state[at]
			}
			questions = append(questions, question)
			continue
		}
		var values []any
		for _, list := range [][]any{stated, live, state} {
			if question := withID(list, key.ID); question != nil {
				values = append(values, question)
			}
		}
		if len(values) > 0 {
			questions = append(questions, identified(r.base.value(attribute.QuestionPath(key.ID), values...), key.ID))
		}
	}
	return questions
}

// questionsOf are the names of the questions of a version.
func questionsOf(version any) []string {
	arguments, _ := version.(map[string]any)
	list, _ := arguments[questionsName].([]any)
	return namesOf(keysOf(list))
}

// namesOf are the ids of questions, or what tells one without an id from the others: its text.
func namesOf(keys []survey.QuestionKey) []string {
	names := idsOf(keys)
	for i := range names {
		if names[i] == "" {
			names[i] = "#" + hashOf(keys[i].Text)
		}
	}
	return names
}

func keysOf(list []any) []survey.QuestionKey {
	keys := make([]survey.QuestionKey, len(list))
	for i := range list {
		question, _ := list[i].(map[string]any)
		kind, _ := question["type"].(string)
		asked, _ := question["question"].(string)
		keys[i] = survey.QuestionKey{ID: idOf(list[i]), Type: kind, Text: asked}
	}
	return keys
}

func idsOf(keys []survey.QuestionKey) []string {
	ids := make([]string, len(keys))
	for i, key := range keys {
		ids[i] = key.ID
	}
	return ids
}

func idOf(value any) string {
	question, _ := value.(map[string]any)
	id, _ := question["id"].(string)
	return id
}

// withID is the question with an id; nil for none.
func withID(list []any, id string) map[string]any {
	for _, value := range list {
		if question, ok := value.(map[string]any); ok && id != "" && idOf(value) == id {
			return question
		}
	}
	return nil
}
