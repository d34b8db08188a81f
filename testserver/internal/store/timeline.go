package store

import (
	"cmp"
	"iter"
	"slices"
)

// Place is the position of an object in a list: by time, then in the order in which objects came.
type Place struct{ At, Sequence int64 }

func (p Place) compare(q Place) int {
	return cmp.Or(cmp.Compare(p.At, q.At), cmp.Compare(p.Sequence, q.Sequence))
}

// Placed is an object with a place, which updates do not change.
type Placed interface{ where() Place }

// Timeline keeps objects oldest first, so that the newest is appended, and the cost of a page
// depends on its length alone.
type Timeline[T Placed] struct{ Items []T }

func (t *Timeline[T]) find(p Place) (int, bool) {
	return slices.BinarySearchFunc(t.Items, p, func(item T, p Place) int { return item.where().compare(p) })
}

func (t *Timeline[T]) insert(item T) {
	if n := len(t.Items); n == 0 || t.Items[n-1].where().compare(item.where()) < 0 {
		t.Items = append(t.Items, item)
		return
	}
	i, _ := t.find(item.where())
	t.Items = slices.Insert(t.Items, i, item)
}

// replace replaces an object by its new version.
func (t *Timeline[T]) replace(item T) {
	if i, ok := t.find(item.where()); ok {
		t.Items[i] = item
	}
}

func (t *Timeline[T]) remove(item T) {
	if i, ok := t.find(item.where()); ok {
		t.Items = slices.Delete(t.Items, i, i+1)
	}
}

// fill replaces all objects. Inserting them one by one would take quadratic time.
func (t *Timeline[T]) fill(items []T) {
	slices.SortFunc(items, func(a, b T) int { return a.where().compare(b.where()) })
	t.Items = items
}

// Page iterates over the objects of a page of the list, newest first.
func (t *Timeline[T]) Page(offset, limit int64) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		left := int64(len(t.Items)) - offset
		for i := range min(limit, max(left, 0)) {
			if !yield(int(i), t.Items[left-1-i]) {
				return
			}
		}
	}
}

func (t *Timeline[T]) clone() *Timeline[T] { return &Timeline[T]{Items: slices.Clone(t.Items)} }
