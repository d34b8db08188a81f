package testserver

import (
	"sync"
)

// maxFindings is the number of findings of a kind that a report keeps; the others are
// counted.
const maxFindings = 1000

// collector collects the data for a report, for one world.
type collector struct {
	mu       sync.Mutex
	requests int64
	// reached counts the responses, by operation and status.
	reached map[reachedStatus]int64
	// fields are the undocumented fields, by operation and path.
	fields map[sentField]sentTimes
	// unused are the rules that were replaced before they hit a request.
	unused []UnusedFault
	cuts   []CutAnswers
	// offers are the surveys that apps got, or whose events they sent.
	offers map[offeredSurveyKey]offeredSurveyState
	// omitted counts the findings that are not kept.
	omitted int64
}

type (
	reachedStatus struct {
		operation string
		status    int
	}
	sentField struct{ operation, path string }
	// sentTimes is how often a field was sent, and the first request with it.
	sentTimes struct {
		times    int64
		world    string
		sequence int64
	}
)

// note adds a request with the status of its response, 0 if it was dropped.
func (c *collector) note(x *exchange, e *entry, status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests++
	if e.operation == "" {
		return
	}

	if c.reached == nil {
		c.reached, c.fields = map[reachedStatus]int64{}, map[sentField]sentTimes{}
	}
	c.reached[reachedStatus{e.operation, status}]++
	c.noteOffers(x)

	for _, path := range x.undocumented {
		c.addField(sentField{e.operation, withoutIndexes(path)}, sentTimes{1, x.world, e.sequence})
	}
	if x.cut != nil {
		cut := *x.cut
		cut.Sequence, cut.Time, cut.World, cut.Operation = e.sequence, e.at.UTC(), x.world, e.operation
		c.addCut(cut)
	}
}

func (c *collector) addField(field sentField, sent sentTimes) {
	known, isKnown := c.fields[field]
	switch {
	case !isKnown && len(c.fields) >= maxFindings:
		c.omitted++
		return
	case isKnown:
		sent = sentTimes{known.times + sent.times, known.world, known.sequence}
	}
	c.fields[field] = sent
}

func (c *collector) addCut(cut CutAnswers) {
	if len(c.cuts) >= maxFindings {
		c.omitted++
		return
	}
	c.cuts = append(c.cuts, cut)
}

// replaced adds the rules that are no longer active.
func (c *collector) replaced(rules []FaultState, world string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, rule := range rules {
		switch {
		case rule.Hits > 0:
		case len(c.unused) >= maxFindings:
			c.omitted++
		default:
			c.unused = append(c.unused, UnusedFault{Rule: rule.Rule, Matches: rule.Matches, World: world})
		}
	}
}

// add adds the data of another collector.
func (c *collector) add(other *collector) {
	other.mu.Lock()
	defer other.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()

	if c.reached == nil {
		c.reached, c.fields = map[reachedStatus]int64{}, map[sentField]sentTimes{}
	}
	c.requests += other.requests
	for status, count := range other.reached {
		c.reached[status] += count
	}
	for field, sent := range other.fields {
		c.addField(field, sent)
	}
	for _, cut := range other.cuts {
		c.addCut(cut)
	}
	for key, state := range other.offers {
		state.isShown = state.isShown || c.offers[key].isShown
		c.addOffer(key, state)
	}
	kept := min(len(other.unused), maxFindings-len(c.unused))
	c.unused = append(c.unused, other.unused[:kept]...)
	c.omitted += other.omitted + int64(len(other.unused)-kept)
}
