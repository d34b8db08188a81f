package pull

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/held"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hcledit"
)

// The state says what an object was when it was last read, and that need not be what the
// code was written from: a refresh may have stored an edit that the code does not have, and
// an earlier pull may have put one into the code that the state does not have. So a value
// in the code that the service has held since the object was last written counts as not
// edited: the code is behind. Any other value is an edit of the code.

// questionsName is the argument with the questions of a survey.
const questionsName = "questions"

// memory is what is known of the past of an object.
type memory struct {
	values    held.Values
	questions survey.QuestionPast
	// written is when the object was last written; zero when that is not known.
	written time.Time
	// named are the questions that a plan takes for others unless the code states their ids.
	named []string
	// applied and code are the versions of the plan.
	applied, code any
}

// recall compares the code with what the private state of the resource remembers. What
// cannot be read of it is not known.
func (r *Resource) recall(private map[string][]byte) {
	values, err := held.Decode(private[held.Key])
	if err != nil {
		values = held.Values{}
	}
	questions, err := survey.DecodeQuestionPast(private[survey.HistoryKey])
	if err != nil {
		questions = survey.QuestionPast{}
	}

	r.memory = memory{
		values: values, questions: questions, written: held.DecodeWritten(private[held.WrittenKey]),
		applied: r.Versions.Applied, code: r.Versions.Code,
	}
	if live, ok := r.Versions.Live.(map[string]any); ok {
		list, _ := live[questionsName].([]any)
		r.memory.named = survey.TakenForOthers(private[survey.HistoryKey], keysOf(list))
	}
	r.rebase()
}

// rebase puts what the code was written from into the place of what was last applied.
func (r *Resource) rebase() {
	applied, _ := r.memory.applied.(map[string]any)
	code, _ := r.memory.code.(map[string]any)
	live, _ := r.Versions.Live.(map[string]any)
	if applied == nil || code == nil || live == nil {
		return
	}
	code = codeOf(code)

	rebased := map[string]any{}
	for name := range r.arguments {
		var value any
		if name == questionsName {
			value = r.rebasedQuestions(applied[name], code[name], live[name])
		} else {
			value = r.rebased(name, applied[name], code[name])
		}
		if value != nil {
			rebased[name] = value
		}
	}
	r.Versions.Applied, r.Versions.Code = rebased, code
}

// rebased is what one value of the code was written from.
func (r *Resource) rebased(path string, applied, code any) any {
	like := code
	if like == nil {
		like = applied
	}
	return restored(r.memory.values.Rebase(path, plain(applied), plain(code)), like)
}

// plain is a value in which JSON is text, as the private state knows it.
func plain(value any) any {
	switch value := value.(type) {
	case jsonvalue.Text:
		return string(value)
	case map[string]any:
		fields := map[string]any{}
		for name, field := range value {
			fields[name] = plain(field)
		}
		return fields
	}
	return value
}

// restored is a plain value as hcledit has one like it.
func restored(value, like any) any {
	if _, isJSON := like.(jsonvalue.Text); isJSON {
		switch value := value.(type) {
		case string:
			return jsonvalue.Text(value)
		case map[string]any:
			text, err := json.Marshal(value)
			if err != nil {
				return like
			}
			return jsonvalue.Text(text)
		}
		return value
	}

	fields, ok := value.(map[string]any)
	if !ok {
		return value
	}
	alike, _ := like.(map[string]any)
	for name := range fields {
		fields[name] = restored(fields[name], alike[name])
	}
	return fields
}

// rebasedQuestions are the questions that the code was written from: those of the list that
// it is closest to, and all others that the service has held and the code has.
func (r *Resource) rebasedQuestions(applied, code, live any) any {
	was, _ := applied.([]any)
	stated, isList := code.([]any)
	is, _ := live.([]any)
	if !isList || r.memory.questions.IsEmpty() {
		return applied
	}

	ids, base := r.memory.questions.Match(keysOf(stated))
	r.identify(stated, ids)

	var rebased []any
	for _, key := range base {
		question := withID(was, key.ID)
		if question == nil {
			question = withID(is, key.ID)
		}
		if question == nil {
			question = map[string]any{"id": key.ID, "type": key.Type, "question": key.Text}
		}
		rebased = append(rebased, r.rebasedQuestion(question, withID(stated, key.ID)))
	}

	for i := range stated {
		id := idOf(stated[i])
		isThere := id == "" || withID(rebased, id) != nil || withID(is, id) != nil
		if !isThere && r.memory.questions.Held(id) {
			rebased = append(rebased, r.heldQuestion(withID(was, id), stated[i]))
		}
	}
	return rebased
}

// heldQuestion is what a question of the code was written from that the service has not any
// more, also where it was never applied. So an edit of the code stays one, whichever list the
// code is closest to.
func (r *Resource) heldQuestion(was map[string]any, stated any) any {
	question, _ := stated.(map[string]any)
	key := keyOf(stated)
	if was == nil {
		was = map[string]any{"id": key.ID}
	}
	if r.memory.questions.Had(key) {
		was = maps.Clone(was)
		was["type"], was["question"] = key.Type, key.Text
	}
	return r.rebasedQuestion(was, question)
}

// identify gives the questions of the code the ids that the plan does not know.
func (r *Resource) identify(stated []any, ids []string) {
	for i, id := range ids {
		question, _ := stated[i].(map[string]any)
		_, isOpen := question["id"].(hcledit.Unknown)
		if question == nil || !isOpen || id == "" || withID(stated, id) != nil {
			continue
		}
		identified := maps.Clone(question)
		identified["id"] = id
		stated[i] = identified
	}
}

// rebasedQuestion is what a question of the code was written from.
func (r *Resource) rebasedQuestion(was, stated map[string]any) any {
	if stated == nil {
		return was
	}

	rebased := map[string]any{}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(was)), slices.Collect(maps.Keys(stated))) {
		if value := r.rebased(held.Of(idOf(was))+"."+name, was[name], stated[name]); value != nil {
			rebased[name] = value
		}
	}
	if r.memory.questions.Had(keyOf(stated)) {
		rebased["type"], rebased["question"] = stated["type"], stated["question"]
	}
	return rebased
}

func keyOf(value any) survey.QuestionKey {
	question, _ := value.(map[string]any)
	kind, _ := question["type"].(string)
	asked, _ := question["question"].(string)
	return survey.QuestionKey{ID: idOf(value), Type: kind, Text: asked}
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
