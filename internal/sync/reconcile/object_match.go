package reconcile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Pair is an object that both sources contain.
type Pair struct{ A, B source.Object }

// Match pairs the objects of two sources. It pairs them by ID if both objects are in the same project,
// and by name otherwise. Objects without a counterpart are missing or extra.
//
// Each object belongs to at most one pair. Among import apps with the same name, Match pairs equal apps
// first, and the others in the order of their IDs.
func Match(a, b []source.Object) (pairs []Pair, missing, extra []source.Object) {
	// Rules for IDs come first. Otherwise, a renamed object could be paired with another object that has
	// its new name.
	return match(a, b, []rule{{idKey, sameID}, {nameKey, sameContent}, {nameKey, sameName}})
}

// rule pairs two objects of the same kind if their keys are equal and same returns true.
type rule struct {
	// key returns an empty string if the rule does not apply to the object.
	key  func(source.Object) string
	same func(a, b source.Object) bool
}

// Keys for rules.
func idKey(o source.Object) string   { return o.ID }
func nameKey(o source.Object) string { return "name " + plainName(o) }

// match pairs objects of the same kind, one rule after the other.
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

// sameID reports whether two values are the same PostHog object. IDs are unique within a project or
// organization of one PostHog instance.
func sameID(a, b source.Object) bool {
	oneService := a.Service == b.Service || a.Service == "" || b.Service == ""
	return a.ID != "" && a.ID == b.ID && a.ParentID == b.ParentID && oneService
}

// sameName reports whether two objects have the same name. It ignores surrounding whitespace, which
// PostHog trims.
func sameName(a, b source.Object) bool { return plainName(a) == plainName(b) }

// plainName returns the name of an object for comparison, even if the name is secret.
func plainName(o source.Object) string {
	name := o.Name
	if secret := o.Attributes["name"]; source.IsSecret(secret) {
		name = fmt.Sprint(source.Plain(secret))
	}
	return strings.TrimSpace(name)
}

// sameContent reports whether two objects have the same name and no other differences.
func sameContent(a, b source.Object) bool { return sameName(a, b) && len(Attributes(a, b)) == 0 }

// inOrder sorts objects by kind, name, and ID. Surveys come first.
func inOrder(objects []source.Object) []source.Object {
	return slices.SortedFunc(slices.Values(objects), func(a, b source.Object) int {
		return cmp.Or(cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
}

// match pairs the objects of two sources for a plan. It pairs them by name, because IDs in different
// projects are unrelated, unless MatchBy is ByID.
func (o Options) match(desired, live []source.Object) (pairs []Pair, missing, extra []source.Object) {
	if o.Match == ByID {
		return Match(desired, live)
	}
	sameURL := func(a, b source.Object) bool {
		return sameName(a, b) && (a.Kind == source.Survey || jsonvalue.Equal(a.Attributes["url"], b.Attributes["url"]))
	}
	return match(desired, live, []rule{{nameKey, sameContent}, {nameKey, sameURL}, {nameKey, sameName}})
}
