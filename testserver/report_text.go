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

// String formats the report as text: what is wrong first, then what was reached.
//
// Control characters are escaped, since it is read in terminals.
func (r *RunReport) String() string {
	var b strings.Builder
	if found := r.Findings() + int(r.OmittedFindings); found > 0 {
		fmt.Fprintf(&b, "%s\n", counted(int64(found), "problem"))
	}
	section(&b, "answers cut off", r.CutAnswers, CutAnswers.String)
	section(&b, "undocumented fields", r.UndocumentedFields, UndocumentedField.String)
	section(&b, "faults that never hit", r.UnusedFaults, UnusedFault.String)
	if r.OmittedFindings > 0 {
		fmt.Fprintf(&b, "\n%d more problems are left out\n", r.OmittedFindings)
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}

	reached, all := r.Reached()
	fmt.Fprintf(&b, "%s reached %d of %d operations [%s]\n", counted(r.Requests, "request"), reached, all, progressBar(reached, all))
	for _, op := range r.Operations {
		if op.Requests > 0 {
			fmt.Fprintf(&b, "  %-*s %s\n", nameWidth, op.Operation, op.statuses())
		}
	}
	r.writeMissed(&b)
	section(&b, "surveys that apps got and nobody saw", r.NeverShown, NeverShown.String)
	return b.String()
}

// counted is a number with its noun.
func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// progressBar draws a part of a whole.
func progressBar(part, whole int) string {
	const width = 21
	filled := part * width / max(whole, 1)
	return strings.Repeat("#", filled) + strings.Repeat(".", width-filled)
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

// missedOperations are operations below a path that were not called.
type missedOperations struct {
	below string
	names []string
}

// notReached are the operations that were not called, by the collection that they belong to.
func (r *RunReport) notReached() []missedOperations {
	var missed []missedOperations
	for _, op := range r.Operations {
		if op.Requests > 0 {
			continue
		}
		below, rest, _ := strings.Cut(op.Path, "_id}/")
		collection, _, _ := strings.Cut(rest, "/")
		below += "_id}/" + collection + "/"
		if last := len(missed) - 1; last < 0 || missed[last].below != below {
			missed = append(missed, missedOperations{below: below})
		}
		last := &missed[len(missed)-1]
		last.names = append(last.names, strings.TrimPrefix(op.Operation, collection+"_"))
	}
	return missed
}

// writeMissed writes the operations that were not called, without what their names share.
func (r *RunReport) writeMissed(b *strings.Builder) {
	for i, missed := range r.notReached() {
		if i == 0 {
			b.WriteString("\nnot reached\n")
		}
		fmt.Fprintf(b, "  %d of %s: %s\n", len(missed.names), missed.below, strings.Join(missed.names, ", "))
	}
}

// isNeighbour reports whether the operation is outside of the documented interface.
func (o OperationReport) isNeighbour() bool {
	op, _ := operationNamed(o.Operation)
	return op.Neighbour
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
	text := fmt.Sprintf("%s: %s, sent %s, first by %s", f.Operation, f.Path, times(f.Times), requestName(f.Sequence, f.World))
	if f.ReadOnly {
		text += "; the document has it in responses: it is read only"
	}
	return text
}

// requestName is how a reader finds a request in the journal.
func requestName(sequence int64, world string) string {
	if world == "" {
		return fmt.Sprintf("request %d", sequence)
	}
	return fmt.Sprintf("request %d of world %s", sequence, world)
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
	return fmt.Sprintf("%s of survey %q (%s), %s: the survey has %s, and these questions have lost their ids: %s",
		c.Operation, c.SurveyName, c.SurveyID, requestName(c.Sequence, c.World), counted(c.Responses, "response"), strings.Join(questions, ", "))
}

// getReport responds with the report as text, JSON or JUnit XML.
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
