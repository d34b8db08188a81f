// Package faults reads fault rules, selects the rules that apply to a request, and changes the response accordingly.
// It compares operations only by name and does not serve requests. Its limiters use the caller's clock. Both the
// rules and the API keys' rate limits use them.
package faults

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Request contains the properties of a request that rules can select.
type Request struct {
	Operation, Method, Path string
	// HasEventResults reports whether the response contains a result for each event.
	HasEventResults bool
}

// Rule is a checked rule with its counters.
type Rule struct {
	selects                 Request
	from, to, matches, hits int64
	// number identifies the rule within its world.
	number int64
	// document is the rule as the client sent it.
	document json.RawMessage
	// throttle limits the requests. It is nil if the rule has no limit.
	throttle *Limiter
	effect   Effect
}

// State is an active rule with its counters.
type State struct {
	// Rule is the rule as the client sent it.
	Rule json.RawMessage `json:"rule"`
	// Matches is the number of requests that the rule selected. Hits is the number of these requests
	// that the rule affected.
	Matches int64 `json:"matches"`
	Hits    int64 `json:"hits"`
	// Number identifies the rule within its world.
	Number int64 `json:"-"`
}

// Effect is the combined effect of all matching rules on one request.
type Effect struct {
	Delay time.Duration
	// Drop is [Before] or [After], which is when the connection closes, or empty.
	Drop string
	// Cut is the number of bytes of the response body to send. A negative value sends the whole body.
	Cut int
	// Response is the fault's response to a request that the server does not process. It is nil if the server
	// processes the request. Throttled is the time that the client must wait if a rule refuses the request with
	// status 429.
	Response  *wire.Response
	Throttled time.Duration
	// HasErrorOfAPI reports whether Response contains the API's error for its status.
	HasErrorOfAPI bool
	// EventResults are the results of the events in the request. The last result applies to all remaining events. nil
	// leaves the results unchanged.
	EventResults []string
	// Edit is a merge patch to apply before the request is processed. It is absent if there is none.
	Edit wire.Value
	// emptyForNull and reorderKeys change the complete response. See [Effect.Mangle].
	emptyForNull, reorderKeys bool
	// Rules are the rules that contribute to the effect, as the client sent them.
	Rules []json.RawMessage
}

// ChangesResponse reports whether the faults change the response.
func (e Effect) ChangesResponse() bool {
	return e.replacesWork() || !e.Edit.IsAbsent() || e.EventResults != nil || e.emptyForNull || e.reorderKeys || e.Cut >= 0
}

func (e Effect) replacesWork() bool { return e.Response != nil || e.Throttled > 0 }

// maxRules is the maximum number of active rules. Each request is compared with all of them.
const maxRules = 1000

var errTooManyRules = fmt.Errorf("faults: there can be at most %d rules", maxRules)

// Active are the active rules.
type Active struct {
	mu    sync.Mutex
	rules []*Rule
	// added counts all rules that were ever added. It is the source of rule numbers.
	added int64
}

// Set replaces the rules, and returns the previous rules with their counters.
func (a *Active) Set(rules []*Rule) []State {
	a.mu.Lock()
	defer a.mu.Unlock()
	previous := listStates(a.rules)
	a.rules = nil
	a.add(rules)
	return previous
}

// Add appends rules.
func (a *Active) Add(rules []*Rule) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.rules)+len(rules) > maxRules {
		return errTooManyRules
	}
	a.add(rules)
	return nil
}

func (a *Active) add(rules []*Rule) {
	for _, r := range rules {
		a.added++
		r.number = a.added
	}
	a.rules = slices.Concat(a.rules, rules)
}

// Remove removes the rule with the given number, and returns it with its counters.
func (a *Active) Remove(number int64) []State {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.rules, func(r *Rule) bool { return r.number == number })
	if i < 0 {
		return nil
	}
	removed := listStates(a.rules[i : i+1])
	a.rules = slices.Delete(slices.Clone(a.rules), i, i+1)
	return removed
}

// States returns the active rules in their order.
func (a *Active) States() []State {
	a.mu.Lock()
	defer a.mu.Unlock()
	return listStates(a.rules)
}

func listStates(rules []*Rule) []State {
	states := make([]State, len(rules))
	for i, r := range rules {
		states[i] = State{Rule: r.document, Matches: r.matches, Hits: r.hits, Number: r.number}
	}
	return states
}

// Hit counts a request that arrives at now, and returns the combined effect of all matching rules.
func (a *Active) Hit(request Request, now time.Time) Effect {
	a.mu.Lock()
	defer a.mu.Unlock()
	sum := Effect{Cut: -1}
	for _, r := range a.rules {
		if !r.matchesRequest(request) {
			continue
		}
		r.matches++
		if r.matches < r.from || r.matches > r.to {
			continue
		}

		effect := r.effect
		if r.throttle != nil {
			effect.Throttled = r.throttle.Wait(now)
		}
		if r.throttle == nil || effect.Throttled > 0 {
			r.hits++
			sum.Rules = append(sum.Rules, r.document)
		}
		sum.add(effect)
	}
	return sum
}

// add adds the effect of another rule. Delays add up. Every other effect comes from the first rule that sets it.
func (e *Effect) add(next Effect) {
	e.Delay += next.Delay
	if e.Drop == "" {
		e.Drop = next.Drop
	}
	if e.Cut < 0 {
		e.Cut = next.Cut
	}
	if !e.replacesWork() {
		e.Response, e.HasErrorOfAPI, e.Throttled = next.Response, next.HasErrorOfAPI, next.Throttled
	}
	if e.EventResults == nil {
		e.EventResults = next.EventResults
	}
	if e.Edit.IsAbsent() {
		e.Edit = next.Edit
	}
	e.emptyForNull = e.emptyForNull || next.emptyForNull
	e.reorderKeys = e.reorderKeys || next.reorderKeys
}

func (r *Rule) matchesRequest(request Request) bool {
	if r.effect.EventResults != nil && !request.HasEventResults {
		return false
	}
	return (r.selects.Operation == "" || r.selects.Operation == request.Operation) &&
		(r.selects.Method == "" || r.selects.Method == request.Method) && (r.selects.Path == "" || r.selects.Path == request.Path)
}

// Mangle applies emptyForNull and reorderKeys to a complete JSON response. texts are the names of the
// object's text fields. Mangle returns other bodies unchanged.
func (e Effect) Mangle(body []byte, texts []string) []byte {
	if !e.emptyForNull && !e.reorderKeys || len(body) == 0 {
		return body
	}
	mangled, err := wire.Decode(body)
	if err != nil {
		return body
	}
	if e.emptyForNull {
		mangled = withEmptyTexts(mangled, texts)
	}
	if e.reorderKeys {
		mangled = reverseKeys(mangled)
	}
	return mangled.JSON()
}

// withEmptyTexts replaces null with "" in the named members of an object, or of the objects in a list response. It
// keeps numbers and the order of members unchanged.
func withEmptyTexts(value wire.Value, names []string) wire.Value {
	if !value.IsObject() {
		return value
	}
	p := value.Members()
	for i, m := range p {
		switch {
		case m.Value.IsNull() && slices.Contains(names, m.Name):
			p[i].Value = wire.NewText("")
		case m.Name == "results" && m.Value.IsArray():
			p[i].Value = wire.MapItems(m.Value, func(item wire.Value) wire.Value { return withEmptyTexts(item, names) })
		}
	}
	return wire.NewObject(p...)
}

// reverseKeys reverses the order of keys in all objects of a value. It keeps the bytes of strings and
// numbers, and the order of lists.
func reverseKeys(value wire.Value) wire.Value {
	switch {
	case value.IsObject():
		p := value.Members()
		slices.Reverse(p)
		for i := range p {
			p[i].Value = reverseKeys(p[i].Value)
		}
		return wire.NewObject(p...)
	case value.IsArray():
		return wire.MapItems(value, reverseKeys)
	}
	return value
}
