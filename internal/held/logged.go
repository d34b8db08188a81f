package held

import (
	"maps"
	"slices"
	"time"
)

// Change is a change of a value, as a log of the service has it.
type Change[T any] struct {
	Before, After T
	// At is when it was made, by the clock of the service; zero where the log does not say.
	At time.Time
}

// Since are the changes that were made since a value was last the applied one. changes are
// all that the log has, newest first, live is the value now. It returns nil where that
// cannot be told: the log does not reach back so far, or lacks a change.
//
// What is older than the newest time of the applied value may be older than the write that
// the code was applied with, so it says nothing about the code.
func Since[T any](applied, live T, changes []Change[T], isSame func(a, b T) bool) []Change[T] {
	value := live
	for i, change := range changes {
		if isSame(value, applied) {
			return changes[:i]
		}
		if !isSame(value, change.After) {
			return nil
		}
		value = change.Before
	}
	if isSame(value, applied) {
		return changes
	}
	return nil
}

// NoteChanges adds to what an attribute was what a log says of it. changes are newest first.
// It returns false when that is nothing.
func (v Values) NoteChanges(name string, changes []Change[any]) bool {
	changed := false
	for _, change := range slices.Backward(changes) {
		if v.Note(map[string]any{name: change.Before}, map[string]any{name: change.After}) {
			changed = true
		}
	}
	return changed
}

// IsSame reports whether two values of an attribute are the same to [Values].
func IsSame(name string, a, b any) bool {
	was, is := map[string]string{}, map[string]string{}
	flatten(name, a, was)
	flatten(name, b, is)
	return maps.Equal(was, is)
}
