package wire

import (
	"cmp"
	"slices"
	"strings"
)

// JSONB returns JSON as PostHog's database (jsonb of PostgreSQL) stores it: the keys of every object
// by length, then by their bytes.
func JSONB(v Value) Value {
	switch {
	case v.IsObject():
		members := v.Members()
		slices.SortFunc(members, func(a, b Member) int {
			return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), strings.Compare(a.Name, b.Name))
		})
		for i := range members {
			members[i].Value = JSONB(members[i].Value)
		}
		return NewObject(members...)
	case v.IsArray():
		return MapItems(v, JSONB)
	}
	return v
}

// MergePatch applies an RFC 7396 merge patch: objects are merged, null removes a member, anything
// else replaces. Numbers keep their digits, members are sorted by name.
func MergePatch(target, patch Value) Value {
	if !patch.IsObject() {
		return patch
	}

	merged := target.Fields()
	for name, value := range patch.Fields() {
		if value.IsNull() {
			delete(merged, name)
			continue
		}
		merged[name] = MergePatch(merged[name], value)
	}
	return merged.Object()
}

// MapItems returns an array with every item rewritten.
func MapItems(array Value, rewrite func(Value) Value) Value {
	items := array.Items()
	for i, item := range items {
		items[i] = rewrite(item)
	}
	return NewArray(items...)
}
