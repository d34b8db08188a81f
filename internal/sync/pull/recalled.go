package pull

import (
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// recalled is a resource with what is remembered of it.
type recalled struct {
	read
	memory memory
}

// memory is what is known of the past of an object.
type memory struct {
	// written identifies the last write; empty for an object that is not in the state yet.
	written string
	held    attribute.Held
	// questions are the versions of the questions, history is how the private state has them.
	questions identity.History
	history   []byte
	// lock is what configuration and PostHog had in common after the last pull, if locked is set.
	lock   entry
	locked bool
	// isNew is set for an object that the next apply brings into the state.
	isNew bool
}

// recall reads what the private state and the lock file remember. What cannot be read of the
// private state is not known.
func (r read) recall(private map[string][]byte, lock *Lock, isNew bool) recalled {
	if isNew {
		private = nil // it is that of the plan alone
	}

	m := memory{history: private[survey.HistoryKey], written: strings.Trim(string(private[attribute.WrittenKey]), `"`), isNew: isNew}
	var err error
	if m.held, err = attribute.DecodeHeld(private[attribute.HeldKey]); err != nil {
		m.held = attribute.Held{}
	}
	if m.questions, err = identity.Decode(m.history); err != nil {
		m.questions = identity.History{}
	}
	m.lock, m.locked = lock.entryOf(r.ParentID, r.ID, m.written)
	return recalled{r, m}
}

// renamed is the memory with the values of questions under the one ID that each has. One of two IDs
// had no values before the other one lost them.
func (m memory) renamed(rootOf func(id string) string) memory {
	isNew := func(hashes []string) bool { return len(hashes) > 0 && hashes[len(hashes)-1] == attribute.HashOfNothing }

	values := maps.Clone(m.lock.Values)
	for path, hash := range m.lock.Values {
		if to := renamedPath(path, rootOf); to != path {
			delete(values, path)
			values[to] = hash
		}
	}
	m.lock.Values = values

	all := maps.Clone(m.held)
	for path, older := range m.held {
		to := renamedPath(path, rootOf)
		if to == path {
			continue
		}
		newer := all[to]
		if isNew(older) {
			older, newer = newer, older
		}
		delete(all, path)
		all[to] = slices.Concat(newer[:max(0, len(newer)-1)], older)
	}
	m.held = all
	return m
}

// renamedPath is the path of a value with another ID of its question.
func renamedPath(path string, idOf func(id string) string) string {
	question, name, isPart := strings.Cut(path, ".")
	id, isQuestion := strings.CutPrefix(question, attribute.QuestionPath(""))
	if !isPart || !isQuestion {
		return path
	}
	return attribute.QuestionPath(idOf(id)) + "." + name
}
