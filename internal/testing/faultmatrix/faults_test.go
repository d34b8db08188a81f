package faultmatrix

import "github.com/surveys-as-code/terraform-provider-posthog/testserver"

// ending is how the run of Terraform that meets a fault may end.
type ending string

const (
	through ending = "through" // without an error, everything done
	stopped ending = "stopped" // with an error; the next run finishes the work
)

// fault is one way for PostHog to fail, and what is expected of the provider.
type fault struct {
	name string
	rule testserver.Fault
	// once is the ending when one request fails, lasting when all of the run do: for
	// requests that may be sent again, and for creates, which may not. Empty: no such run.
	once, lasting, onceCreate, lastingCreate ending
	// gone faults delete the object that the operation is about.
	gone bool
	// edit faults change the object: there is none to change at a create.
	edit bool
	// slow faults need a clock that goes on while requests are under way.
	slow bool
	// works is set if PostHog carries out the request, even if the response is lost.
	works bool
	// isNoOp faults plan no change while they last.
	isNoOp bool
	// but are the expected endings of operations that differ. butOnce are the endings for one noun if
	// only one request fails.
	but, butOnce map[string]ending
}

// asksAgain is the ending of a create that may still be under way: PostHog refuses a
// second survey of the name, so one more request is safe.
var asksAgain = map[string]ending{"create surveys": through}

var faults = []fault{
	// A refusal is final: nothing is sent again, so one is as good as many.
	{name: "400", rule: testserver.Fault{Status: 400}, once: stopped, onceCreate: stopped},
	{name: "401", rule: testserver.Fault{Status: 401}, once: stopped, onceCreate: stopped},
	{name: "403", rule: testserver.Fault{Status: 403}, once: stopped, onceCreate: stopped},

	{
		name: "404", rule: testserver.Fault{Status: 404}, gone: true, once: stopped, onceCreate: stopped,
		but: map[string]ending{"read": through, "delete": through}, // reported, and removed from the state
	},

	// A pause is waited out, as long as the operation has time.
	{name: "429, seconds", rule: testserver.Fault{RetryAfter: "30"}, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	{name: "429, date", rule: testserver.Fault{RetryAfter: "Fri, 02 Jan 2026 03:05:05 GMT"}, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	{name: "429, text", rule: testserver.Fault{Status: 429, Body: map[string]any{
		"type": "throttled_error", "code": "throttled", "detail": "Request was throttled. Expected available in 45 seconds.", "attr": nil,
	}}, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	// Two at a time: a write follows its look at once, and one that had to wait would look again.
	{name: "throttle", rule: testserver.Fault{Throttle: &testserver.Throttle{Requests: 2, PerSeconds: 80}}, slow: true, works: true, lasting: through, lastingCreate: through},

	// What failed is sent again, a create only when it certainly was not carried out.
	{name: "500", rule: testserver.Fault{Status: 500}, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	{name: "502", rule: testserver.Fault{Status: 502, Body: "bad gateway"}, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	{name: "503", rule: testserver.Fault{Status: 503, RetryAfter: "5"}, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	{name: "504", rule: testserver.Fault{Status: 504, HTML: true}, once: through, lasting: stopped, onceCreate: stopped, lastingCreate: stopped, butOnce: asksAgain},
	{name: "delay", rule: testserver.Fault{DelayMS: 70_000}, slow: true, works: true, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	{name: "long delay", rule: testserver.Fault{DelayMS: 120_000}, slow: true, works: true, once: through, onceCreate: stopped, butOnce: asksAgain},
	{name: "drop before", rule: testserver.Fault{Drop: "before"}, once: through, lasting: stopped, onceCreate: stopped, lastingCreate: stopped, butOnce: asksAgain},

	// The work is done: the object is found.
	{name: "drop after", rule: testserver.Fault{Drop: "after"}, works: true, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	{name: "cut", rule: testserver.Fault{CutBody: new(5)}, works: true, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},

	// A page instead of the response does not show whether PostHog carried out the request.
	{name: "page", rule: testserver.Fault{HTML: true}, once: stopped, onceCreate: stopped, lastingCreate: stopped},

	// These cases don't fail: others also work, and other versions use different words for the same
	// thing.
	{name: "edit", edit: true, works: true, once: through, lasting: through},
	{name: "empty for null", rule: testserver.Fault{EmptyForNull: true}, works: true, isNoOp: true, lasting: through, lastingCreate: through},
	{name: "keys reversed", rule: testserver.Fault{ReorderKeys: true}, works: true, isNoOp: true, lasting: through, lastingCreate: through},
}

// ending returns the expected ending of an operation. It is empty if that run does not exist.
func (f fault) ending(n noun, op operation, lasting bool) ending {
	end := f.once
	switch {
	case op.name == "create" && lasting:
		end = f.lastingCreate
	case op.name == "create":
		end = f.onceCreate
	case op.name == "delete" && lasting && f.edit:
		end = stopped // a destroy looks first
	case lasting:
		end = f.lasting
	}

	if once := f.butOnce[op.name+" "+n.wire]; once != "" && !lasting {
		return once
	}
	if but := f.but[op.name]; but != "" && end != "" {
		return but
	}
	return end
}

// inject lets the fault happen to an operation: to its first request, or to all.
func (f fault) inject(c *cell, op operation, lasting bool) {
	rule := f.rule
	if f.edit {
		rule.Edit = c.edit
	}
	if !lasting {
		rule.Operation, rule.To = c.wire+"_"+op.request, 1
	}

	if f.gone && op.prepare != nil && op.name != "list" {
		c.remove(c.env, c.ids(c.env)[0])
		return
	}
	c.env.SetFaults(rule)
}
