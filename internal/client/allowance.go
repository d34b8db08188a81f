package client

import "time"

const (
	// servedPerTurn is the number of requests that PostHog must serve after a refusal before
	// another turn may start. A refusal costs each turn at most two requests: the refused one and
	// the stale look. This limits the cost to a tenth of the served requests.
	servedPerTurn = 20
	// servedAlone and servedAsPairs are numbers of requests that PostHog serves before its first refusal. One turn is
	// out at a time until PostHog has served servedAlone requests, and two turns until it has served servedAsPairs
	// more. Afterwards, every servedPerMore requests allow another turn, because such a generous throttle can absorb
	// the waste of its first refusal.
	servedAlone, servedAsPairs, servedPerMore = 9, 23, 4
	// measurable is the number of served requests from which the client measures a pace. If PostHog
	// served fewer, other requests, such as those of the plan before an apply, may have used up most
	// of the window.
	measurable = 8
	// paceLifetime is how long the client keeps a pace. Then it tests whether PostHog allows more,
	// because other clients may have used up part of the measured limit.
	paceLifetime = time.Minute
)

// allowance estimates PostHog's throttle, which reveals its limit only by refusing a request.
//
// If a write is refused, its look was wasted. Therefore only one turn is out at the start and after
// each refusal. More turns start as PostHog serves more requests, and sooner at the start. A refusal
// after enough served requests shows a pace that PostHog allows. The client keeps it for a while.
type allowance struct {
	// refusals counts the refusals. A turn that the gate let out before the last refusal must wait
	// again.
	refusals int
	// out maps the turns that occupy a place to the time when each last passed the gate.
	out map[*turn]time.Time
	// served is the number of requests that PostHog served without a pace since the last refusal.
	served int

	// begin is when the gate let out the first turn since the last measurement. count is the number
	// of requests that PostHog has served since then.
	begin time.Time
	count int

	// spacing is the pace, next the time of the next turn, and paceEnd the time when the pace expires.
	spacing       time.Duration
	next, paceEnd time.Time
}

// isOut reports whether the gate let a turn out since the last refusal.
func (a *allowance) isOut(t *turn) bool { return t.hasBegun && t.refusals == a.refusals }

// isPaced reports whether the client keeps a pace.
func (a *allowance) isPaced(now time.Time) bool { return now.Before(a.paceEnd) }

// slot returns when the pace allows the next turn.
func (a *allowance) slot() time.Time {
	if a.paceEnd.Before(a.next) {
		return a.paceEnd
	}
	return a.next
}

// needsPlace reports whether a turn must wait for others. A refused request without a look wastes
// nothing else, so such requests need no place before the first refusal.
func (a *allowance) needsPlace(t *turn) bool { return t.hasLook || a.refusals > 0 }

// place returns when a place for a turn becomes free. A turn loses its place when its look becomes
// stale. Otherwise, a turn that waits for a lock and the lock's holder, which waits for a place,
// would wait for each other.
func (a *allowance) place(t *turn, now time.Time) time.Time {
	if !a.needsPlace(t) || a.isPaced(now) {
		return now
	}

	places := a.places()
	var next time.Time
	for _, passed := range a.out {
		until := passed.Add(staleAfter)
		if !until.After(now) {
			continue
		}
		if places--; next.IsZero() || until.Before(next) {
			next = until
		}
	}
	if places > 0 {
		return now
	}
	return next
}

// places returns how many turns may be out.
func (a *allowance) places() int {
	switch {
	case a.refusals > 0:
		return 1 + a.served/servedPerTurn
	case a.served < servedAlone:
		return 1
	}
	return 2 + max(0, a.served-servedAlone-servedAsPairs)/servedPerMore
}

// pass lets a turn start or continue.
func (a *allowance) pass(t *turn, now time.Time) {
	if !a.isOut(t) {
		a.letOut(t, now)
	} else if _, hasPlace := a.out[t]; hasPlace {
		a.out[t] = now
	}
}

// letOut starts a turn.
func (a *allowance) letOut(t *turn, now time.Time) {
	t.hasBegun, t.refusals, t.requests = true, a.refusals, 0
	a.next = later(a.next, now).Add(a.spacing)
	if a.begin.IsZero() {
		a.begin = now
	}

	if !a.needsPlace(t) {
		return
	}
	if a.out == nil {
		a.out = map[*turn]time.Time{}
	}
	a.out[t] = now
}

// end frees a turn's place, and reports whether the turn had one.
func (a *allowance) end(t *turn) bool {
	_, hasPlace := a.out[t]
	delete(a.out, t)
	return hasPlace
}

// serve records that PostHog served a turn's request.
func (a *allowance) serve(t *turn, now time.Time) {
	if !a.isOut(t) {
		return
	}
	a.count++
	if !a.isPaced(now) {
		a.served++
	}
}

// refuse records that PostHog refused a turn's request, and when PostHog will serve the next one.
// Refusals of other requests that were sent earlier add no information.
func (a *allowance) refuse(t *turn, now, open time.Time) {
	if !a.isOut(t) {
		return
	}

	if a.count >= measurable {
		a.spacing = a.measure(now, open)
		even := a.begin.Add(time.Duration(a.count) * a.spacing)
		// At open, PostHog may serve only one request, but a look needs room for its write, too.
		a.next, a.paceEnd = later(even, open.Add(a.spacing)), open.Add(paceLifetime)
		a.begin, a.count = time.Time{}, 0
	}
	a.refusals++
	a.served = 0
	clear(a.out)
}

// measure returns the request spacing that a refusal implies. PostHog counts whole seconds, and
// rounds up the wait that it requests.
func (a *allowance) measure(now, open time.Time) time.Duration {
	window := max(time.Second, open.Sub(a.begin).Truncate(time.Second))
	measured := window / time.Duration(max(a.count, 1))
	switch {
	case a.spacing == 0:
		return measured + measured/16 // because request latency varies
	case a.isPaced(now):
		return min(max(measured, a.spacing+a.spacing/7), a.spacing+a.spacing/2) // because the pace was too fast
	}
	return min(measured, a.spacing-a.spacing/8) // because the previous pace may have been too slow
}
