package wire

import (
	"cmp"
	"slices"
	"strings"
)

// JSONB returns JSON as PostgreSQL's jsonb stores it in PostHog's database: with the keys of every object
// ordered by length, and then by bytes.
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

// MergePatch applies a JSON merge patch (RFC 7396): it merges objects, removes members that are null, and
// replaces all other values. Numbers keep their digits. Members are sorted by name.
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

// MapItems rewrites every item of an array.
func MapItems(array Value, rewrite func(Value) Value) Value {
	items := array.Items()
	for i, item := range items {
		items[i] = rewrite(item)
	}
	return NewArray(items...)
}
