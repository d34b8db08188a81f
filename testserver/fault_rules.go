package testserver

import (
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/page"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/ratelimit"
)

// FaultState is an active rule with its counters.
type FaultState struct {
	// Rule is the rule as it was set.
	Rule json.RawMessage `json:"rule"`
	// Matches is the number of requests that the rule selects, Hits the number of those on
	// which it had an effect.
	Matches int64 `json:"matches"`
	Hits    int64 `json:"hits"`
}

// Faults returns the active rules in their order.
func (s *Server) Faults() []FaultState { return s.faults.states() }

// faults are the active rules.
type faults struct {
	mu    sync.Mutex
	rules []*rule
	// added is the number of rules that were ever added, for their numbers.
	added int64
	// active is the number of rules. Usually there are none, and requests skip the lock.
	active atomic.Int64
}

// set replaces the rules, and returns the ones before with their counters.
func (f *faults) set(rules []*rule) []FaultState {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.rules
	f.rules = nil
	f.add(rules)
	return statesOf(before)
}

// add appends rules. The caller holds the lock.
func (f *faults) add(rules []*rule) {
	for _, r := range rules {
		f.added++
		r.number = f.added
	}
	f.rules = slices.Concat(f.rules, rules)
	f.active.Store(int64(len(f.rules)))
}

// remove removes the rule with a number, and returns it with its counters.
func (f *faults) remove(number int64) []FaultState {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.rules, func(r *rule) bool { return r.number == number })
	if i < 0 {
		return nil
	}
	removed := statesOf(f.rules[i : i+1])
	f.rules = slices.Delete(slices.Clone(f.rules), i, i+1)
	f.active.Store(int64(len(f.rules)))
	return removed
}

func (f *faults) states() []FaultState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return statesOf(f.rules)
}

func statesOf(rules []*rule) []FaultState {
	states := make([]FaultState, len(rules))
	for i, r := range rules {
		states[i] = FaultState{Rule: r.document, Matches: r.matches, Hits: r.hits}
	}
	return states
}

// rule is a checked [Fault] with its counters.
type rule struct {
	operation, method, path string
	from, to, matches, hits int64
	// number identifies the rule within its world.
	number int64
	// document is the rule as it was set.
	document json.RawMessage
	// words say the same for the page.
	words page.RuleWords
	effect
}

// effect is the effect of faults on one request.
type effect struct {
	delay time.Duration
	drop  string
	// cut is the number of bytes of the response's body that are sent; negative for all.
	cut int
	// response replaces the work; nil when the work is done.
	response *response
	// throttle limits the requests; nil for no limit.
	throttle *ratelimit.Limiter
	// edit is made before the work; nil for none.
	edit edit
	// emptyForNull and reorderKeys mangle the complete response.
	emptyForNull, reorderKeys bool
	// hits are the rules that contribute to the effect.
	hits []*rule
}

// changesResponse reports whether the response differs from the one without faults.
func (e effect) changesResponse() bool {
	return e.response != nil || e.edit != nil || e.emptyForNull || e.reorderKeys || e.cut >= 0
}

// hit counts a request that arrived now, and returns the combined effect of all rules that
// match it.
func (f *faults) hit(x *exchange, now time.Time) effect {
	sum := effect{cut: -1}
	if f.active.Load() == 0 {
		return sum
	}

	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.rules {
		if !r.matchesRequest(x) {
			continue
		}
		r.matches++
		if r.matches < r.from || r.matches > r.to {
			continue
		}
		sum.add(r, now)
	}
	return sum
}

// add adds the effect of a rule. Delays add up; of everything else the first rule counts.
func (e *effect) add(r *rule, now time.Time) {
	e.delay += r.delay
	if e.drop == "" {
		e.drop = r.drop
	}
	if e.cut < 0 {
		e.cut = r.cut
	}

	instead := r.response
	if r.throttle != nil {
		instead = refusalUntil(r.throttle.Wait(now))
	}
	if r.throttle == nil || instead != nil {
		r.hits++
		e.hits = append(e.hits, r)
	}
	if e.response == nil {
		e.response = instead
	}

	if e.edit == nil {
		e.edit = r.edit
	}
	e.emptyForNull = e.emptyForNull || r.emptyForNull
	e.reorderKeys = e.reorderKeys || r.reorderKeys
}

func (r *rule) matchesRequest(x *exchange) bool {
	if r.operation != "" && (x.endpoint == nil || x.endpoint.ID != r.operation) {
		return false
	}
	return (r.method == "" || r.method == x.request.Method) && (r.path == "" || r.path == x.request.URL.Path)
}
