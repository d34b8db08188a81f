package testserver

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

// nameWidth is the width of the longest operationId.
const nameWidth = 58

// Reached is the number of operations of the interface that were called, All the number of
// all.
func (r *RunReport) Reached() (reached, all int) {
	for _, op := range r.Operations {
		if op.isNeighbour() {
			continue
		}
		all++
		if op.Requests > 0 {
			reached++
		}
	}
	return reached, all
}

// Findings is the number of findings: undocumented fields, faults that never had an effect,
// answers that were cut off.
func (r *RunReport) Findings() int {
	return len(r.UndocumentedFields) + len(r.UnusedFaults) + len(r.CutAnswers)
}

// String formats the report as text.
//
// Control characters are escaped, since it is read in terminals.
func (r *RunReport) String() string {
	var b strings.Builder
	reached, all := r.Reached()
	requests := "1 request"
	if r.Requests != 1 {
		requests = fmt.Sprintf("%d requests", r.Requests)
	}
	fmt.Fprintf(&b, "%s reached %d of %d operations\n", requests, reached, all)
	for _, op := range r.Operations {
		if op.Requests > 0 {
			fmt.Fprintf(&b, "  %-*s %s\n", nameWidth, op.Operation, op.statuses())
		}
	}

	section(&b, "not reached", r.notReached(), OperationReport.String)
	section(&b, "undocumented fields", r.UndocumentedFields, UndocumentedField.String)
	section(&b, "faults that never hit", r.UnusedFaults, UnusedFault.String)
	section(&b, "answers cut off", r.CutAnswers, CutAnswers.String)
	if r.OmittedFindings > 0 {
		fmt.Fprintf(&b, "\n%d more findings are left out\n", r.OmittedFindings)
	}
	return b.String()
}

// section writes a list under a heading, unless it is empty.
func section[T any](b *strings.Builder, heading string, items []T, text func(T) string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s: %d\n", heading, len(items))
	for _, item := range items {
		fmt.Fprintf(b, "  %s\n", escape.Terminal(text(item)))
	}
}

func (r *RunReport) notReached() []OperationReport {
	var missed []OperationReport
	for _, op := range r.Operations {
		if op.Requests == 0 {
			missed = append(missed, op)
		}
	}
	return missed
}

// isNeighbour reports whether the operation is outside of the documented interface.
func (o OperationReport) isNeighbour() bool {
	op, _ := operationNamed(o.Operation)
	return op.Neighbour
}

// String formats the operation as a request.
func (o OperationReport) String() string {
	return fmt.Sprintf("%-*s %s %s", nameWidth, o.Operation, o.Method, o.Path)
}

// statuses lists the statuses: "201 3 times, 400 once".
func (o OperationReport) statuses() string {
	var counts []string
	for _, s := range o.Statuses {
		name := fmt.Sprint(s.Status)
		if s.Status == 0 {
			name = "no answer"
		}
		counts = append(counts, name+" "+times(s.Requests))
	}
	return strings.Join(counts, ", ")
}

func times(n int64) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// String formats the field.
func (f UndocumentedField) String() string {
	return fmt.Sprintf("%s: %s, sent %s", f.Operation, f.Path, times(f.Times))
}

// String formats the rule.
func (f UnusedFault) String() string {
	text := string(f.Rule)
	if f.World != "" {
		text = "world " + f.World + ": " + text
	}
	switch f.Matches {
	case 0:
		return text + ": no request was of this kind"
	case 1:
		return text + ": one request was of this kind"
	}
	return fmt.Sprintf("%s: %d requests were of this kind", text, f.Matches)
}

// String describes the answers and how they were cut off.
func (c CutAnswers) String() string {
	var questions []string
	for _, q := range c.Questions {
		questions = append(questions, fmt.Sprintf("%q (%s)", q.Text, q.ID))
	}
	where := fmt.Sprintf("request %d", c.Sequence)
	if c.World != "" {
		where += " of world " + c.World
	}
	responses := fmt.Sprintf("%d responses", c.Responses)
	if c.Responses == 1 {
		responses = "1 response"
	}
	return fmt.Sprintf("%s of survey %q (%s), %s: the survey has %s, and these questions have lost their ids: %s",
		c.Operation, c.SurveyName, c.SurveyID, where, responses, strings.Join(questions, ", "))
}

// getReport answers with the report as text, JSON or JUnit XML.
func (c control) getReport(w http.ResponseWriter, r *http.Request) {
	report := c.server.Report()
	var body []byte
	var err error
	switch format := r.URL.Query().Get("format"); format {
	case "", "text":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		body = []byte(report.String())
	case "json":
		w.Header().Set("Content-Type", jsonContent[0])
		body, err = report.JSON()
	case "junit":
		w.Header().Set("Content-Type", "application/xml; charset=utf-8")
		body, err = report.JUnit()
	default:
		writeFailure(w, field.BadRequest("invalid_input", fmt.Sprintf("report: format is text, json or junit, is %q", format)))
		return
	}
	if err != nil {
		panic(fmt.Sprintf("testserver: a report of its own cannot be written: %v", err))
	}
	// If this fails the client has gone, and there is no one to report it to.
	_, _ = w.Write(body)
}
