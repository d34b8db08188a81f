package store

import (
	"cmp"
	"iter"
	"maps"
	"slices"
)

// Shelf has objects by their ids. Everybody may read it, the store alone writes it.
type Shelf[K cmp.Ordered, V any] struct{ byID map[K]V }

func newShelf[K cmp.Ordered, V any]() Shelf[K, V] { return Shelf[K, V]{map[K]V{}} }

// Get is the object with an id, nil or empty when there is none.
func (s Shelf[K, V]) Get(id K) V { return s.byID[id] }

// Has reports whether there is an object with an id.
func (s Shelf[K, V]) Has(id K) bool {
	_, ok := s.byID[id]
	return ok
}

// Each iterates over the objects in no order.
func (s Shelf[K, V]) Each() iter.Seq[V] { return maps.Values(s.byID) }

// Sorted are the objects in the order of their ids.
func (s Shelf[K, V]) Sorted() []V {
	objects := make([]V, 0, len(s.byID))
	for _, id := range slices.Sorted(maps.Keys(s.byID)) {
		objects = append(objects, s.byID[id])
	}
	return objects
}

func (s Shelf[K, V]) put(id K, object V) { s.byID[id] = object }

func (s Shelf[K, V]) remove(id K) { delete(s.byID, id) }

func (s Shelf[K, V]) clone() Shelf[K, V] { return Shelf[K, V]{maps.Clone(s.byID)} }
