package testserver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// RemovedImportApps names the import apps among what is removed from a server: the routes with
// pipeline_import_apps in their path. The scope plugin goes with them, since no other route
// asks for it; keys that have it keep it.
const RemovedImportApps = "pipeline_import_apps"

// removable is what can be removed, each by the part of the path that its routes have.
var removable = []string{RemovedImportApps}

// checkRemovable refuses names that are not removable.
func checkRemovable(names []string) error {
	for _, name := range names {
		if !slices.Contains(removable, name) {
			return fmt.Errorf("%q cannot be removed, only %s", name, strings.Join(removable, ", "))
		}
	}
	return nil
}

// SetRemoved removes routes, as the service does when it gives up an API: each of their
// requests, with or without a key, gets 404 "Endpoint not found." from then on. What is not
// named is there again. The objects stay in the store, and nobody but the methods of the
// server, the fixtures and the page sees them. See [RemovedImportApps].
func (d *direct) SetRemoved(names ...string) error {
	if err := checkRemovable(names); err != nil {
		return fmt.Errorf("removed: %w", err)
	}
	names = slices.Compact(slices.Sorted(slices.Values(names)))

	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	d.contents.store.Removed = names
	d.contents.removed.Store(&names)
	return nil
}

// Removed is what is removed from the server.
func (d *direct) Removed() []string { return slices.Clone(d.contents.removedNames()) }

// removedNames is what is removed, for readers that do not hold the lock.
func (c *contents) removedNames() []string {
	if names := c.removed.Load(); names != nil {
		return *names
	}
	return nil
}

// isRemoved reports whether a route is removed from the contents of a server.
func (r *route) isRemoved(c *contents) bool {
	return r != nil && slices.ContainsFunc(c.removedNames(), func(name string) bool { return slices.Contains(r.segments, name) })
}

// readRemoved reads the key removed: a list of names.
func readRemoved(o *strictjson.Object) []string {
	if !o.Has("removed") || o.Fields.IsNull("removed") {
		return nil
	}
	names := o.Texts("removed")
	if err := checkRemovable(names); err != nil && o.Err == nil {
		o.Fail("removed", "%s", err)
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}
