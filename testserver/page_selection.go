package testserver

import (
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/page"
)

// selection are the requests of a journal that an open page shows. It remembers which those
// are, so that a search looks at each request once, and again only when it has changed.
type selection struct {
	// revision is that of the journal when it was looked at, cleared the one at which it was
	// last emptied.
	revision, cleared int64
	// from is the journal: a world that was dropped and is there again has another one.
	from *journal
	// numbers are those of the selected requests, newest first: one more than the page shows, if
	// there are as many.
	numbers []int64
	// waiting is set while the request that is shown whole has no response.
	waiting bool
}

// chunk is the number of entries that are looked at without giving up the lock of a journal.
const chunk = 256

// update returns the selected entries, newest first: at most one more than the page shows.
func (sel *selection) update(j *journal, filter page.Filter, before int64, keys []string) []entry {
	if (filter == page.Filter{}) {
		entries, _ := j.newest(before, 0, page.JournalLength+1)
		return entries
	}

	revision, cleared, first := j.state()
	isFull := len(sel.numbers) > page.JournalLength
	if sel.from != j || sel.cleared != cleared {
		sel.numbers, isFull = nil, false
		sel.scan(j, filter, before, 0, keys)
	} else {
		sel.scan(j, filter, before, sel.revision, keys)
	}
	sel.numbers = slices.DeleteFunc(sel.numbers, func(number int64) bool { return number < first })
	if isFull && len(sel.numbers) <= page.JournalLength {
		// Some have left: older ones take their place.
		sel.numbers = nil
		sel.scan(j, filter, before, 0, keys)
	}
	sel.from, sel.revision, sel.cleared = j, revision, cleared

	entries := make([]entry, 0, len(sel.numbers))
	for _, number := range sel.numbers {
		if e, ok := j.numbered(number); ok {
			entries = append(entries, e)
		}
	}
	return entries
}

// scan looks at the entries that changed after a revision, newest first, until there are more
// than the page shows.
func (sel *selection) scan(j *journal, filter page.Filter, before, after int64, keys []string) {
	for {
		entries, rest := j.newest(before, after, chunk)
		for i := range entries {
			e := &entries[i]
			sel.numbers = slices.DeleteFunc(sel.numbers, func(number int64) bool { return number == e.sequence })
			if filter.Matches(e.candidate(keys)) {
				sel.numbers = append(sel.numbers, e.sequence)
			}
		}

		slices.Sort(sel.numbers)
		slices.Reverse(sel.numbers)
		if len(sel.numbers) > page.JournalLength {
			sel.numbers = sel.numbers[:page.JournalLength+1]
		}
		if rest == 0 || after == 0 && len(sel.numbers) > page.JournalLength {
			return
		}
		before = rest
	}
}

// lacks reports whether an open page lacks the response to a request that it shows whole.
func (sel *selection) lacks(e *entry) bool {
	waited := sel.waiting
	sel.waiting = !e.ended
	return waited && e.ended
}

// state is the revision of the journal, the one at which it was last emptied, and the number of
// its first entry.
func (j *journal) state() (revision, cleared, first int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.revision, j.cleared, j.first()
}

// newest returns copies of the newest entries, at most limit, with a number below before, or
// any if it is 0, that changed after a revision. The rest are those below a number; 0 for none.
func (j *journal) newest(before, after int64, limit int) (entries []entry, rest int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	end := len(j.entries)
	if before > 0 {
		end = int(min(max(before-j.first(), 0), int64(end)))
	}

	for _, e := range slices.Backward(j.entries[:end]) {
		if e.revision <= after {
			continue
		}
		if len(entries) == limit {
			return entries, entries[limit-1].sequence
		}
		entries = append(entries, *e)
	}
	return entries, 0
}

// oldest returns copies of the oldest entries above a number, at most limit.
func (j *journal) oldest(above int64, limit int) []entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	start := min(max(above+1-j.first(), 0), int64(len(j.entries)))
	var entries []entry
	for _, e := range j.entries[start:min(int(start)+limit, len(j.entries))] {
		entries = append(entries, *e)
	}
	return entries
}

// beside are the numbers of the selected requests before and after one; 0 for none.
func (j *journal) beside(number int64, filter page.Filter, keys []string) (newer, older int64) {
	for above := number; newer == 0; {
		entries := j.oldest(above, chunk)
		if len(entries) == 0 {
			break
		}
		newer = firstOf(entries, filter, keys)
		above = entries[len(entries)-1].sequence
	}
	for before := number; older == 0 && before > 0; {
		entries, rest := j.newest(before, 0, chunk)
		older, before = firstOf(entries, filter, keys), rest
	}
	return newer, older
}

// firstOf is the number of the first entry that a filter selects; 0 for none.
func firstOf(entries []entry, filter page.Filter, keys []string) int64 {
	for i := range entries {
		if filter.Matches(entries[i].candidate(keys)) {
			return entries[i].sequence
		}
	}
	return 0
}

// candidate is the entry for a filter. Nothing that the journal hides can be found.
func (e *entry) candidate(keys []string) page.Candidate {
	hide := e.redactor(keys)
	return page.Candidate{
		Number: e.sequence, Method: e.method,
		Line: func() string {
			return e.method + " " + hide.text(e.path) + "?" + hide.query(e.query) + " " + e.operation
		},
		Status: e.status, Waiting: !e.ended, Fault: len(e.hits) > 0,
		// Hiding is slow, and most bodies lack the text anyway.
		MayHave: func(text string) bool { return contains(e.body, text) || contains(e.responseBody, text) },
		Has: func(text string) bool {
			return contains(e.body, text) && contains(hide.requestBody(e), text) ||
				contains(e.responseBody, text) && contains(hide.body(e.responseBody), text)
		},
	}
}

// contains reports whether a body has a text, which is in lower case.
func contains(body []byte, text string) bool {
	return strings.Contains(strings.ToLower(string(body)), text)
}
