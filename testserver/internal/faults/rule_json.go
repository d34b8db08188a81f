package faults

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Values of the key drop, which closes the connection.
const (
	Before = "before"
	After  = "after"
)

// A rule's keys.
var (
	matchers = []string{"operation", "method", "path", "from", "to"}
	effects  = []string{
		"status", "headers", "body", "retry_after", "delay_ms", "drop", "cut_body", "html",
		"throttle", "edit", "event_results", "empty_for_null", "reorder_keys",
	}
)

// Read reads a document of rules. operations are the operations that a rule may select.
func Read(document []byte, operations []api.Operation) ([]*Rule, error) {
	decoded, err := wire.Decode(document)
	if err != nil {
		return nil, fmt.Errorf("faults: not valid JSON: %w", err)
	}

	o := wire.ReadEntry("", decoded, []string{"rules"})
	o.Require("rules")
	if rules := o.Fields["rules"]; rules.IsArray() && rules.Len() > maxRules {
		return nil, errTooManyRules
	}

	var rules []*Rule
	o.List("rules", func(path string, item wire.Value) error {
		r, err := readRule(path, item, operations)
		rules = append(rules, r)
		return err
	})
	if o.Err != nil {
		return nil, fmt.Errorf("faults: %w", o.Err)
	}
	return rules, nil
}

// readRule reads one rule of the document.
func readRule(path string, value wire.Value, operations []api.Operation) (*Rule, error) {
	o := wire.ReadEntry(path, value, slices.Concat(matchers, effects))
	r := &Rule{
		document: value.JSON(), selects: Request{Operation: o.Text("operation", ""), Method: o.Text("method", ""), Path: o.Text("path", "")},
		from: o.Integer("from", 1), to: o.Integer("to", math.MaxInt64),
	}

	index := slices.IndexFunc(operations, func(op api.Operation) bool { return op.ID == r.selects.Operation })
	switch {
	case r.selects.Operation != "" && index < 0:
		o.Fail("operation", "unknown operation %q. Use one of %s", r.selects.Operation, strings.Join(Names(operations), ", "))
	case r.selects.Method != strings.ToUpper(r.selects.Method):
		o.Fail("method", "must be uppercase. Set it to %q", strings.ToUpper(r.selects.Method))
	case r.selects.Path != "" && r.selects.Path[0] != '/':
		o.Fail("path", "must begin with a slash, not %q", r.selects.Path)
	case r.from < 1:
		o.Fail("from", "must be 1 or more, not %d", r.from)
	case r.to < r.from:
		o.Fail("to", "must not be less than from, which is %d. It is %d", r.from, r.to)
	}

	r.throttle = readThrottle(o)
	r.effect = readEffect(o, r.throttle != nil)
	if index >= 0 && !r.effect.Edit.IsAbsent() {
		checkEdit(o, operations[index])
	}
	return r, o.Err
}

// Names returns the names of operations.
func Names(operations []api.Operation) []string {
	names := make([]string, len(operations))
	for i, op := range operations {
		names[i] = op.ID
	}
	return names
}

// lists are the operations that return several objects.
var lists = []string{"surveys_list", "pipeline_import_apps_list"}

// checkEdit refuses an edit in a rule for an operation without an object, because the edit would have no
// effect.
func checkEdit(o *wire.Entry, op api.Operation) {
	if !slices.Contains(lists, op.ID) && !strings.Contains(op.Path, "{id}") {
		o.Fail("edit", "%s has no object to edit: an edit applies to the object with the ID in the path, or to the newest object of %s",
			op.ID, strings.Join(lists, " and "))
	}
}

// readEdit returns a rule's merge patch, or nil if there is none.
func readEdit(o *wire.Entry) wire.Value {
	patch := o.Fields["edit"]
	switch {
	case patch.IsAbsent():
	case !patch.IsObject():
		o.Fail("edit", "must be a JSON merge patch, which is an object, not %s", wire.KindWithArticle(patch))
	case patch.Len() == 0:
		o.Fail("edit", "is empty, so it would change nothing")
	}
	return patch
}

// eventResults are the valid results of an event. eventsOperation is the operation that receives events.
var eventResults = []string{"ok", "drop", "warning", "retry"}

const eventsOperation = "sdk_capture"

// readEventResults returns a rule's event results, or nil if the rule has none.
func readEventResults(o *wire.Entry) []string {
	if !o.Has("event_results") {
		return nil
	}
	results := o.Texts("event_results")
	unknown := slices.IndexFunc(results, func(result string) bool { return !slices.Contains(eventResults, result) })
	operation := o.Text("operation", eventsOperation)
	switch {
	case unknown >= 0:
		o.Fail("event_results", "unknown result %q. Use %s, or %s", results[unknown], strings.Join(eventResults[:3], ", "), eventResults[3])
	case len(results) == 0:
		o.Fail("event_results", "is empty, so it would change nothing")
	case operation != eventsOperation:
		o.Fail("event_results", "%s does not receive events. Use %s", operation, eventsOperation)
	}
	return results
}

// longestTime is the maximum for delays and windows. It is longer than any test.
const longestTime = 365 * 24 * time.Hour

// readEffect reads a rule's effects other than its throttle. isThrottled reports whether the rule has a throttle.
func readEffect(o *wire.Entry, isThrottled bool) Effect {
	delay := o.Integer("delay_ms", 0)
	e := Effect{
		Delay: time.Duration(delay) * time.Millisecond,
		Drop:  o.Text("drop", ""),
		Cut:   int(o.Integer("cut_body", -1)),
	}

	switch {
	case delay < 0:
		o.Fail("delay_ms", "must be 0 or more, not %d", delay)
	case delay > longestTime.Milliseconds():
		o.Fail("delay_ms", "must be at most %d (one year), not %d", longestTime.Milliseconds(), delay)
	case o.Has("drop") && e.Drop != Before && e.Drop != After:
		o.Fail("drop", "must be %q or %q, not %q", Before, After, e.Drop)
	case o.Has("cut_body") && e.Cut < 0:
		o.Fail("cut_body", "must be 0 or more, not %d", e.Cut)
	}

	status := int(o.Integer("status", 0))
	if o.Has("status") && (status < 200 || status > 599) {
		o.Fail("status", "must be from 200 to 599, not %d", status)
	}

	html := o.Boolean("html", false)
	e.Response, e.HasErrorOfAPI = readResponse(o, status, html)
	e.Edit = readEdit(o)
	e.EventResults = readEventResults(o)
	e.emptyForNull, e.reorderKeys = o.Boolean("empty_for_null", false), o.Boolean("reorder_keys", false)

	// The value false is the same as a missing key.
	isSet := func(name string) bool { return o.Has(name) && !o.Fields[name].Is("false") }
	switch {
	case e.Response != nil && e.Drop != "":
		o.Fail("drop", "cannot be combined with status, retry_after, or html, which replace the response")
	case e.Response != nil && isThrottled:
		o.Fail("throttle", "cannot be combined with status, retry_after, or html, which apply to all requests")
	case e.Response != nil && !e.Edit.IsAbsent():
		o.Fail("edit", "cannot be combined with status, retry_after, or html, which prevent the operation")
	case e.Response != nil && e.EventResults != nil:
		o.Fail("event_results", "cannot be combined with status, retry_after, or html, which store no events")
	case e.Response == nil && (o.Has("headers") || o.Has("body")):
		o.Fail("", "headers and body require a status")
	case !slices.ContainsFunc(effects, isSet):
		o.Fail("", "has no effect. Set one of %s", strings.Join(effects, ", "))
	}
	return e
}

// readThrottle returns a rule's limit, or nil if there is none.
func readThrottle(o *wire.Entry) *Limiter {
	raw := o.Fields["throttle"]
	if raw.IsAbsent() {
		return nil
	}
	limit := wire.ReadEntry(o.Path+".throttle", raw, []string{"requests", "per_seconds"})
	limit.Require("requests", "per_seconds")
	requests, seconds := limit.Integer("requests", 1), limit.Integer("per_seconds", 1)
	switch {
	case requests < 1:
		limit.Fail("requests", "must be 1 or more, not %d", requests)
	case seconds < 1:
		limit.Fail("per_seconds", "must be 1 or more, not %d", seconds)
	case seconds > int64(longestTime/time.Second):
		limit.Fail("per_seconds", "must be at most %d (one year), not %d", int64(longestTime/time.Second), seconds)
	}
	if o.Err == nil {
		o.Err = limit.Err
	}
	return NewLimiter(Rate{Requests: int(requests), Per: time.Duration(seconds) * time.Second})
}
