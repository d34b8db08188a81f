package record

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// RunReport lists the problems of a test run. See [RunReport.Findings].
type RunReport struct {
	// Requests is the number of requests to the API.
	Requests int64 `json:"requests"`
	// UndocumentedFields are request fields that the OpenAPI document does not contain.
	UndocumentedFields []UndocumentedField `json:"undocumented_fields"`
	// UnusedFaults are rules that never affected a request.
	UnusedFaults []UnusedFault `json:"unused_faults"`
	// DetachedAnswers are the writes that detached answers, in their order.
	DetachedAnswers []DetachedAnswers `json:"detached_answers"`
	// SurveyEvents are "survey sent" events that lose an answer, or after which the person is asked
	// again.
	SurveyEvents []SurveyEvent `json:"survey_events"`
	// NeverShown are surveys that apps received but did not show. They don't count as findings, because
	// a survey can be for other persons than those in the test run.
	NeverShown []NeverShown `json:"never_shown"`
	// HidesAll are surveys on which posthog-js throws an error, so that the app shows no surveys.
	HidesAll []HidesAll `json:"hides_all"`
}

// UndocumentedField is a request field that the OpenAPI document does not contain.
type UndocumentedField struct {
	// Operation is the operationId. Path is the path of the field, such as questions[].color.
	Operation string `json:"operation"`
	Path      string `json:"path"`
	// Times is the number of times that clients sent the field.
	Times int64 `json:"times"`
	// World and Sequence identify the first request with this field in a journal.
	World    string `json:"world,omitempty"`
	Sequence int64  `json:"sequence"`
	// ReadOnly reports whether the document contains the field in responses.
	ReadOnly bool `json:"read_only,omitempty"`
}

// UnusedFault is a rule that never affected a request.
type UnusedFault struct {
	// Rule is the rule as the client set it.
	Rule json.RawMessage `json:"rule"`
	// Matches is the number of requests that the rule selects. All of them are outside its range from
	// From to To.
	Matches int64 `json:"matches"`
	// World is the world to which the rule belongs. It is empty for the server itself.
	World string `json:"world,omitempty"`
}

// NeverShown is a survey that apps received and that no one saw.
type NeverShown struct {
	World      string `json:"world,omitempty"`
	SurveyID   string `json:"survey_id"`
	SurveyName string `json:"survey_name"`
}

// SurveyEvent is a kind of "survey sent" event that PostHog accepts, but that does not have the effect
// that an app expects.
type SurveyEvent struct {
	// World and Sequence identify the first request with such an event in a journal.
	World    string `json:"world,omitempty"`
	Sequence int64  `json:"sequence"`
	// SurveyID is the events' $survey_id. Problem describes what is wrong with them.
	SurveyID string `json:"survey_id"`
	Problem  string `json:"problem"`
	// IsLost reports whether no survey contains the answers. Otherwise, PostHog offers the survey to its
	// respondents again.
	IsLost bool `json:"is_lost"`
	// Times is the number of events.
	Times int64 `json:"times"`
}

// HidesAll is a survey that apps received and that hides all surveys.
type HidesAll struct {
	World      string `json:"world,omitempty"`
	SurveyID   string `json:"survey_id"`
	SurveyName string `json:"survey_name"`
	// Reason describes the error that posthog-js throws.
	Reason string `json:"reason"`
}

// DetachedAnswers is a write that removed or replaced question IDs of a survey with responses, so that
// the responses no longer belong to a question.
type DetachedAnswers struct {
	// World and Sequence identify the request in a journal. Time is the request's time.
	World    string    `json:"world,omitempty"`
	Sequence int64     `json:"sequence"`
	Time     time.Time `json:"time"`
	// Operation is the operationId.
	Operation  string `json:"operation"`
	SurveyID   string `json:"survey_id"`
	SurveyName string `json:"survey_name"`
	// Questions are the questions whose IDs the write removed. Responses is the number of the survey's
	// responses.
	Questions []CutQuestion `json:"questions"`
	Responses int64         `json:"responses"`
}

// CutQuestion is a question before the write removed its ID.
type CutQuestion struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Findings returns the number of findings: undocumented fields, unused faults, detached answers, lost
// answers, and surveys that hide all surveys.
func (r *RunReport) Findings() int {
	findings := len(r.UndocumentedFields) + len(r.UnusedFaults) + len(r.DetachedAnswers) + len(r.HidesAll)
	for _, e := range r.SurveyEvents {
		if e.IsLost {
			findings++
		}
	}
	return findings
}

// String formats the report as text. It escapes control characters, because users read the report in
// terminals.
func (r *RunReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s\n", count(int64(r.Findings()), "problem"), count(r.Requests, "request"))
	section(&b, "detached answers", r.DetachedAnswers)
	section(&b, `"survey sent" events with a problem`, r.SurveyEvents)
	section(&b, "undocumented fields", r.UndocumentedFields)
	section(&b, "faults that never took effect", r.UnusedFaults)
	section(&b, "surveys that hide all surveys", r.HidesAll)
	section(&b, "surveys that apps received and did not show", r.NeverShown)
	return b.String()
}

// count formats a number followed by the noun.
func count(n int64, noun string) string {
	switch n {
	case 0:
		return "no " + noun + "s"
	case 1:
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// section writes a heading and a list, unless the list is empty.
func section[T fmt.Stringer](b *strings.Builder, heading string, items []T) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s: %d\n", heading, len(items))
	for _, item := range items {
		fmt.Fprintf(b, "  %s\n", escape.Terminal(item.String()))
	}
}

// String formats the survey and the reason.
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
		text += "; the document contains it only in responses: it is read-only"
	}
	return text
}

// requestName identifies a request for readers who look for it in the journal.
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

// String describes the detached answers and the write.
func (c DetachedAnswers) String() string {
	var questions []string
	for _, q := range c.Questions {
		questions = append(questions, fmt.Sprintf("%q (%s)", q.Text, q.ID))
	}
	return fmt.Sprintf("%s of survey %q (%s), %s: the survey has %s, and these questions lost their IDs: %s",
		c.Operation, c.SurveyName, c.SurveyID, requestName(c.Sequence, c.World), count(c.Responses, "response"), strings.Join(questions, ", "))
}

// SentField is a request field that the OpenAPI document does not contain. Path omits array indexes.
// ReadOnly reports whether the document contains the field in responses.
type SentField struct {
	Path     string
	ReadOnly bool
}
