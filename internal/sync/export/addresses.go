package export

import (
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// An address consists of an object's name and ID, so a second export produces the same address. If an
// object was renamed, the export writes a moved block for each previous address.

// defaultAddress returns the address of an object, ignoring conflicts with other objects.
func defaultAddress(o object) code.Address { return code.NewAddress(o.Type, o.name, o.id) }

// unusedAddress returns an address for an object that no other object uses. If two objects have the same
// name and similar IDs, their addresses contain a longer part of the ID.
func (x *run) unusedAddress(o object) code.Address {
	address := defaultAddress(o)
	if x.taken[address] {
		return code.NewLongAddress(o.Type, o.name, o.id)
	}
	return address
}

// recordMove returns the previous addresses of an object, oldest first, and reports a new address.
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

// dropFormer drops previous addresses that are in use again, for example because an object got its old
// name back.
func (x *run) dropFormer() {
	for i, e := range x.entries {
		x.entries[i].former = slices.DeleteFunc(slices.Clone(e.former), func(a code.Address) bool { return x.taken[a] })
	}
}
