package survey_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/answers"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// Whatever happens to the questions of a survey, the match of a configuration with what is
// remembered keeps answers with their questions.
func TestMatchKeepsAnswersAtRandom(t *testing.T) {
	t.Parallel()
	answers.Check(t, func(*rapid.T) answers.Adapter { return &matchAnswers{} })
}

// matchAnswers applies what [survey.Match] decides. Its report has the texts of both questions of each
// possible match.
type matchAnswers struct {
	answers.Memory
	history survey.QuestionHistory
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
		m.history = survey.QuestionHistory{}.AfterRead(nil, live, true)
		return answers.Report{}
	}

	origins := survey.Match(live, read, questionsToMatch(code))
	planned := slices.Clone(code)
	for i, from := range origins {
		if planned[i].ID == "" {
			planned[i].ID = from.ID.ValueString()
		}
	}

	report := answers.Report{Messages: messagesOf(live, read, code, origins)}
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

// counted is a history that knows how many answers are under the IDs of a replaced one.
func (m *matchAnswers) counted(read survey.QuestionHistory, live []survey.Question) survey.QuestionHistory {
	for _, cut := range read.Known(live) {
		before, since := m.Answers[cut.Old], m.Answers[cut.Live]
		read = read.Judged(cut.Live, survey.CutFacts{Before: &before, Since: &since, Stays: since > 0})
	}
	return read
}

// messagesOf are what a plan prints of questions that may be others, of those that go, and of
// detached answers.
func messagesOf(live []survey.Question, read survey.QuestionHistory, code []answers.Question, origins []survey.Origin) []string {
	var messages []string
	for _, cut := range read.Cut(live) {
		messages = append(messages, cut.String())
	}
	for j, q := range live {
		i := slices.IndexFunc(origins, func(from survey.Origin) bool { return from.Prior == j })
		switch {
		case i < 0:
			messages = append(messages, fmt.Sprint("removed: ", q.Question.ValueString()))
		case origins[i].ByPosition:
			messages = append(messages, fmt.Sprint("perhaps: ", q.Question.ValueString(), " is now ", code[i].Text))
		}
	}
	return messages
}

func questionsToMatch(list []answers.Question) []survey.Question {
	out := make([]survey.Question, len(list))
	for i, q := range list {
		out[i] = survey.Question{Type: types.StringValue(q.Type), Question: types.StringValue(q.Text), Description: types.StringValue(q.Content.Description)}
		if q.ID != "" {
			out[i].ID = types.StringValue(q.ID)
		}
	}
	return out
}
