package record

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// RunReport are the problems of a test run, with those that should make the run fail.
type RunReport struct {
	// Requests is the number of requests to the API.
	Requests int64 `json:"requests"`
	// UndocumentedFields are fields that were sent and that the document does not have.
	UndocumentedFields []UndocumentedField `json:"undocumented_fields"`
	// UnusedFaults are rules that never hit a request.
	UnusedFaults []UnusedFault `json:"unused_faults"`
	// DetachedAnswers are the writes that detach answers, in their order.
	DetachedAnswers []DetachedAnswers `json:"detached_answers"`
	// SurveyEvents are events "survey sent" whose answer is lost, or whose person is asked again.
	SurveyEvents []SurveyEvent `json:"survey_events"`
	// NeverShown are surveys that apps received and did not show. They are not findings: a survey
	// may be meant for others than those who took part in the run.
	NeverShown []NeverShown `json:"never_shown"`
	// HidesAll are surveys that apps got and over which posthog-js throws, so that it shows no survey.
	HidesAll []HidesAll `json:"hides_all"`
}

// UndocumentedField is a field of requests.
type UndocumentedField struct {
	// Operation is the operationId, Path the path of the field, such as questions[].color.
	Operation string `json:"operation"`
	Path      string `json:"path"`
	// Times is the number of times that it was sent.
	Times int64 `json:"times"`
	// World and Sequence identify the first request with it in a journal.
	World    string `json:"world,omitempty"`
	Sequence int64  `json:"sequence"`
	// ReadOnly is set for a field that the document has in responses.
	ReadOnly bool `json:"read_only,omitempty"`
}

// UnusedFault is a rule that never hit a request.
type UnusedFault struct {
	// Rule is the rule as it was set.
	Rule json.RawMessage `json:"rule"`
	// Matches is the number of requests that it selects, all outside of its from and to.
	Matches int64 `json:"matches"`
	// World is the world that it was set in; empty for the server's own.
	World string `json:"world,omitempty"`
}

// NeverShown is a survey that apps got, and that no one saw.
type NeverShown struct {
	World      string `json:"world,omitempty"`
	SurveyID   string `json:"survey_id"`
	SurveyName string `json:"survey_name"`
}

// SurveyEvent is a kind of events "survey sent" that PostHog accepts, and that do not do what an app expects.
type SurveyEvent struct {
	// World and Sequence identify the first request with such an event in a journal.
	World    string `json:"world,omitempty"`
	Sequence int64  `json:"sequence"`
	// SurveyID is the $survey_id of the events, Problem what is wrong with them.
	SurveyID string `json:"survey_id"`
	Problem  string `json:"problem"`
	// IsLost is set when no survey has the answers. Otherwise the survey is offered to its respondents again.
	IsLost bool `json:"is_lost"`
	// Times is the number of events.
	Times int64 `json:"times"`
}

// HidesAll is a survey that apps got, and that hides all surveys.
type HidesAll struct {
	World      string `json:"world,omitempty"`
	SurveyID   string `json:"survey_id"`
	SurveyName string `json:"survey_name"`
	// Reason says over what posthog-js throws.
	Reason string `json:"reason"`
}

// DetachedAnswers is a write by which questions of a survey with responses lost their IDs, so
// that the responses no longer belong to a question.
type DetachedAnswers struct {
	// World and Sequence identify the request in a journal, Time is its time.
	World    string    `json:"world,omitempty"`
	Sequence int64     `json:"sequence"`
	Time     time.Time `json:"time"`
	// Operation is the operationId.
	Operation  string `json:"operation"`
	SurveyID   string `json:"survey_id"`
	SurveyName string `json:"survey_name"`
	// Questions are the questions that lost their IDs, Responses is the number of responses
	// to the survey.
	Questions []CutQuestion `json:"questions"`
	Responses int64         `json:"responses"`
}

// CutQuestion is a question as it was before its ID was lost.
type CutQuestion struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Findings returns the number of findings: undocumented fields, faults that never had an effect, detached
// answers, lost answers, and surveys that hide all surveys.
func (r *RunReport) Findings() int {
	findings := len(r.UndocumentedFields) + len(r.UnusedFaults) + len(r.DetachedAnswers) + len(r.HidesAll)
	for _, e := range r.SurveyEvents {
		if e.IsLost {
			findings++
		}
	}
	return findings
}

// String formats the report as text.
//
// Control characters are escaped, since it is read in terminals.
func (r *RunReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s\n", count(int64(r.Findings()), "problem"), count(r.Requests, "request"))
	section(&b, "detached answers", r.DetachedAnswers)
	section(&b, `events "survey sent" with a problem`, r.SurveyEvents)
	section(&b, "undocumented fields", r.UndocumentedFields)
	section(&b, "faults that never hit", r.UnusedFaults)
	section(&b, "surveys that hide all surveys", r.HidesAll)
	section(&b, "surveys that apps received and did not show", r.NeverShown)
	return b.String()
}

// count returns a number with its noun.
func count(n int64, noun string) string {
	switch n {
	case 0:
		return "no " + noun + "s"
	case 1:
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// section writes a list under a heading, unless it is empty.
func section[T fmt.Stringer](b *strings.Builder, heading string, items []T) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s: %d\n", heading, len(items))
	for _, item := range items {
		fmt.Fprintf(b, "  %s\n", escape.Terminal(item.String()))
	}
}

// String formats the survey with what is wrong with it.
func (h HidesAll) String() string {
	return NeverShown{h.World, h.SurveyID, h.SurveyName}.String() + ": " + h.Reason
}

// String formats the survey.
func (n NeverShown) String() string {
	text := fmt.Sprintf("%q (%s)", n.SurveyName, n.SurveyID)
	if n.World != "" {
		text += " in world " + n.World
	}
	return text
}

// String formats the field.
func (f UndocumentedField) String() string {
	text := fmt.Sprintf("%s: %s, sent by %s, first by %s", f.Operation, f.Path, count(f.Times, "request"), requestName(f.Sequence, f.World))
	if f.ReadOnly {
		text += "; the document has it in responses: it is read only"
	}
	return text
}

// requestName identifies a request so that a reader can find it in the journal.
func requestName(sequence int64, world string) string {
	if world == "" {
		return fmt.Sprintf("request %d", sequence)
	}
	return fmt.Sprintf("request %d of world %s", sequence, world)
}

// String formats the events.
func (e SurveyEvent) String() string {
	consequence := "asked again"
	if e.IsLost {
		consequence = "lost"
	}
	survey := ""
	if e.SurveyID != "" {
		survey = fmt.Sprintf(" of survey %q", e.SurveyID)
	}
	return fmt.Sprintf("%s: %s%s, first by %s: %s", consequence, count(e.Times, "event"), survey, requestName(e.Sequence, e.World), e.Problem)
}

// String formats the rule.
func (f UnusedFault) String() string {
	text := string(f.Rule)
	if f.World != "" {
		text = "world " + f.World + ": " + text
	}
	return text + ": " + count(f.Matches, "request") + " of this kind"
}

// String describes the answers and how they were detached.
func (c DetachedAnswers) String() string {
	var questions []string
	for _, q := range c.Questions {
		questions = append(questions, fmt.Sprintf("%q (%s)", q.Text, q.ID))
	}
	return fmt.Sprintf("%s of survey %q (%s), %s: the survey has %s, and these questions have lost their ids: %s",
		c.Operation, c.SurveyName, c.SurveyID, requestName(c.Sequence, c.World), count(c.Responses, "response"), strings.Join(questions, ", "))
}

// SentField is a field of a request that the document does not have, by its path without the indexes
// in arrays. ReadOnly is set for one that the document has in responses.
type SentField struct {
	Path     string
	ReadOnly bool
}
