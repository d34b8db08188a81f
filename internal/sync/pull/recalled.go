package pull

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// rememberedResource is a resource with its memory.
type rememberedResource struct {
	planResource
	memory memory
}

// memory contains an object's recorded history.
type memory struct {
	// written identifies the last write: by its time, or by the values in the state if the private state cannot be read. It
	// is empty if the object is not in the state yet.
	written string
	held    attribute.Held
	// questions contains the versions of the questions. history is their encoded form in the private
	// state.
	questions identity.History
	history   []byte
	// lock contains the values that the configuration and PostHog shared after the last pull. It is valid if
	// locked is set.
	lock   entry
	locked bool
	// separated maps the ID of a question to the ID of another one, which the private state takes for the same: the
	// values of the former at the last write are those that the state has for the latter.
	separated map[string]string
	// isNew is set if the next apply imports the object into the state.
	isNew bool
}

// recall reads the memory from the private state and the lock file. It treats unreadable private
// state as empty. After an import, the private state contains only the questions' history from the
// activity log.
func (r planResource) recall(private map[string][]byte, lock *Lock, isNew bool) rememberedResource {
	m := memory{history: private[survey.HistoryKey]}
	var err error
	if m.questions, err = identity.Decode(m.history); err != nil {
		m.questions = identity.History{}
	}
	if isNew {
		private = nil
	}

	m.written, m.isNew = strings.Trim(string(private[attribute.WrittenKey]), `"`), isNew
	if m.written == "" && !isNew {
		m.written = r.stateMark()
	}
	if m.held, err = attribute.DecodeHeld(private[attribute.HeldKey]); err != nil {
		m.held = attribute.Held{}
	}
	m.lock, m.locked = lock.currentEntry(r.ParentID, r.ID, m.written)
	return rememberedResource{r, m.separate()}
}

// stateMark identifies the values in the state, except sensitive ones. A refresh that is stored changes them, too, although
// it writes nothing.
func (r planResource) stateMark() string {
	values := maps.Clone(object(r.Versions.Applied))
	api.EachSecretDefault(decodeSchema(values), func(string, map[string]any) { delete(values, schemaName) })
	maps.DeleteFunc(values, func(name string, _ any) bool { return r.Sensitive[name] })
	text, _ := json.Marshal(attribute.Hashes("", values)) // a map of texts can always be encoded
	sum := sha256.Sum256(text)
	return "state:" + hex.EncodeToString(sum[:8])
}

// separate returns the memory without replaced IDs that the last pull contradicts: if the configuration and PostHog
// shared two questions under both IDs, neither of the IDs replaced the other. The reads in the history may have missed
// the time when PostHog had both.
func (m memory) separate() memory {
	m.separated = map[string]string{}
	for _, d := range m.questions.Detached(m.questions.Newest()) {
		if identity.IndexByID(m.lock.Base, d.ID) >= 0 && identity.IndexByID(m.lock.Base, d.OldID) >= 0 {
			m.questions = m.questions.WithLogged(d, identity.Separate)
			if !d.IsPossible {
				m.separated[d.OldID] = d.ID
			}
		}
	}
	return m
}

// withRootIDs returns the memory with all of a question's values under its root ID. If a question had two
// IDs, the newer ID has no values from before the older ID lost them.
func (m memory) withRootIDs(findRoot func(id string) string) memory {
	isNew := func(hashes []string) bool { return len(hashes) > 0 && hashes[len(hashes)-1] == attribute.HashOfNothing }

	values := maps.Clone(m.lock.Values)
	for path, hash := range m.lock.Values {
		newPath := replaceQuestionID(path, findRoot)
		if newPath == path {
			continue
		}
		delete(values, path)
		if own, ok := m.lock.Values[newPath]; !ok || own == attribute.HashOfNothing {
			values[newPath] = hash
		}
	}
	m.lock.Values = values

	held := maps.Clone(m.held)
	for path, older := range m.held {
		newPath := replaceQuestionID(path, findRoot)
		if newPath == path {
			continue
		}
		newer := held[newPath]
		if isNew(older) {
			older, newer = newer, older
		}
		delete(held, path)
		held[newPath] = slices.Concat(newer[:max(0, len(newer)-1)], older)
	}
	m.held = held
	return m
}

// replaceQuestionID returns a path with a different question ID.
func replaceQuestionID(path string, findID func(id string) string) string {
	question, name, isPart := strings.Cut(path, ".")
	id, isQuestion := strings.CutPrefix(question, attribute.QuestionPath(""))
	if !isPart || !isQuestion {
		return path
	}
	return attribute.QuestionPath(findID(id)) + "." + name
}
