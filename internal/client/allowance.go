package client

import "time"

const (
	// servedPerTurn is how many requests the service has to serve without a refusal for one more
	// turn to be out at a time. A refusal costs each turn that is out up to two requests, the one
	// that was refused and a look that does not count any more: a tenth of those that were served.
	servedPerTurn = 20
	// paceLifetime is how long the client keeps to a pace that it measured. After that it finds out
	// whether the service allows more by then: others may have used a part of what was measured.
	paceLifetime = 30 * time.Second
)

// allowance is what a client learns of the throttle of the service, which shows its limit only by
// refusing a request.
//
// A write that is refused has looked in vain. So one turn is out at a time, in the beginning and
// after each refusal, and more as the service serves more. From the second refusal on, the client
// knows how many requests the service serves in a time, and keeps to that pace for a while, so
// that few requests are refused. The first refusal measures nothing: others may have used a part
// of that window, such as the plan before an apply.
type allowance struct {
	// refusals is how often the service refused a request. A turn that was let out before the
	// last refusal is not out any more.
	refusals int
	// out are the turns that have a place, and when they last passed the gate.
	out map[*turn]time.Time
	// served is how many requests the service has served since the last refusal or pace.
	served int

	// begin is when the first turn since the last refusal was let out, and count how many requests
	// were served since. The first refusal changes neither.
	begin time.Time
	count int

	// spacing is the pace, which counts until paceEnd; next is the time of its next turn.
	spacing       time.Duration
	next, paceEnd time.Time
}

// isOut reports whether a turn was let out and not called back by a refusal.
func (a *allowance) isOut(t *turn) bool { return t.hasBegun && t.refusals == a.refusals }

// isPaced reports whether the client keeps to a pace.
func (a *allowance) isPaced(now time.Time) bool { return now.Before(a.paceEnd) }

// slot is when the pace allows the next turn.
func (a *allowance) slot() time.Time {
	if a.paceEnd.Before(a.next) {
		return a.paceEnd
	}
	return a.next
}

// place is when a turn may be let out, as far as the others that are out are concerned. One that
// takes longer than a look counts keeps its place no longer: its look has to be repeated, and
// what it waits for may itself wait for a place.
func (a *allowance) place(t *turn, now time.Time) time.Time {
	if !a.needsPlace(t) || a.isPaced(now) {
		return now
	}

	places := 1 + a.served/servedPerTurn
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

// needsPlace reports whether a turn waits for others. Requests without a look lose nothing when
// they are refused, so they go out freely until one was.
func (a *allowance) needsPlace(t *turn) bool { return t.hasLook || a.refusals > 0 }

// letOut lets a turn out, or go on.
func (a *allowance) letOut(t *turn, now time.Time) {
	_, hasPlace := a.out[t]
	if !a.isOut(t) {
		hasPlace = a.needsPlace(t)
		t.hasBegun, t.refusals = true, a.refusals
		a.next = later(a.next, now).Add(a.spacing)
		if a.begin.IsZero() {
			a.begin = now
		}
	}

	if hasPlace {
		if a.out == nil {
			a.out = map[*turn]time.Time{}
		}
		a.out[t] = now
	}
}

// serve records that the service served a request of a turn.
func (a *allowance) serve(t *turn, now time.Time) {
	if !a.isOut(t) {
		return
	}
	a.count++
	if !a.isPaced(now) {
		a.served++
	}
}

// refuse records that the service refused a request of a turn, and when it serves the next one.
// Requests that were on their way with it are refused, too, and show no more.
func (a *allowance) refuse(t *turn, now, open time.Time) {
	if !a.isOut(t) {
		return
	}

	if a.refusals > 0 && a.count > 0 {
		a.spacing = a.measure(now, open)
		a.next, a.paceEnd = a.begin.Add(time.Duration(a.count)*a.spacing), open.Add(paceLifetime)
		a.begin, a.count = time.Time{}, 0
	}
	a.refusals++
	a.served = 0
	clear(a.out)
}

// measure is the spacing of requests that the last ones have shown, when one of them was refused.
func (a *allowance) measure(now, open time.Time) time.Duration {
	measured := open.Sub(a.begin) / time.Duration(a.count)
	switch {
	case a.spacing == 0:
		return measured + measured/16 // not every request takes as long to arrive
	case a.isPaced(now):
		return min(max(measured, a.spacing+a.spacing/16), a.spacing+a.spacing/4)
	}
	return min(measured, a.spacing-a.spacing/8) // what was kept to for so long may be too slow
}

// end takes the place of a turn, and reports whether it had one.
func (a *allowance) end(t *turn) bool {
	_, hasPlace := a.out[t]
	delete(a.out, t)
	return hasPlace
}
