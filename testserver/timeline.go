package testserver

import (
	"cmp"
	"iter"
	"slices"
)

// place is the position of an object in a list: by time, then in the order of arrival.
type place struct{ at, arrival int64 }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.at, q.at), cmp.Compare(p.arrival, q.arrival))
}

// placed is an object with a place, which updates do not change.
type placed interface{ where() place }

// timeline keeps objects oldest first, so that the newest is appended, and the cost of a page
// depends on its length alone.
type timeline[T placed] struct{ items []T }

func (t *timeline[T]) find(p place) (int, bool) {
	return slices.BinarySearchFunc(t.items, p, func(item T, p place) int { return item.where().compare(p) })
}

func (t *timeline[T]) insert(item T) {
	if n := len(t.items); n == 0 || t.items[n-1].where().compare(item.where()) < 0 {
		t.items = append(t.items, item)
		return
	}
	i, _ := t.find(item.where())
	t.items = slices.Insert(t.items, i, item)
}

// replace replaces an object by its new version.
func (t *timeline[T]) replace(item T) {
	if i, ok := t.find(item.where()); ok {
		t.items[i] = item
	}
}

func (t *timeline[T]) remove(item T) {
	if i, ok := t.find(item.where()); ok {
		t.items = slices.Delete(t.items, i, i+1)
	}
}

// fill replaces all objects. Inserting them one by one would take quadratic time.
func (t *timeline[T]) fill(items []T) {
	slices.SortFunc(items, func(a, b T) int { return a.where().compare(b.where()) })
	t.items = items
}

// page iterates over the objects in a window of the list, newest first.
func (t *timeline[T]) page(w window) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		left := int64(len(t.items)) - w.offset
		for i := range min(w.limit, max(left, 0)) {
			if !yield(int(i), t.items[left-1-i]) {
				return
			}
		}
	}
}

func (t *timeline[T]) clone() *timeline[T] { return &timeline[T]{items: slices.Clone(t.items)} }
