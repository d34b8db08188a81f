package client

import "time"

const (
	// servedPerTurn is how many requests the service has to serve without a refusal for one more
	// turn to be out at a time. A refusal costs each turn that is out up to two requests, the one
	// that was refused and a look that does not count any more: a tenth of those that were served.
	servedPerTurn = 20
	// longestWindow is the longest window before whose end the client rests. A rest that is not
	// needed, since others used the window that was measured, costs its whole length; a refusal
	// costs a few requests, which are many only beside those of a short window.
	longestWindow = 30 * time.Second
	// lookAndWrite is how many requests a write takes at least.
	lookAndWrite = 2
)

// allowance is what a client learns of the throttle of the service, which shows its limit only by
// refusing a request.
//
// A write that is refused has looked in vain. So one turn is out at a time, in the beginning and
// after each refusal, and more as the service serves more. What it serves between two refusals
// fills a window: in the next window the client rests before it is full, and in the one after
// that it goes on until it is refused, since the service may allow more by then.
//
// The first refusal measures nothing: others may have used a part of that window, such as the
// plan before an apply.
type allowance struct {
	// refusals is how often the service refused a request. A turn that was let out before the
	// last refusal is not out any more.
	refusals int
	// out are the turns that have a place, and when they last passed the gate.
	out map[*turn]time.Time
	// size is how many requests the last write took, with its look.
	size int

	// begin is the beginning of the window, zero before its first request, and served how many
	// requests the service has served in it.
	begin  time.Time
	served int
	// limit is how many requests fill the window, and length how long it is; 0 if that is not
	// known.
	limit  int
	length time.Duration
}

// isOut reports whether a turn was let out and not called back by a refusal.
func (a *allowance) isOut(t *turn) bool { return t.hasBegun && t.refusals == a.refusals }

// needsPlace reports whether a turn waits for others. In vain is a refused look alone: until the
// service has refused a request, others go out freely.
func (a *allowance) needsPlace(t *turn) bool { return t.hasLook || a.refusals > 0 }

// place is when a turn may be let out, as far as the others that are out are concerned. One that
// takes longer than a look counts keeps its place no longer: its look has to be repeated, and
// what it waits for may itself wait for a place.
func (a *allowance) place(t *turn, now time.Time) time.Time {
	if !a.needsPlace(t) {
		return now
	}

	places := 1 + a.served/servedPerTurn
	next := now
	for _, passed := range a.out {
		until := passed.Add(staleAfter)
		if !until.After(now) {
			continue
		}
		if places--; next.Equal(now) || until.Before(next) {
			next = until
		}
	}
	if places > 0 {
		return now
	}
	return next
}

// rest is the end of the window if it has no room for a turn, else zero.
func (a *allowance) rest(t *turn) time.Time {
	if a.limit == 0 || !a.isFull(a.need(t)) {
		return time.Time{}
	}
	return a.begin.Add(a.length)
}

// isFull reports whether the window has no room for a number of requests beyond those that are
// out.
func (a *allowance) isFull(more int) bool {
	for t := range a.out {
		more += a.need(t)
	}
	return a.served+more > a.limit
}

// need is how many requests a turn takes.
func (a *allowance) need(t *turn) int {
	if t.hasLook {
		return max(a.size, lookAndWrite)
	}
	return 1
}

// letOut lets a turn out, or go on.
func (a *allowance) letOut(t *turn, now time.Time) {
	_, hasPlace := a.out[t]
	if !a.isOut(t) {
		hasPlace = a.needsPlace(t)
		a.enterWindow(t, now)
		t.hasBegun, t.refusals = true, a.refusals
	}

	if hasPlace {
		if a.out == nil {
			a.out = map[*turn]time.Time{}
		}
		a.out[t] = now
	}
}

// enterWindow begins a window with a turn if there is none, or it is over.
func (a *allowance) enterWindow(t *turn, now time.Time) {
	isOver := a.limit > 0 && !now.Before(a.begin.Add(a.length))
	if !a.begin.IsZero() && !isOver {
		return
	}

	if isOver && a.isFull(a.need(t)) {
		a.limit = 0
	}
	a.begin, a.served = now, 0
}

// serve records that the service served a request of a turn.
func (a *allowance) serve(t *turn) {
	if a.isOut(t) {
		a.served++
	}
}

// refuse records that the service refused a request of a turn, and when it will serve the next
// one. Requests that were on their way with it are refused, too, and show no more.
func (a *allowance) refuse(t *turn, until time.Time) {
	if !a.isOut(t) {
		return
	}

	a.limit, a.length = 0, until.Sub(a.begin)
	if a.refusals > 0 && a.served >= lookAndWrite && a.length <= longestWindow {
		a.limit = a.served
	}
	a.refusals++
	a.begin, a.served = time.Time{}, 0
	clear(a.out)
}

// end takes the place of a turn, and reports whether it had one.
func (a *allowance) end(t *turn) bool {
	_, hasPlace := a.out[t]
	delete(a.out, t)
	if hasPlace && t.hasLook {
		a.size = t.requests
	}
	return hasPlace
}
