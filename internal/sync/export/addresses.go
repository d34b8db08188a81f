package export

import (
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// An address is made of the name and the id of an object, so a second export gives the same
// one. A renamed object gets a moved block for each address that it had.

// defaultAddress returns the address that an object has by itself.
func defaultAddress(o object) code.Address { return code.NewAddress(o.Type, o.name, o.id) }

// unusedAddress is the address of an object. Two of one name whose ids end alike get longer
// ones.
func (x *run) unusedAddress(o object) code.Address {
	address := defaultAddress(o)
	if x.taken[address] {
		return code.NewLongAddress(o.Type, o.name, o.id)
	}
	return address
}

// recordMove returns the earlier addresses of an object, oldest first, and reports a new one.
func (x *run) recordMove(key code.Key, current code.Address) []code.Address {
	earlier, isKnown := x.directory.Exported[key]
	if !isKnown {
		return nil
	}
	former := x.directory.Former(earlier.Address)
	if earlier.Address == current {
		return former
	}
	x.report.Moved = append(x.report.Moved, Move{earlier.Address.String(), current.String()})
	return append(former, earlier.Address)
}

// dropFormer drops former addresses that are in use again, as by an object that got its old
// name back.
func (x *run) dropFormer() {
	for i, e := range x.entries {
		x.entries[i].former = slices.DeleteFunc(slices.Clone(e.former), func(a code.Address) bool { return x.taken[a] })
	}
}
