package evaluation

import (
	"encoding/json"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Person is somebody for whom flags are evaluated: what is stored of the person, with what
// the request says on top.
type Person struct {
	DistinctID string
	// AnonymousID is the id of the same person before signing in; empty for none.
	AnonymousID string
	// DeviceID is empty where none is known.
	DeviceID string
	// KeptIDs are, by the keys of flags that keep the experience, the ids by which a person
	// was spread first.
	KeptIDs map[string]string
	// Properties are valid, compact JSON by their names.
	Properties rawjson.Fields
	// Groups are the groups of the person by the names of their types.
	Groups map[string]Group
	// Cohorts are the ids of the static cohorts that the person is in.
	Cohorts map[int64]bool
	// Partial is set where only a part is known: a property or a group that is not here may
	// be there.
	Partial bool
}

// Group is a group that a person belongs to: a company, say.
type Group struct {
	// Key is a text or a number in JSON; anything else is no group.
	Key        json.RawMessage
	Properties rawjson.Fields
}

// id is what the group is spread by; empty for none.
func (g Group) id() string {
	switch kindOf(g.Key) {
	case textKind, numberKind:
		return wordOf(g.Key)
	default:
		return ""
	}
}

// bag is where the properties come from that a condition asks for.
type bag struct {
	fields rawjson.Fields
	// computed are properties that are not stored.
	computed func(key string) (json.RawMessage, bool)
}

func (b bag) get(key string) (json.RawMessage, bool) {
	if raw, ok := b.fields[key]; ok {
		return raw, true
	}
	return b.computed(key)
}

func (p *Person) bag() bag { return bag{p.Properties, p.computed} }

// computed are the distinct id as a property, and the present value of a property whose
// first value is not stored yet.
func (p *Person) computed(key string) (json.RawMessage, bool) {
	if key == "distinct_id" {
		return rawjson.Quote(p.DistinctID), true
	}

	rest, isFirst := strings.CutPrefix(key, "$initial_")
	switch {
	case !isFirst || p.Partial:
		return nil, false
	case eventProperties[rest]:
		rest = "$" + rest
	case !campaignProperties[rest]:
		return nil, false
	}
	raw, ok := p.Properties[rest]
	return raw, ok
}

func (g Group) bag() bag {
	return bag{g.Properties, func(key string) (json.RawMessage, bool) { return g.Key, key == "$group_key" && g.id() != "" }}
}

// eventProperties and campaignProperties are the properties of which the service keeps
// the first value too, under a name of its own.
var (
	eventProperties = setOf("app_build app_name app_namespace app_version browser browser_version device_type current_url " +
		"pathname os os_version referring_domain referrer screen_height screen_width viewport_height viewport_width raw_user_agent")
	campaignProperties = setOf("utm_source utm_medium utm_campaign utm_content utm_term gclid gad_source gclsrc dclid gbraid " +
		"wbraid fbclid msclkid twclid li_fat_id mc_cid igshid ttclid rdt_cid epik qclid sccid irclid _kx")
)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}
