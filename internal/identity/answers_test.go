package identity_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/answers"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// For any sequence of edits to a survey's questions, matching a configuration with the remembered history keeps
// answers with their questions.
func TestMatchKeepsAnswersAtRandom(t *testing.T) {
	t.Parallel()
	answers.Check(t, func(*rapid.T) answers.Adapter { return &matchAnswers{} })
}

// matchAnswers applies what [identity.History] decides. Its report has the texts of both questions of each
// possible match.
type matchAnswers struct {
	answers.Memory
	history identity.History
}

// Commands implements [answers.Adapter].
func (m *matchAnswers) Commands() []answers.Command {
	return []answers.Command{answers.Refresh, answers.Apply, answers.Import}
}

// Run implements [answers.Adapter].
func (m *matchAnswers) Run(t *rapid.T, command answers.Command, code []answers.Question) answers.Report {
	live := questionsToMatch(m.Live)
	read := m.history
	if len(m.Live) > 0 {
		read = m.counted(read.AfterRead(read.Newest(), live, command == answers.Import), live)
	}

	switch command {
	case answers.Refresh:
		m.history = read
		return answers.Report{}
	case answers.Import:
		m.history = identity.History{}.AfterRead(nil, live, true)
		return answers.Report{}
	default: // the others begin with a plan
	}

	pairs := read.Match(live, questionsToMatch(code))
	planned := slices.Clone(code)
	report := answers.Report{Messages: messagesOf(live, read, code, pairs)}
	for i, pair := range pairs {
		report.IsRefused = report.IsRefused || len(pair.Candidates) > 0
		if planned[i].ID == "" {
			planned[i].ID = pair.ID
		}
	}
	if report.IsRefused {
		return report
	}

	report.IsEmpty = slices.EqualFunc(planned, m.Live, func(a, b answers.Question) bool {
		return a.ID == b.ID && a.Type == b.Type && a.Text == b.Text && a.Content == b.Content
	})
	if command == answers.Apply {
		m.history = read
		if !report.IsEmpty {
			m.Save(t, planned)
			m.history = read.AfterWrite(questionsToMatch(m.Live))
		}
	}
	return report
}

// counted returns a history with the answer counts under a replaced ID and its replacement.
func (m *matchAnswers) counted(read identity.History, live []identity.Question) identity.History {
	for _, d := range read.Detached(live).Certain() {
		before, since := m.Answers[d.OldID], m.Answers[d.ID]
		read = read.WithCounts(d.ID, identity.Counts{Before: &before, Since: &since, Stays: since > 0})
	}
	return read
}

// messagesOf returns what a plan prints about possible matches, removed questions, and detached answers.
func messagesOf(live []identity.Question, read identity.History, code []answers.Question, pairs []identity.Pair) []string {
	var messages []string
	for _, d := range read.Detached(live) {
		messages = append(messages, d.String())
	}

	for i, pair := range pairs {
		if pair.Rule != identity.New && !pair.IsCertain {
			messages = append(messages, fmt.Sprint("possibly: ", pair.Was.Text, " is now ", code[i].Text))
		}
		for _, q := range pair.Candidates {
			messages = append(messages, fmt.Sprint("perhaps: ", q.Text, " is now ", code[i].Text))
		}
	}

	for j, q := range live {
		if !slices.ContainsFunc(pairs, func(pair identity.Pair) bool { return pair.Index == j }) {
			message := "removed: " + q.Text
			for i, pair := range pairs {
				if pair.Rule == identity.New && identity.IsSimilar(q.Text, code[i].Text) {
					message += ", like the new " + code[i].Text
				}
			}
			messages = append(messages, message)
		}
	}
	return messages
}

func questionsToMatch(list []answers.Question) []identity.Question {
	out := make([]identity.Question, len(list))
	for i, q := range list {
		out[i] = identity.NewQuestion(q.Wire())
	}
	return out
}
