package export

import (
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/exportdir"
	"strings"
)

// add renders an object, keeps its blocks of an earlier export or leaves it out. All of that
// is decided before it is rendered, which takes much longer.
func (x *run) add(o object) error {
	if x.seen[o.Key] {
		return nil // the list changed while it was read, so the object is on two pages
	}
	x.seen[o.Key] = true

	selected := x.selects(o.name)
	earlier, known := x.directory.Exported[o.Key]
	file, elsewhere := x.importedIn(o)
	switch {
	case elsewhere && x.directory.Ownership[file] == exportdir.Edited:
		x.report.Kept++
		x.keptAny = true
		return nil
	case elsewhere && x.Unmanaged:
		x.report.Skipped++
		return nil
	case elsewhere && selected:
		return refuse("%s imports %s %s already: leave out what other files manage with --only unmanaged", file, nounOf(addressOf(o).Type), o.id)
	case !x.Managed[o.Key] && selected:
		return x.addDeclared(o)
	case known && earlier.Text != nil:
		x.keep(earlier)
	case x.Managed[o.Key]:
		x.report.Skipped++
	}
	return nil
}

// importedIn is the file outside of the export that imports an object, by its import id or
// by its own id alone.
func (x *run) importedIn(o object) (file string, ok bool) {
	if file, ok = x.directory.Written.Imported[o.Key]; ok {
		return file, true
	}
	file, ok = x.directory.Written.Imported[exportdir.Key{Type: o.Type, ImportID: o.id}]
	return file, ok
}

// addDeclared renders an object, unless another file declares a resource of its address.
func (x *run) addDeclared(o object) error {
	address := x.unusedAddress(o)
	if file, declared := x.directory.Written.Resources[address]; declared {
		if x.Unmanaged {
			x.report.Skipped++
			return nil
		}
		return refuse("%s declares %s already: leave out what other files manage with --only unmanaged", file, address)
	}
	x.taken[address] = true
	if x.Remember != nil {
		if err := x.Remember(o.live); err != nil {
			return err
		}
	}
	return x.queue.push(entry{Key: o.Key, Address: address, former: x.moved(o.Key, address)}, o.render)
}

// keep keeps the blocks of an earlier export.
func (x *run) keep(earlier exportdir.Exported) {
	x.report.Kept++
	x.keptAny = true
	x.taken[earlier.Address] = true
	x.entries = append(x.entries, entry{Key: earlier.Key, Address: earlier.Address, former: x.directory.Former(earlier.Address), text: earlier.Text})
}

// nounOf is the noun for the objects of a resource type.
func nounOf(typ string) string {
	return strings.ReplaceAll(strings.TrimPrefix(typ, "posthog_"), "_", " ")
}
