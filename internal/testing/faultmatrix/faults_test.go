package faultmatrix

import "github.com/surveys-as-code/terraform-provider-posthog/testserver"

// ending is how a Terraform run with a fault may end.
type ending string

const (
	through ending = "through" // without an error; all work is done
	stopped ending = "stopped" // with an error; the next run finishes the work
)

// fault is a PostHog failure and the provider's expected reaction.
type fault struct {
	name string
	rule testserver.Fault
	// once is the ending if one request fails, and lasting is the ending if all requests of the run fail.
	// onceCreate and lastingCreate are the endings of creates, which the provider must not repeat. An empty
	// ending means that there is no such run.
	once, lasting, onceCreate, lastingCreate ending
	// gone is true for faults that delete the operation's object.
	gone bool
	// edit is true for faults that edit the object. They don't apply to a create, because the object does not exist
	// yet.
	edit bool
	// slow is true for faults that need a clock that advances during requests.
	slow bool
	// works is true if PostHog carries out the request, even if the response is lost.
	works bool
	// isNoOp is true if the fault causes an empty plan while it lasts.
	isNoOp bool
	// but contains different endings of certain operations. butOnce contains different endings of certain nouns if
	// only one request fails.
	but, butOnce map[string]ending
}

// asksAgain is the ending of a create that PostHog may still be carrying out. PostHog refuses a second survey
// with the same name, so another request is safe.
var asksAgain = map[string]ending{"create surveys": through}

var faults = []fault{
	// A refusal is final. The provider sends the request only once, so one refusal has the same effect as many.
	{name: "400", rule: testserver.Fault{Status: 400}, once: stopped, onceCreate: stopped},
	{name: "401", rule: testserver.Fault{Status: 401}, once: stopped, onceCreate: stopped},
	{name: "403", rule: testserver.Fault{Status: 403}, once: stopped, onceCreate: stopped},

	{
		name: "404", rule: testserver.Fault{Status: 404}, gone: true, once: stopped, onceCreate: stopped,
		but: map[string]ending{"read": through, "delete": through}, // reported and removed from the state
	},

	// The provider waits for the requested time, as long as the operation's timeout allows.
	{name: "429, seconds", rule: testserver.Fault{RetryAfter: "30"}, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	{name: "429, date", rule: testserver.Fault{RetryAfter: "Fri, 02 Jan 2026 03:05:05 GMT"}, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	{name: "429, text", rule: testserver.Fault{Status: 429, Body: map[string]any{
		"type": "throttled_error", "code": "throttled", "detail": "Request was throttled. Expected available in 45 seconds.", "attr": nil,
	}}, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	// The throttle allows two requests, because a write follows its read directly. A delayed write would read again.
	{name: "throttle", rule: testserver.Fault{Throttle: &testserver.Throttle{Requests: 2, PerSeconds: 80}}, slow: true, works: true, lasting: through, lastingCreate: through},

	// The provider repeats failed requests. It repeats a create only if PostHog certainly did not carry it out.
	{name: "500", rule: testserver.Fault{Status: 500}, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	{name: "502", rule: testserver.Fault{Status: 502, Body: "bad gateway"}, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	{name: "503", rule: testserver.Fault{Status: 503, RetryAfter: "5"}, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	{name: "504", rule: testserver.Fault{Status: 504, HTML: true}, once: through, lasting: stopped, onceCreate: stopped, lastingCreate: stopped, butOnce: asksAgain},
	{name: "delay", rule: testserver.Fault{DelayMS: 70_000}, slow: true, works: true, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	{name: "long delay", rule: testserver.Fault{DelayMS: 120_000}, slow: true, works: true, once: through, onceCreate: stopped, butOnce: asksAgain},
	{name: "drop before", rule: testserver.Fault{Drop: "before"}, once: through, lasting: stopped, onceCreate: stopped, lastingCreate: stopped, butOnce: asksAgain},

	// PostHog carried out the request, and the provider finds the object.
	{name: "drop after", rule: testserver.Fault{Drop: "after"}, works: true, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},
	{name: "cut", rule: testserver.Fault{CutBody: new(5)}, works: true, once: through, lasting: stopped, onceCreate: through, lastingCreate: stopped},

	// A web page instead of the response does not show whether PostHog carried out the request.
	{name: "page", rule: testserver.Fault{HTML: true}, once: stopped, onceCreate: stopped, lastingCreate: stopped},

	// These cases don't fail: they stand for concurrent edits, and for other versions of PostHog with a different
	// JSON encoding.
	{name: "edit", edit: true, works: true, once: through, lasting: through},
	{name: "empty for null", rule: testserver.Fault{EmptyForNull: true}, works: true, isNoOp: true, lasting: through, lastingCreate: through},
	{name: "keys reversed", rule: testserver.Fault{ReorderKeys: true}, works: true, isNoOp: true, lasting: through, lastingCreate: through},
}

// ending returns the expected ending of an operation, or "" if there is no such run.
func (f fault) ending(n noun, op operation, lasting bool) ending {
	end := f.once
	switch {
	case op.name == "create" && lasting:
		end = f.lastingCreate
	case op.name == "create":
		end = f.onceCreate
	case op.name == "delete" && lasting && f.edit:
		end = stopped // a destroy reads first
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

// inject applies the fault to the first request of an operation, or to all requests.
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
