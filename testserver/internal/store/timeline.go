package store

import (
	"cmp"
	"iter"
	"maps"
	"slices"
)

// SortKey is the position of an object in a list, ordered by time and then by sequence.
type SortKey struct{ At, Sequence int64 }

func (p SortKey) compare(q SortKey) int {
	return cmp.Or(cmp.Compare(p.At, q.At), cmp.Compare(p.Sequence, q.Sequence))
}

// Sortable is an object with a sort key, which updates must not change.
type Sortable interface{ sortKey() SortKey }

// Timeline contains objects, oldest first. Adding the newest object is cheap, and the cost of a page depends
// only on its length.
type Timeline[T Sortable] struct{ Items []T }

func (t *Timeline[T]) find(p SortKey) (int, bool) {
	return slices.BinarySearchFunc(t.Items, p, func(item T, p SortKey) int { return item.sortKey().compare(p) })
}

func (t *Timeline[T]) insert(item T) {
	if n := len(t.Items); n == 0 || t.Items[n-1].sortKey().compare(item.sortKey()) < 0 {
		t.Items = append(t.Items, item)
		return
	}
	i, _ := t.find(item.sortKey())
	t.Items = slices.Insert(t.Items, i, item)
}

// replace replaces an object with its new version.
func (t *Timeline[T]) replace(item T) {
	if i, ok := t.find(item.sortKey()); ok {
		t.Items[i] = item
	}
}

func (t *Timeline[T]) remove(item T) {
	if i, ok := t.find(item.sortKey()); ok {
		t.Items = slices.Delete(t.Items, i, i+1)
	}
}

// Page iterates over the objects of a page of the list, newest first.
func (t *Timeline[T]) Page(offset, limit int64) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		rest := int64(len(t.Items)) - offset
		for i := range min(limit, max(rest, 0)) {
			if !yield(int(i), t.Items[rest-1-i]) {
				return
			}
		}
	}
}

func (t *Timeline[T]) clone() *Timeline[T] { return &Timeline[T]{Items: slices.Clone(t.Items)} }

// Shelf contains objects by ID.
type Shelf[K cmp.Ordered, V any] struct{ byID map[K]V }

func newShelf[K cmp.Ordered, V any]() Shelf[K, V] { return Shelf[K, V]{map[K]V{}} }

// Get returns the object with an ID, or the zero value if there is none.
func (s Shelf[K, V]) Get(id K) V { return s.byID[id] }

// Has reports whether the shelf contains an object with an ID.
func (s Shelf[K, V]) Has(id K) bool {
	_, ok := s.byID[id]
	return ok
}

// Each iterates over the objects in an unspecified order.
func (s Shelf[K, V]) Each() iter.Seq[V] { return maps.Values(s.byID) }

// Sorted returns the objects in the order of their IDs.
func (s Shelf[K, V]) Sorted() []V {
	objects := make([]V, 0, len(s.byID))
	for _, id := range slices.Sorted(maps.Keys(s.byID)) {
		objects = append(objects, s.byID[id])
	}
	return objects
}

// Put stores an object. It replaces an object with the same ID.
func (s Shelf[K, V]) Put(id K, object V) { s.byID[id] = object }

// Remove deletes an object. References to it then read as null.
func (s Shelf[K, V]) Remove(id K) { delete(s.byID, id) }

func (s Shelf[K, V]) clone() Shelf[K, V] { return Shelf[K, V]{maps.Clone(s.byID)} }
