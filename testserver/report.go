package testserver

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// RunReport is the coverage of the interface by a test run, with findings that should make
// the run fail.
type RunReport struct {
	// Requests is the number of requests to the API.
	Requests int64 `json:"requests"`
	// Operations are all operations of the document, in its order. Those that only the
	// hosted service has are included if they were called.
	Operations []OperationReport `json:"operations"`
	// UndocumentedFields are fields that were sent and that the document does not have.
	UndocumentedFields []UndocumentedField `json:"undocumented_fields"`
	// UnusedFaults are rules that never hit a request.
	UnusedFaults []UnusedFault `json:"unused_faults"`
	// CutAnswers are the writes that cut answers off, in their order.
	CutAnswers []CutAnswers `json:"cut_answers"`
	// NeverShown are surveys that apps got and showed to nobody. They are no findings: a survey
	// may be meant for others than those who took part in the run.
	NeverShown []NeverShown `json:"never_shown"`
	// OmittedFindings is the number of findings that the three lists above omit: each keeps
	// 1,000.
	OmittedFindings int64 `json:"omitted_findings,omitempty"`
}

// OperationReport is the coverage of an operation.
type OperationReport struct {
	// Operation is the operationId, Method and Path are those of the document.
	Operation string `json:"operation"`
	Method    string `json:"method"`
	Path      string `json:"path"`
	// Requests is the number of requests, including those without a response.
	Requests int64 `json:"requests"`
	// Statuses are the statuses of responses and that of success, in ascending order.
	Statuses []StatusReport `json:"statuses"`
}

// StatusReport is the number of responses with a status.
type StatusReport struct {
	// Status is 0 for requests that a fault dropped.
	Status   int   `json:"status"`
	Requests int64 `json:"requests"`
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

// NeverShown is a survey that apps got, and that nobody saw.
type NeverShown struct {
	World      string `json:"world,omitempty"`
	SurveyID   string `json:"survey_id"`
	SurveyName string `json:"survey_name"`
}

// CutAnswers is a write by which questions of a survey with responses lost their ids, so
// that the responses no longer belong to a question.
type CutAnswers struct {
	// World and Sequence identify the request in a journal, Time is its time.
	World    string    `json:"world,omitempty"`
	Sequence int64     `json:"sequence"`
	Time     time.Time `json:"time"`
	// Operation is the operationId.
	Operation  string `json:"operation"`
	SurveyID   string `json:"survey_id"`
	SurveyName string `json:"survey_name"`
	// Questions are the questions that lost their ids, Responses is the number of responses
	// to the survey.
	Questions []CutQuestion `json:"questions"`
	Responses int64         `json:"responses"`
}

// CutQuestion is a question as it was before its id was lost.
type CutQuestion struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Report returns the coverage of the interface since the start, in all worlds; that of a
// world covers the world alone.
func (s *Server) Report() *RunReport {
	sum := &collector{}
	sum.addServer(s)
	return sum.report()
}

// addServer adds the data of a server with its worlds and its active rules.
func (c *collector) addServer(s *Server) {
	c.add(&s.collector)
	c.replaced(s.Faults(), s.world.name)
	if s.worlds == nil {
		return
	}
	for _, world := range *s.worlds.byName.Load() {
		c.addServer(world)
	}
}

// report converts the collected data to a report.
func (c *collector) report() *RunReport {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := &RunReport{
		Requests: c.requests, OmittedFindings: c.omitted,
		UndocumentedFields: []UndocumentedField{}, UnusedFaults: append([]UnusedFault{}, c.unused...), CutAnswers: append([]CutAnswers{}, c.cuts...),
	}

	for _, op := range api.AllOperations() {
		reached := OperationReport{Operation: op.ID, Method: op.Method, Path: op.Path, Statuses: []StatusReport{}}
		for status, count := range c.reached {
			if status.operation == op.ID {
				reached.Requests += count
				reached.Statuses = append(reached.Statuses, StatusReport{status.status, count})
			}
		}
		if op.Neighbour && reached.Requests == 0 {
			continue
		}
		if c.reached[reachedStatus{op.ID, op.Status}] == 0 {
			reached.Statuses = append(reached.Statuses, StatusReport{Status: op.Status})
		}
		slices.SortFunc(reached.Statuses, func(a, b StatusReport) int { return a.Status - b.Status })
		r.Operations = append(r.Operations, reached)
	}

	r.NeverShown = c.neverShown()
	for field, sent := range c.fields {
		r.UndocumentedFields = append(r.UndocumentedFields, UndocumentedField{
			Operation: field.operation, Path: field.path, Times: sent.times, World: sent.world, Sequence: sent.sequence,
			ReadOnly: isReadOnly(api.ResponseShape(field.operation), field.path),
		})
	}
	slices.SortFunc(r.UndocumentedFields, func(a, b UndocumentedField) int {
		return strings.Compare(a.Operation+" "+a.Path, b.Operation+" "+b.Path)
	})
	slices.SortFunc(r.UnusedFaults, func(a, b UnusedFault) int {
		return strings.Compare(a.World+" "+string(a.Rule), b.World+" "+string(b.Rule))
	})
	slices.SortStableFunc(r.CutAnswers, func(a, b CutAnswers) int {
		if order := a.Time.Compare(b.Time); order != 0 {
			return order
		}
		return strings.Compare(a.World, b.World)
	})
	return r
}
