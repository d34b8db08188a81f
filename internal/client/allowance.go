package client

import "time"

const (
	// servedPerTurn is how many requests PostHog has to serve after a refusal before one more turn
	// may be out. A refusal costs each of them two requests at most, the one that was refused and
	// the look that does not count any more: a tenth of those that were served.
	servedPerTurn = 20
	// servedAlone and servedAsPairs are how many requests PostHog serves before the first refusal
	// while one turn is out at a time, and then while two are. After that, each servedPerMore
	// requests let one more turn out: a throttle this wide bears the waste of its first refusal.
	servedAlone, servedAsPairs, servedPerMore = 9, 23, 4
	// paceLifetime is how long the client keeps a pace. Then it tries whether PostHog allows more:
	// others may have used a part of what was measured.
	paceLifetime = time.Minute
)

// allowance is what a client learns of PostHog's throttle, which shows its limit only when it
// refuses a request.
//
// The look of a write that is refused was useless. So one turn is out at a time, at the start and
// after each refusal, and more turns as PostHog serves more requests, sooner at the start. From the
// second refusal on the client knows a pace that PostHog allows, and keeps it for a while. The first
// refusal alone shows too little, since others may have used a part of that window: the plan before
// an apply.
type allowance struct {
	// refusals counts the refusals. A turn that the gate let out before the last one has to wait
	// again.
	refusals int
	// out are the turns that have a place, and when each last passed the gate.
	out map[*turn]time.Time
	// served is how many requests PostHog served without a pace since the last refusal.
	served int

	// begin is when the gate let out the first turn since the last measurement, and count how many
	// requests PostHog served since.
	begin time.Time
	count int

	// spacing is the pace, next the time of its next turn, and paceEnd the time when it ends.
	spacing       time.Duration
	next, paceEnd time.Time
}

// isOut reports whether a turn was let out since the last refusal.
func (a *allowance) isOut(t *turn) bool { return t.hasBegun && t.refusals == a.refusals }

// isPaced reports whether the client keeps a pace.
func (a *allowance) isPaced(now time.Time) bool { return now.Before(a.paceEnd) }

// slot is when the pace allows the next turn.
func (a *allowance) slot() time.Time {
	if a.paceEnd.Before(a.next) {
		return a.paceEnd
	}
	return a.next
}

// needsPlace reports whether a turn waits for others. A refusal of a request without a look costs
// nothing else, so these go out freely before the first one.
func (a *allowance) needsPlace(t *turn) bool { return t.hasLook || a.refusals > 0 }

// place is when there is a place for a turn. A turn loses its place when its look does not count
// any more: otherwise a turn that waits for a lock, and the holder of the lock, which waits for a
// place, would wait for each other.
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

// places is how many turns may be out.
func (a *allowance) places() int {
	switch {
	case a.refusals > 0:
		return 1 + a.served/servedPerTurn
	case a.served < servedAlone:
		return 1
	}
	return 2 + max(0, a.served-servedAlone-servedAsPairs)/servedPerMore
}

// pass lets a turn out, or go on.
func (a *allowance) pass(t *turn, now time.Time) {
	if !a.isOut(t) {
		a.letOut(t, now)
	} else if _, hasPlace := a.out[t]; hasPlace {
		a.out[t] = now
	}
}

// letOut lets a turn out.
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

// end frees the place of a turn, and reports whether it had one.
func (a *allowance) end(t *turn) bool {
	_, hasPlace := a.out[t]
	delete(a.out, t)
	return hasPlace
}

// serve records that PostHog served a request of a turn.
func (a *allowance) serve(t *turn, now time.Time) {
	if !a.isOut(t) {
		return
	}
	a.count++
	if !a.isPaced(now) {
		a.served++
	}
}

// refuse records that PostHog refused a request of a turn, and when it serves the next one. The
// refusals of other requests that were sent before show nothing new.
func (a *allowance) refuse(t *turn, now, open time.Time) {
	if !a.isOut(t) {
		return
	}

	if a.refusals > 0 {
		a.spacing = a.measure(now, open)
		a.next, a.paceEnd = a.begin.Add(time.Duration(a.count)*a.spacing), open.Add(paceLifetime)
		a.begin, a.count = time.Time{}, 0
	}
	a.refusals++
	a.served = 0
	clear(a.out)
}

// measure returns the spacing of requests that a refusal has shown. PostHog counts over whole
// seconds, and rounds the wait up that it asks for.
func (a *allowance) measure(now, open time.Time) time.Duration {
	window := max(time.Second, open.Sub(a.begin).Truncate(time.Second))
	measured := window / time.Duration(max(a.count, 1))
	switch {
	case a.spacing == 0:
		return measured + measured/16 // since requests take differently long to arrive
	case a.isPaced(now):
		return min(max(measured, a.spacing+a.spacing/7), a.spacing+a.spacing/2) // since it was too fast
	}
	return min(measured, a.spacing-a.spacing/8) // since it may have been too slow
}
