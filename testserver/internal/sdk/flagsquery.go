package sdk

import (
	"encoding/json"
	"maps"
	"net/url"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// flagsQuery is what an app asks about flags: for whom, and which.
type flagsQuery struct {
	person audience.Person
	// isSwitchedOff is set by apps that want no flags.
	isSwitchedOff bool
	// keys are those of the flags asked for; nil for all.
	keys map[string]bool
	// isForSurveys is set when only the flags of surveys are asked for.
	isForSurveys bool
}

// surveyFlagPrefix is what the keys of flags that belong to surveys begin with.
const surveyFlagPrefix = "survey-targeting-"

// readFlagsQuery reads the body of a request for flags. The text says what is wrong with one that
// is refused, and is empty otherwise.
func readFlagsQuery(body json.RawMessage, query url.Values) (q flagsQuery, refusal string) {
	if !wire.IsObject(body) {
		return q, "The request for flags must be a JSON object."
	}
	fields := wire.Members(body)
	get := func(names ...string) json.RawMessage {
		for _, name := range names {
			if !fields.IsNull(name) {
				return fields[name]
			}
		}
		return nil
	}

	id, ok := idOf(get("distinct_id", "$distinct_id"))
	if !ok {
		return q, "The request for flags has no distinct_id, a string or a number that says for whom it is."
	}
	properties, groups, ofGroups := get("person_properties", "$properties"), get("groups", "$groups"), get("group_properties", "$group_properties")
	for name, raw := range map[string]json.RawMessage{"person_properties": properties, "groups": groups, "group_properties": ofGroups} {
		if raw != nil && !wire.IsObject(raw) {
			return q, "The " + name + " of a request for flags must be an object, not " + wire.KindOf(raw) + "."
		}
	}

	q.person = audience.Person{
		DistinctID:  id,
		AnonymousID: wire.Unquote(get("$anon_distinct_id", "anon_distinct_id")),
		DeviceID:    wire.Unquote(get("$device_id", "device_id")),
		Properties:  decodedMembers(properties),
		Groups:      groupsOf(groups, membersOf(ofGroups)),
	}
	if q.person.DeviceID == "" {
		q.person.DeviceID, _ = q.person.Properties["$device_id"].(string)
	}
	q.isSwitchedOff = string(get("disable_flags")) == "true"
	q.keys = keysOf(get("flag_keys_to_evaluate", "flag_keys"))
	q.isForSurveys = isOn(query, "only_evaluate_survey_feature_flags")
	return q, ""
}

// idOf is an id of a person: a string, which may be empty, or a number.
func idOf(raw json.RawMessage) (string, bool) {
	var id string
	switch {
	case wire.IsString(raw):
		id = wire.Unquote(raw)
	case len(raw) > 0 && strings.ContainsRune("-0123456789", rune(raw[0])):
		id = string(raw)
	default:
		return "", false
	}
	letters := []rune(id)
	return string(letters[:min(len(letters), maxDistinctID)]), true
}

// membersOf are the members of an object; none of anything else.
func membersOf(raw json.RawMessage) wire.RawFields {
	if !wire.IsObject(raw) {
		return nil
	}
	return wire.Members(raw)
}

// decodedMembers are the members of an object, decoded; none of anything else.
func decodedMembers(raw json.RawMessage) map[string]any {
	object, _ := decoded(raw).(map[string]any)
	return object
}

func groupsOf(keys json.RawMessage, properties wire.RawFields) map[string]audience.Group {
	groups := map[string]audience.Group{}
	for name, key := range membersOf(keys) {
		groups[name] = audience.Group{Key: decoded(key), Properties: decodedMembers(properties[name])}
	}
	return groups
}

func keysOf(raw json.RawMessage) map[string]bool {
	if !wire.IsArray(raw) {
		return nil
	}
	keys := map[string]bool{}
	for _, item := range wire.Items(raw) {
		keys[wire.Unquote(item)] = true
	}
	return keys
}

func isOn(query url.Values, name string) bool {
	value := strings.ToLower(query.Get(name))
	return value == "true" || value == "1"
}

// asksFor reports whether the value of a flag is asked for.
func (q *flagsQuery) asksFor(flag *evaluatedFlag) bool {
	return !q.isSwitchedOff && (q.keys == nil || q.keys[flag.Key]) && (!q.isForSurveys || strings.HasPrefix(flag.Key, surveyFlagPrefix))
}

// knowFrom adds what is stored of the person; what the request says counts in place of it.
func (q *flagsQuery) knowFrom(properties json.RawMessage) {
	all := decodedMembers(properties)
	if len(all) == 0 {
		return
	}
	maps.Copy(all, q.person.Properties)
	q.person.Properties = all
}
