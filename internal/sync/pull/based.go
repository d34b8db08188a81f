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

// A three-way merge compares both sides with the merge base: the value from which the configuration
// was written. The base is in the lock file. If the lock file does not contain it, the base is the
// value that PostHog had at the last write. Both places store hashes. If the configuration, PostHog,
// or the state still contains a value with this hash, that value is the base. Otherwise, the base
// differs from all three.
//
// If the configuration contains a value that PostHog had after the base, someone copied that value by
// hand. That value then becomes the base, so the configuration counts as unedited.

// questionsName is the argument that contains the questions of a survey.
const questionsName = "questions"

// basedResource is a resource whose Versions.Applied is the merge base.
type basedResource struct {
	reattachedResource
	base base
}

// base finds the values of the merge base by their hashes.
type base struct {
	memory
	// state, code, and live map paths to the hashes of the available values.
	state, code, live map[string]string
	// paths lists every path that has a hash.
	paths []string
}

func newBase(m memory, state, code, live map[string]any) base {
	b := base{memory: m, state: attribute.Hashes("", state), code: attribute.Hashes("", code), live: attribute.Hashes("", live)}
	isKnown := map[string]bool{}
	for _, hashes := range []map[string]string{b.state, b.code, b.live, m.lock.Values} {
		for path := range hashes {
			isKnown[path] = true
		}
	}
	for path := range m.held {
		isKnown[path] = true
	}
	b.paths = slices.Sorted(maps.Keys(isKnown))
	return b
}

// hashAtWrite returns a value's hash at the last write. It is the oldest hash that was remembered since
// then.
func (b base) hashAtWrite(path string) string {
	if past := b.held[path]; len(past) > 0 {
		return past[len(past)-1]
	}
	return hashAtPath(b.state, replaceQuestionID(path, func(id string) string { return cmp.Or(b.separated[id], id) }))
}

// hashAtAgreement returns a value's hash from the time when the configuration and PostHog last agreed.
func (b base) hashAtAgreement(path string) string {
	hash, ok := b.lock.Values[path]
	switch {
	case b.locked && ok:
		return hash
	case b.locked && b.isNew:
		return attribute.HashOfNothing
	}
	return b.hashAtWrite(path)
}

// baseHash returns the hash of the merge base of a value.
func (b base) baseHash(path string) string {
	first, code := b.hashAtAgreement(path), hashAtPath(b.code, path)
	since := b.held[path]
	if len(since) > 0 {
		since = since[:len(since)-1]
	}
	if index := slices.Index(since, first); index >= 0 {
		since = since[:index]
	}
	if slices.Contains(since, code) {
		return code
	}
	return first
}

func hashAtPath(hashes map[string]string, path string) string {
	if hash, ok := hashes[path]; ok {
		return hash
	}
	return attribute.HashOfNothing
}

// unknownBase represents a base value that differs from all available values.
type unknownBase string

// baseValue returns the merge base of a path. values contains the candidates.
func (b base) baseValue(path string, values ...any) any {
	for _, value := range values {
		if b.isBase(path, value) {
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
			value, _ = jsonvalue.Decode(text) // text that cannot be decoded is not an object
		}
		parts[i], ok = value.(map[string]any)
		isObject = isObject && (ok || value == nil)
		for name := range parts[i] {
			names[name] = true
		}
	}
	if !isObject {
		return unknownBase(b.baseHash(path))
	}

	object := map[string]any{}
	for name := range names {
		below := make([]any, len(parts))
		for i := range parts {
			below[i] = parts[i][name]
		}
		if value := b.baseValue(join(path, name), below...); value != nil {
			object[name] = value
		}
	}
	if isText {
		text, err := json.Marshal(object)
		if err != nil {
			return unknownBase(b.baseHash(path))
		}
		return jsonvalue.Text(text)
	}
	return object
}

// isBase reports whether a value is the merge base of a path.
func (b base) isBase(path string, value any) bool {
	hashes := attribute.Hashes(path, value)
	for _, knownPath := range b.paths {
		if (knownPath == path || strings.HasPrefix(knownPath, path+".")) && hashAtPath(hashes, knownPath) != b.baseHash(knownPath) {
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

// rebase replaces the applied version with the merge base.
func (r reattachedResource) rebase() basedResource {
	b := basedResource{reattachedResource: r}
	state, ours, theirs := object(r.Versions.Applied), object(r.Versions.Code), object(r.Versions.Live)
	if state == nil || ours == nil || theirs == nil {
		return b
	}

	ours = maps.Clone(ours)
	b.Versions.Code = ours
	configured, isList := ours[questionsName].([]any)
	var first []identity.Question
	if isList {
		configured, first = r.identify(configured, questionList(theirs))
		ours[questionsName] = configured
	}

	if b.Versions.IsSame() && !r.memory.locked && !r.memory.isNew && len(r.memory.held) == 0 {
		return b // nothing changed after the last write
	}
	b.base = newBase(r.memory, state, ours, theirs)
	applied := map[string]any{}
	for name := range r.arguments {
		var value any
		if name == questionsName && isList {
			value = b.baseQuestions(first, state[name], configured, theirs[name])
		} else {
			value = b.base.baseValue(name, ours[name], theirs[name], state[name])
		}
		if value != nil {
			applied[name] = value
		}
	}
	b.Versions.Applied = applied
	return b
}

// identify returns the configuration's questions, and the questions of the version from which the
// configuration was written. It adds IDs to questions that have none in the plan.
func (r reattachedResource) identify(configured, live []any) (identified []any, first []identity.Question) {
	configured = slices.Clone(configured)
	if r.memory.isNew && r.memory.locked { // the plan contains live IDs for questions whose block sets none
		for i := range configured {
			if !slices.Contains(r.literalIDs, questionID(configured[i])) {
				configured[i] = withID(configured[i], code.Unknown{})
			}
		}
	}

	past := r.versionsSince(configured, live)
	ids, first := past.Match(identity.NewQuestions(configured))
	first = slices.Clone(first)
	for i, q := range first {
		first[i].ID = cmp.Or(r.kept[q.ID], q.ID)
	}
	for _, q := range past.First() {
		if q.ID == "" && !slices.Contains(first, q) { // no ID connects the two lists
			first = append(first, q)
		}
	}
	for i, id := range ids {
		question := object(configured[i])
		_, isOpen := question["id"].(code.Unknown)
		switch isNone := isOpen || questionID(question) == ""; {
		case isNone && id != "" && findQuestion(configured, id) == nil:
			configured[i] = withID(question, id)
		case isOpen && slices.Contains(questionNames(first), questionNames(identity.NewQuestions(configured))[i]):
			configured[i] = withID(question, nil) // only the text identifies the question
		}
	}

	for _, q := range identity.NewQuestions(configured) {
		// If the configuration contains a question that PostHog once had and no longer has, the question
		// was deleted in PostHog, no matter which version is most similar to the configuration.
		if q.ID != "" && !slices.Contains(questionIDs(first), q.ID) && findQuestion(live, q.ID) == nil && past.Has(q.ID) {
			first = append(first, q)
		}
	}
	return configured, first
}

// versionsSince returns the versions of the questions from which the configuration may have been
// written.
func (r reattachedResource) versionsSince(configured, live []any) identity.Agreed {
	if r.agreed.First() != nil && !r.memory.locked {
		return r.agreed
	}
	return r.agreed.Since(r.lastAgreed(r.state, configured, live), identity.NewQuestions(live))
}

// lastAgreed returns the questions from the time when the configuration and PostHog last agreed. They come
// from the lock, the last write, or the state. Lock files of early releases contain hashes instead of
// texts.
func (r reattachedResource) lastAgreed(state, configured, live []any) []identity.Question {
	agreed := r.agreed.First()
	if agreed == nil {
		agreed = identity.NewQuestions(state)
	}
	switch {
	case !r.memory.locked || r.memory.lock.Base == nil && r.memory.lock.Questions == nil && len(r.memory.lock.Values) == 0:
		return agreed
	case r.memory.lock.Base != nil:
		locked := slices.Clone(r.memory.lock.Base)
		for i, q := range locked {
			locked[i].ID = r.rootID(q.ID)
		}
		return locked
	}

	texts := map[string]string{}
	candidates := slices.Concat(agreed, identity.NewQuestions(slices.Concat(state, live, configured)))
	for _, q := range candidates {
		texts[hashText(q.Type)], texts[hashText(q.Text)] = q.Type, q.Text
	}
	names := r.memory.lock.Questions
	if names == nil {
		names = questionNames(agreed)
	}
	locked := make([]identity.Question, len(names))
	for i, name := range names {
		name = r.rootID(name)
		if locked[i].ID = name; slices.Contains(questionNames(candidates), name) {
			locked[i] = candidates[slices.Index(questionNames(candidates), name)]
		}
		for field, text := range map[string]*string{"type": &locked[i].Type, "question": &locked[i].Text} {
			if hash, ok := r.memory.lock.Values[attribute.QuestionPath(name)+"."+field]; ok {
				*text = texts[hash] // empty if no version still contains the text
			}
		}
	}
	return locked
}

func hashText(text string) string { return attribute.Hashes("text", text)["text"] }

// baseQuestions returns the questions of the merge base.
func (b basedResource) baseQuestions(first []identity.Question, stateValue any, configured []any, liveValue any) any {
	state, _ := stateValue.([]any)
	live, _ := liveValue.([]any)

	questions := []any{}
	for _, q := range first {
		if q.ID == "" {
			question := any(map[string]any{"type": q.Type, "question": q.Text})
			isSame := func(candidate identity.Question) bool {
				return candidate.ID == "" && candidate.Type == q.Type && candidate.Text == q.Text
			}
			if index := slices.IndexFunc(identity.NewQuestions(state), isSame); index >= 0 {
				question = state[index]
			}
			questions = append(questions, question)
			continue
		}

		var values []any
		for _, list := range [][]any{configured, live, state} {
			if question := findQuestion(list, q.ID); question != nil {
				values = append(values, question)
			}
		}
		if len(values) > 0 {
			questions = append(questions, withID(b.base.baseValue(attribute.QuestionPath(q.ID), values...), q.ID))
		}
	}
	return questions
}

func object(value any) map[string]any {
	fields, _ := value.(map[string]any)
	return fields
}

// questionList returns the questions of a version.
func questionList(version map[string]any) []any {
	list, _ := version[questionsName].([]any)
	return list
}

// questionNames returns the IDs of questions. If a question has no ID, its name is a hash of its
// text.
func questionNames(questions []identity.Question) []string {
	names := make([]string, len(questions))
	for i, q := range questions {
		names[i] = cmp.Or(q.ID, "#"+hashText(q.Text))
	}
	return names
}

func questionIDs(questions []identity.Question) []string {
	ids := make([]string, len(questions))
	for i, q := range questions {
		ids[i] = q.ID
	}
	return ids
}

func questionID(value any) string {
	id, _ := object(value)["id"].(string)
	return id
}

// findQuestion returns the question with the given ID, or nil.
func findQuestion(list []any, id string) map[string]any {
	for _, value := range list {
		if id != "" && questionID(value) == id {
			return object(value)
		}
	}
	return nil
}
