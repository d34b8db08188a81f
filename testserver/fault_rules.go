package testserver

import (
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/ratelimit"
)

// FaultState is a rule in force with what it did so far.
type FaultState struct {
	// Rule is the rule as it was set.
	Rule json.RawMessage `json:"rule"`
	// Matches is the number of requests that its first fields mean, Hits the number of
	// those on which it had an effect.
	Matches int64 `json:"matches"`
	Hits    int64 `json:"hits"`
}

// Faults returns the rules in force, in their order.
func (s *Server) Faults() []FaultState { return s.faults.states() }

// faults are the rules in force.
type faults struct {
	mu    sync.Mutex
	rules []*rule
	// added counts the rules that were put in force, for their numbers.
	added int64
	// inForce is the number of rules, which most requests read without the lock: there are
	// none.
	inForce atomic.Int64
}

// set puts rules in force, and returns the ones before with what they did.
func (f *faults) set(rules []*rule) []FaultState {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.rules
	f.rules = nil
	f.add(rules)
	return statesOf(before)
}

// add puts rules in force behind those there are, with the lock held.
func (f *faults) add(rules []*rule) {
	for _, r := range rules {
		f.added++
		r.number = f.added
	}
	f.rules = slices.Concat(f.rules, rules)
	f.inForce.Store(int64(len(f.rules)))
}

// remove takes the rule with a number out of force, and returns it with what it did.
func (f *faults) remove(number int64) []FaultState {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.rules, func(r *rule) bool { return r.number == number })
	if i < 0 {
		return nil
	}
	removed := statesOf(f.rules[i : i+1])
	f.rules = slices.Delete(slices.Clone(f.rules), i, i+1)
	f.inForce.Store(int64(len(f.rules)))
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

// rule is a checked [Fault] that counts its matches, and those among them that it hit.
type rule struct {
	operation, method, path string
	from, to, matches, hits int64
	// number tells it from the other rules of its world.
	number int64
	// document is the rule as it was set.
	document json.RawMessage
	effect
}

// effect is what happens to one request.
type effect struct {
	delay time.Duration
	drop  string
	// cut is the number of bytes of the answer's body that are sent; all when below 0.
	cut int
	// answer replaces the work; nil when the work is done.
	answer func(*exchange)
	// throttle limits the requests that are hit; nil for no limit.
	throttle *ratelimit.Limiter
	// edit is done before the work; nil for none.
	edit json.RawMessage
	// emptyForNull and reorderKeys mangle the finished answer.
	emptyForNull, reorderKeys bool
	// hits are the rules that an effect on a request comes from.
	hits []*rule
}

// changesAnswer reports whether the answer is another one than without the faults.
func (e effect) changesAnswer() bool {
	return e.answer != nil || e.edit != nil || e.emptyForNull || e.reorderKeys || e.cut >= 0
}

// hit counts a request that arrived now and puts together what happens to it.
func (f *faults) hit(x *exchange, now time.Time) effect {
	sum := effect{cut: -1}
	if f.inForce.Load() == 0 {
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

		sum.delay += r.delay
		if sum.drop == "" {
			sum.drop = r.drop
		}
		if sum.cut < 0 {
			sum.cut = r.cut
		}

		answer := r.answer
		if r.throttle != nil {
			answer = refusalUntil(r.throttle.Wait(now))
		}
		if r.throttle == nil || answer != nil {
			r.hits++
			sum.hits = append(sum.hits, r)
		}
		if sum.answer == nil {
			sum.answer = answer
		}

		if sum.edit == nil {
			sum.edit = r.edit
		}
		sum.emptyForNull = sum.emptyForNull || r.emptyForNull
		sum.reorderKeys = sum.reorderKeys || r.reorderKeys
	}
	return sum
}

func (r *rule) matchesRequest(x *exchange) bool {
	if r.operation != "" && (x.endpoint == nil || x.endpoint.ID != r.operation) {
		return false
	}
	return (r.method == "" || r.method == x.request.Method) && (r.path == "" || r.path == x.request.URL.Path)
}
