package trigram

// maxSpread bounds the distinct trigrams of an extent by a multiple of those of the
// search. What is less alike than one in so many is no match for anybody, and the bound
// makes the time linear in the text.
const maxSpread = 4

// extent is the part of a text that is compared with the search while the text goes by.
// Its end is the last wanted trigram; its beginning moves on when that makes it more
// alike. The distinct trigrams in it are kept in the order of their last occurrence,
// since one leaves the extent when the beginning passes that.
type extent struct {
	query Query
	items map[gram]*item
	// first and last are the ends of the list of items.
	first, last *item
	distinct    int
	shared      int
	best        float64
}

// item is a distinct trigram of an extent.
type item struct {
	gram           gram
	wanted         bool
	previous, next *item
}

func newExtent(q Query) *extent { return &extent{query: q, items: map[gram]*item{}} }

// add takes in the next trigram of the text.
func (e *extent) add(g gram) {
	_, wanted := e.query.wanted[g]
	if e.first == nil && !wanted {
		// An extent begins with a wanted trigram.
		return
	}

	it := e.items[g]
	if it == nil {
		it = &item{gram: g, wanted: wanted}
		e.items[g] = it
		e.count(it, 1)
	} else {
		e.unlink(it)
	}
	e.append(it)

	if e.distinct > maxSpread*len(e.query.wanted) {
		e.drop(e.first)
	}
	if wanted {
		e.tighten()
	}
}

// tighten moves the beginning to where the extent is most like the search.
func (e *extent) tighten() {
	current := e.query.alike(e.shared, e.distinct)
	begin, distinct, shared := e.first, e.distinct, e.shared
	for it := e.first; it != e.last; it = it.next {
		distinct--
		if it.wanted {
			shared--
		}
		if alike := e.query.alike(shared, distinct); alike > current {
			current, begin = alike, it.next
		}
	}
	for e.first != begin {
		e.drop(e.first)
	}
	e.best = max(e.best, current)
}

func (e *extent) drop(it *item) {
	e.unlink(it)
	delete(e.items, it.gram)
	e.count(it, -1)
}

func (e *extent) count(it *item, by int) {
	e.distinct += by
	if it.wanted {
		e.shared += by
	}
}

func (e *extent) append(it *item) {
	it.previous, it.next = e.last, nil
	if e.last == nil {
		e.first = it
	} else {
		e.last.next = it
	}
	e.last = it
}

func (e *extent) unlink(it *item) {
	if it.previous == nil {
		e.first = it.next
	} else {
		it.previous.next = it.next
	}
	if it.next == nil {
		e.last = it.previous
	} else {
		it.next.previous = it.previous
	}
}
