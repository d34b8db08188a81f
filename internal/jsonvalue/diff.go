package jsonvalue

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Path leads to a part of a value: keys of objects, which are strings, and indexes of lists,
// which are ints.
type Path []any

// String returns the path as diagnostics write it: questions[0].branching.type.
func (p Path) String() string { return p.Below("") }

// Below is [Path.String] of a value that is itself at a path.
func (p Path) Below(start string) string {
	var text strings.Builder
	text.WriteString(start)
	for _, step := range p {
		switch step := step.(type) {
		case int:
			text.WriteString("[" + strconv.Itoa(step) + "]")
		case string:
			if text.Len() > 0 {
				text.WriteString(".")
			}
			text.WriteString(step)
		}
	}
	return text.String()
}

// Diff calls a function for each part in which two values differ, sorted by path. Objects
// are compared key by key, lists element by element where they are equally long: otherwise
// the list is one difference. A missing key is nil. There is no call exactly if the values
// are [Equal].
func Diff(a, b any, visit func(path Path, a, b any)) { diff(nil, a, b, visit) }

func diff(path Path, a, b any, visit func(path Path, a, b any)) {
	objectA, okA := a.(map[string]any)
	objectB, okB := b.(map[string]any)
	if okA && okB {
		for _, key := range Keys(objectA, objectB) {
			diff(append(path, key), objectA[key], objectB[key], visit)
		}
		return
	}

	listA, okA := a.([]any)
	listB, okB := b.([]any)
	if okA && okB && len(listA) == len(listB) {
		for i := range listA {
			diff(append(path, i), listA[i], listB[i], visit)
		}
		return
	}

	if !Equal(a, b) {
		visit(slices.Clone(path), a, b)
	}
}

// Keys returns the keys of all of the objects, sorted.
func Keys(objects ...map[string]any) []string {
	all := map[string]any{}
	for _, object := range objects {
		maps.Copy(all, object)
	}
	return slices.Sorted(maps.Keys(all))
}
