package reconcile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Pair is an object of both sources.
type Pair struct{ A, B source.Object }

// Match pairs the objects of two sources: by id if both have it in the same project, else by
// name. Objects without a counterpart are missing or extra. Each object is paired once: of
// several import apps with one name, those that are the same with each other, the rest in
// the order of ids.
func Match(a, b []source.Object) (pairs []Pair, missing, extra []source.Object) {
	// Ids come first: a renamed object must not be paired with another one of its new name.
	return match(a, b, []rule{{idKey, sameID}, {nameKey, sameContent}, {nameKey, sameName}})
}

// rule says when two objects of one kind are a pair: they have one key, and are the same.
type rule struct {
	// key is empty for an object that has no pair by this rule.
	key  func(source.Object) string
	same func(a, b source.Object) bool
}

// idKey and nameKey are the keys by which objects are paired.
func idKey(o source.Object) string   { return o.ID }
func nameKey(o source.Object) string { return "name " + plainName(o) }

// match pairs objects of the same kind, rule by rule.
func match(a, b []source.Object, rules []rule) (pairs []Pair, missing, extra []source.Object) {
	isTaken := make([]bool, len(b))
	missing, b = inOrder(a), inOrder(b)
	for _, rule := range rules {
		places := map[string][]int{}
		for i, candidate := range b {
			if key := rule.key(candidate); key != "" && !isTaken[i] {
				places[key] = append(places[key], i)
			}
		}
		missing = slices.DeleteFunc(missing, func(object source.Object) bool {
			for _, i := range places[rule.key(object)] {
				if !isTaken[i] && b[i].Kind == object.Kind && rule.same(object, b[i]) {
					isTaken[i] = true
					pairs = append(pairs, Pair{object, b[i]})
					return true
				}
			}
			return false
		})
	}

	for i, candidate := range b {
		if !isTaken[i] {
			extra = append(extra, candidate)
		}
	}
	return pairs, missing, extra
}

// sameID reports whether two objects are the same object: ids are unique within a project
// or organization of a service.
func sameID(a, b source.Object) bool {
	oneService := a.Service == b.Service || a.Service == "" || b.Service == ""
	return a.ID != "" && a.ID == b.ID && a.ParentID == b.ParentID && oneService
}

// sameName reports whether two objects have the same name, ignoring surrounding white
// space, which the service trims.
func sameName(a, b source.Object) bool { return plainName(a) == plainName(b) }

// plainName is the name of an object for comparing, also where it must not be printed.
func plainName(o source.Object) string {
	name := o.Name
	if secret := o.Attributes["name"]; source.IsSecret(secret) {
		name = fmt.Sprint(source.Plain(secret))
	}
	return strings.TrimSpace(name)
}

// sameContent reports whether two objects have the same name and do not differ.
func sameContent(a, b source.Object) bool { return sameName(a, b) && len(Attributes(a, b)) == 0 }

// inOrder sorts objects by kind, name and id: surveys first.
func inOrder(objects []source.Object) []source.Object {
	return slices.SortedFunc(slices.Values(objects), func(a, b source.Object) int {
		return cmp.Or(cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
}

// match pairs the objects of two sources for a plan: by name, since the ids of two projects
// have nothing to do with each other, unless by id.
func (o Options) match(desired, live []source.Object) (pairs []Pair, missing, extra []source.Object) {
	if o.Match == ByID {
		return Match(desired, live)
	}
	sameURL := func(a, b source.Object) bool {
		return sameName(a, b) && (a.Kind == source.Survey || jsonvalue.Equal(a.Attributes["url"], b.Attributes["url"]))
	}
	return match(desired, live, []rule{{nameKey, sameContent}, {nameKey, sameURL}, {nameKey, sameName}})
}
