package testserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/page"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// Fault is a rule by which the server misbehaves. The first fields select requests, all of
// them if they are empty; the others are the effects.
//
// Several rules may apply to a request: their delays add up, and each other effect comes
// from the first rule that has it.
type Fault struct {
	// Operation is an operationId, for example surveys_create.
	Operation string `json:"operation,omitempty"`
	// Method is an HTTP method, Path the exact path of the request.
	Method string `json:"method,omitempty"`
	Path   string `json:"path,omitempty"`
	// From and To select a range of the matching requests, counted from 1 since the rules
	// were set; 0 leaves that side open.
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`

	// Status is the response in place of the work, with Headers and Body: a string is sent as
	// it is, anything else as JSON. Without Body the service's error for the status is
	// sent.
	Status  int               `json:"status,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    any               `json:"body,omitempty"`
	// RetryAfter is sent as the Retry-After header, seconds or a date, with Status
	// or else with 429. In a document, seconds may also be a number.
	RetryAfter string `json:"retry_after,omitempty"`
	// DelayMS is a delay before everything else, in milliseconds. If the client has gone by
	// then, the work is still done, like by a service that does not notice.
	DelayMS int `json:"delay_ms,omitempty"`
	// Drop closes the connection without a response, "before" or "after" the work is
	// done.
	Drop string `json:"drop,omitempty"`
	// CutBody closes the connection after that many bytes of the response's body.
	CutBody *int `json:"cut_body,omitempty"`
	// HTML responds with a web page, like a proxy or a login page in between; with Status,
	// or else with 200.
	HTML bool `json:"html,omitempty"`
	// Throttle responds with 429 in place of the work if more of the selected requests come than
	// it allows, whatever their key. The wait is in the error's text alone, as in the
	// hosted service, and measured by the server's clock.
	Throttle *Throttle `json:"throttle,omitempty"`
	// Edit is a JSON merge patch (RFC 7396) that is applied right before the work, as if
	// somebody else had made it with [Server.PatchSurvey] or [Server.PatchApp]: to the
	// object with the id in the path, or to the newest one when the request lists objects.
	// Requests without an existing object are served without it.
	Edit Object `json:"edit,omitempty"`
	// EmptyForNull sends "" for null, like a service that stores a missing text as an empty
	// one: in the text fields of surveys and apps, but not in dates, ids and enumerations,
	// which have no empty value, and not inside of JSON.
	EmptyForNull bool `json:"empty_for_null,omitempty"`
	// ReorderKeys sends every object of the response with its keys in reverse order.
	ReorderKeys bool `json:"reorder_keys,omitempty"`
}

// Throttle allows a number of requests in any window of a number of seconds.
type Throttle struct {
	Requests   int `json:"requests"`
	PerSeconds int `json:"per_seconds"`
}

const (
	dropBefore = "before"
	dropAfter  = "after"
)

// The keys of a rule.
var (
	faultMatchers = []string{"operation", "method", "path", "from", "to"}
	faultEffects  = []string{
		"status", "headers", "body", "retry_after", "delay_ms", "drop", "cut_body", "html",
		"throttle", "edit", "empty_for_null", "reorder_keys",
	}
)

// maxRules is the number of rules that can be active: each request is held against all.
const maxRules = 1000

var errTooManyRules = fmt.Errorf("faults: there can be at most %d rules", maxRules)

// SetFaults replaces the rules; without any the server behaves normally.
func (s *Server) SetFaults(rules ...Fault) error {
	if rules == nil {
		rules = []Fault{}
	}
	document, err := rawjson.Marshal(map[string]any{"rules": rules})
	if err != nil {
		return fmt.Errorf("faults: %w", err)
	}
	return s.replaceFaults(document)
}

// replaceFaults replaces the rules by those of a document, unless it is invalid.
func (s *Server) replaceFaults(document []byte) error {
	rules, err := readRules(document)
	if err != nil {
		return err
	}
	s.collector.replaced(s.faults.set(rules), s.world.name)
	return nil
}

// readRules reads the rules of a document.
func readRules(document []byte) ([]*rule, error) {
	if err := checkLimits(document); err != nil {
		return nil, fmt.Errorf("faults: %w", err)
	}

	var packed bytes.Buffer
	if err := json.Compact(&packed, document); err != nil {
		return nil, fmt.Errorf("faults: not valid JSON: %w", err)
	}

	o := strictjson.Read("", packed.Bytes(), []string{"rules"})
	o.Require("rules")
	if rules := o.Fields["rules"]; rawjson.IsArray(rules) && len(rawjson.List(rules)) > maxRules {
		return nil, errTooManyRules
	}

	var rules []*rule
	o.List("rules", func(path string, item json.RawMessage) error {
		r, err := readRule(path, item)
		rules = append(rules, r)
		return err
	})
	if o.Err != nil {
		return nil, fmt.Errorf("faults: %w", o.Err)
	}
	return rules, nil
}

// readRule reads one rule of the document.
func readRule(path string, raw json.RawMessage) (*rule, error) {
	o := strictjson.Read(path, raw, slices.Concat(faultMatchers, faultEffects))
	r := &rule{
		document: raw, operation: o.Text("operation", ""), method: o.Text("method", ""), path: o.Text("path", ""),
		from: o.Integer("from", 1), to: o.Integer("to", math.MaxInt64),
	}

	exists := slices.Contains(operationNames(), r.operation)
	switch {
	case r.operation != "" && !exists:
		o.Fail("operation", "there is no operation %q; there are %s", r.operation, strings.Join(operationNames(), ", "))
	case r.method != strings.ToUpper(r.method):
		o.Fail("method", "must be in capitals, is %q", r.method)
	case r.path != "" && r.path[0] != '/':
		o.Fail("path", "must begin with a slash, is %q", r.path)
	case r.from < 1:
		o.Fail("from", "is counted from 1, is %d", r.from)
	case r.to < r.from:
		o.Fail("to", "must not be below from, is %d", r.to)
	}

	r.effect, r.words = readEffect(o), page.InWords(raw)
	return r, o.Err
}

// operationNamed finds an operation of the document.
func operationNamed(id string) (api.Operation, bool) {
	for _, op := range api.AllOperations() {
		if op.ID == id {
			return op, true
		}
	}
	return api.Operation{}, false
}

func operationNames() []string {
	var names []string
	for _, op := range api.AllOperations() {
		names = append(names, op.ID)
	}
	return append(names, deliveryOperations...)
}
