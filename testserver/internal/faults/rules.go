// Package faults reads fault rules, selects the rules that apply to a request, and changes the response
// accordingly. It compares operations only by name, and doesn't serve requests: the server does. Its
// limits count requests by the caller's clock, both for rules and for the rate limit of an API key.
package faults

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Request is what rules know of a request.
type Request struct {
	Operation, Method, Path string
	// HasEventResults is set when the response has a result for each event.
	HasEventResults bool
}

// Rule is a checked rule with its counters.
type Rule struct {
	selects                 Request
	from, to, matches, hits int64
	// number identifies the rule within its world.
	number int64
	// document is the rule as it was set.
	document json.RawMessage
	// throttle limits the requests; nil for no limit.
	throttle *Limiter
	effect   Effect
}

// State is an active rule with its counters.
type State struct {
	// Rule is the rule as it was set.
	Rule json.RawMessage `json:"rule"`
	// Matches is the number of requests that the rule selects, Hits the number of those on
	// which it had an effect.
	Matches int64 `json:"matches"`
	Hits    int64 `json:"hits"`
	// Number identifies the rule within its world.
	Number int64 `json:"-"`
}

// Effect is the effect of rules on one request.
type Effect struct {
	Delay time.Duration
	// Drop is [Before] or [After] the work, or empty.
	Drop string
	// Cut is the number of bytes of the response's body that are sent; negative for all.
	Cut int
	// Response replaces the work, as does the refusal of a request that has to wait for the time
	// Throttled; nil and 0 when the work is done.
	Response  *wire.Response
	Throttled time.Duration
	// HasErrorOfAPI is set when Response has the error of the API for its status.
	HasErrorOfAPI bool
	// EventResults are the results of the events in the request. The last result applies to all
	// further events. nil leaves the results unchanged.
	EventResults []string
	// Edit is a merge patch that is applied before the work, or nil if there is none.
	Edit wire.Value
	// emptyForNull and reorderKeys mangle the complete response.
	emptyForNull, reorderKeys bool
	// Rules are those that contribute to the effect, as they were set.
	Rules []json.RawMessage
}

// ChangesResponse reports whether the response differs from the one without faults.
func (e Effect) ChangesResponse() bool {
	return e.replacesWork() || !e.Edit.IsAbsent() || e.EventResults != nil || e.emptyForNull || e.reorderKeys || e.Cut >= 0
}

func (e Effect) replacesWork() bool { return e.Response != nil || e.Throttled > 0 }

// maxRules is the number of rules that can be active: each request is compared with all of them.
const maxRules = 1000

var errTooManyRules = fmt.Errorf("faults: there can be at most %d rules", maxRules)

// Active are the active rules.
type Active struct {
	mu    sync.Mutex
	rules []*Rule
	// added is the number of rules that were ever added, for their numbers.
	added int64
}

// Set replaces the rules, and returns the ones before with their counters.
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

// Remove removes the rule with a number, and returns it with its counters.
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

// Hit counts a request that arrived now, and returns the combined effect of all rules that
// match it.
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

// add adds the effect of a rule. Delays add up; of everything else the first rule counts.
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

// Mangle rewrites a complete response that is JSON, about an object with some text fields. What is
// not JSON stays as it is.
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

// withEmptyTexts replaces null by "" in the named members of an object, or of the
// objects in the results of a list. Digits and order stay as they are.
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

// reverseKeys returns a value with the keys of all objects in it from last to first.
// Strings and numbers keep their bytes, lists their order.
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
