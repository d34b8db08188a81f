package delivery

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// PersonChange is what an event says about its person.
type PersonChange struct {
	// IsKnown is set when the person is to be known at all.
	IsKnown bool
	// Alias is a further distinct id of the person; empty for none. Insists is set when an app
	// wants two persons merged, whoever they are.
	Alias   string
	Insists bool
	// Once are properties that the person has from now on unless it has them already, Set those
	// that replace others, and Unset the names of those that are removed.
	Once, Set rawjson.Fields
	Unset     []string
}

// The events that name a further distinct id of a person.
const (
	identify   = "$identify"
	alias      = "$create_alias"
	mergeAnyID = "$merge_dangerously"
)

// unrelated are events that change no properties of a person, whatever they have.
var unrelated = []string{"$groupidentify", "$exception", "$$heatmap"}

// PersonChange is what the event says about its person. Of people who are not to be known, which
// the SDKs mark, nothing is kept.
func (e Event) PersonChange() PersonChange {
	if string(rawjson.Lookup(e.Properties, "$process_person_profile")) == "false" {
		return PersonChange{}
	}
	change := PersonChange{IsKnown: true}
	if slices.Contains(unrelated, e.Name) {
		return change
	}

	switch e.Name {
	case identify:
		change.Alias = idIn(e.Properties, "$anon_distinct_id")
	case alias, mergeAnyID:
		change.Alias, change.Insists = idIn(e.Properties, "alias"), e.Name == mergeAnyID
	}

	change.Once, change.Set = seenProperties(e.Properties)
	for _, holder := range []json.RawMessage{e.Properties, e.raw} {
		change.Once = withMembers(change.Once, rawjson.Lookup(holder, "$set_once"))
		change.Set = withMembers(change.Set, rawjson.Lookup(holder, "$set"))
	}
	change.Unset = namesIn(rawjson.Lookup(e.Properties, "$unset"))
	return change
}

// withMembers adds the members of an object to others. A request may have very many events, most
// of which say nothing: for these there is no map.
func withMembers(fields rawjson.Fields, object json.RawMessage) rawjson.Fields {
	switch {
	case !rawjson.IsObject(object):
		return fields
	case fields == nil:
		return rawjson.Members(object)
	}
	maps.Copy(fields, rawjson.Members(object))
	return fields
}

// namesIn are the strings of a list, or the names of the members of an object.
func namesIn(raw json.RawMessage) []string {
	var names []string
	switch {
	case rawjson.IsObject(raw):
		for name := range rawjson.Members(raw) {
			names = append(names, name)
		}
	case rawjson.IsArray(raw):
		for _, item := range rawjson.Items(raw) {
			if rawjson.IsString(item) {
				names = append(names, rawjson.Unquote(item))
			}
		}
	}
	return names
}
