package pull

import (
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// leftValues are the values that a pull did not write.
type leftValues struct {
	// names contains arguments, or "" for all of them. questions contains the paths of questions, or of their attributes.
	names, questions map[string]bool
	// isReordered is set if the questions have another order in PostHog.
	isReordered bool
}

// findLeft returns the values of a resource that were not written. A finding about a question without an ID concerns all
// questions.
func (r Resource) findLeft(findings []Finding) leftValues {
	left := leftValues{names: map[string]bool{}, questions: map[string]bool{}}
	isID := map[string]bool{}
	for _, version := range []any{r.Versions.Applied, r.Versions.Code, r.Versions.Live} {
		for _, q := range questionList(object(version)) {
			isID[questionID(q)] = true
		}
	}
	delete(isID, "")
	// Pending questions without an ID are new in the configuration if all earlier questions have IDs.
	hasAnonymous := slices.Contains(questionIDs(identity.NewQuestions(questionList(object(r.Versions.Applied)))), "")

	for _, f := range findings {
		switch {
		case f.Resource.Address != r.Address || !f.IsLeft() || f.Kind == code.Detached:
		case f.Kind == code.Reordered:
			left.isReordered = true
		case isID[f.Question]:
			_, name, _ := strings.Cut(f.Attribute, "].")
			left.questions[questionValue(f.Question, Root(name))] = true
		case f.Question != "" && f.Outcome == code.Pending && strings.HasSuffix(f.Attribute, "]") && !hasAnonymous:
		default:
			left.names[Root(f.Attribute)] = true
		}
	}
	return left
}

// questionValue returns the path of an attribute of a question, or of the question if the name is empty.
func questionValue(id, name string) string {
	if name == "" {
		return attribute.QuestionPath(id)
	}
	return attribute.QuestionPath(id) + "." + name
}

// has reports whether the value at a path was not written.
func (l leftValues) has(path string) bool {
	name, rest, _ := strings.Cut(path, ".")
	root, _, isQuestion := strings.Cut(name, "/")
	if l.names[root] || l.names[""] {
		return true
	}
	rest, _, _ = strings.Cut(rest, ".")
	return isQuestion && (l.questions[name] || l.questions[name+"."+rest]) || path == questionsName && l.hasQuestions()
}

// hasQuestions reports whether anything about the questions was not written.
func (l leftValues) hasQuestions() bool {
	return l.names[questionsName] || l.names[""] || len(l.questions) > 0 || l.isReordered
}

// merge returns PostHog's version of a question, with the values of the merge base that were not written.
func (l leftValues) merge(base, theirs identity.Question) identity.Question {
	if l.questions[questionValue(base.ID, "")] {
		return base
	}
	merged := theirs
	for path := range l.questions {
		switch name, isPart := strings.CutPrefix(path, questionValue(base.ID, "")+"."); {
		case !isPart:
		case name == "question":
			merged.Text = base.Text
		case name == "type":
			merged.Type = base.Type
		default:
			merged.Content = base.Content
		}
	}
	return merged
}

// hasQuestion reports whether a question, or one of its attributes, was not written.
func (l leftValues) hasQuestion(id string) bool {
	for path := range l.questions {
		if question, _, _ := strings.Cut(path, "."); question == attribute.QuestionPath(id) {
			return true
		}
	}
	return false
}
