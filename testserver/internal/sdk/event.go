// Package sdk serves the requests that SDKs make in apps: the list of surveys, the values of flags,
// scripts, events of browsers and mobile devices, and the page that PostHog hosts for an external
// survey. It also reports which surveys a person is offered, and why not the others.
package sdk

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// maxDistinctID is the length to which PostHog cuts the ID of a person.
const maxDistinctID = 200

// maxEvent is the size of the largest event that PostHog takes.
const maxEvent = 1 << 20

// ErrEventTooLarge is the error for an event that is larger than PostHog takes.
var ErrEventTooLarge = fmt.Errorf("maximum event size exceeded: an event has more than %d bytes", maxEvent)

// aheadAtMost is how far an event may be ahead of the server: one that is further happened now.
const aheadAtMost = 23 * time.Hour

// oldestOffset is how long ago an event can have happened; a date before that is a mistake.
const oldestOffset = 50 * 365 * 24 * time.Hour

// The errors for events that PostHog refuses, with its words.
var (
	errEmpty        = errors.New("empty batch")
	errNoEvent      = errors.New("event submitted with an empty event name")
	errNoDistinctID = errors.New("event submitted without a distinct_id")
	errTokens       = errors.New("batch submitted with inconsistent api_key values")
)

// Event is something that happened in an app.
type Event struct {
	// UUID is zero when the SDK gives none.
	UUID       uuid.UUID
	Name       string
	DistinctID string
	// At is when it happened, by the server's clock.
	At time.Time
	// Properties are a JSON object.
	Properties wire.Value
	// Outcome is the result of the event.
	Outcome Outcome
	// raw is the whole event, where it may have parts of a person's properties; nil in capture v1.
	raw wire.Value
}

// Events returns the events of a body that arrived at a time: one of them, a list, or a batch.
func Events(body wire.Value, now time.Time) ([]Event, error) {
	raw := splitEvents(body)
	sentAt := body.Get("sent_at")
	if len(raw) == 0 {
		return nil, errEmpty
	}

	if !shareToken(body, raw) {
		return nil, errTokens
	}

	events := make([]Event, 0, min(len(raw), 1000))
	for _, raw := range raw {
		if len(raw.Spelling()) > maxEvent {
			return nil, ErrEventTooLarge
		}
		e, err := readEvent(raw)
		if err != nil {
			return nil, err
		}
		e.At = eventTime(raw, sentAt, now)
		events = append(events, e)
	}
	return events, nil
}

// splitEvents returns the events of a body as they are written.
func splitEvents(body wire.Value) []wire.Value {
	if batch := body.Get("batch"); batch.IsArray() {
		return batch.Items()
	}
	if body.IsArray() {
		return body.Items()
	}
	return []wire.Value{body}
}

// Names returns the names of the events of a body in the order in which they first occur, with the
// number of each.
func Names(body wire.Value) (names []string, counts map[string]int) {
	counts = map[string]int{}
	for _, raw := range splitEvents(body) {
		name := memberText(raw, "event")
		if counts[name]++; counts[name] == 1 {
			names = append(names, name)
		}
	}
	return names, counts
}

func readEvent(raw wire.Value) (Event, error) {
	e := Event{Name: memberText(raw, "event"), Properties: raw.Get("properties"), raw: raw}
	if !e.Properties.IsObject() {
		e.Properties = wire.EmptyObject
	}
	if e.Name == "" {
		return e, errNoEvent
	}

	for _, holder := range []wire.Value{raw, e.Properties} {
		if e.DistinctID == "" {
			e.DistinctID = distinctIDText(holder, "distinct_id")
		}
	}
	if e.DistinctID == "" {
		return e, errNoDistinctID
	}
	// An ID of another form is as good as none: the server makes one.
	e.UUID, _ = uuid.Parse(memberText(raw, "uuid"))
	return e, nil
}

// distinctIDText returns the distinct ID in an object: any value that is not null, as its text.
func distinctIDText(holder wire.Value, name string) string {
	raw := holder.Get(name)
	id := raw.Spelling()
	switch {
	case raw.IsNull():
		return ""
	case raw.IsText():
		id = raw.Text()
	}
	letters := []rune(id)
	return string(letters[:min(len(letters), maxDistinctID)])
}

func memberText(object wire.Value, name string) string {
	if raw := object.Get(name); raw.IsText() {
		return raw.Text()
	}
	return ""
}

// eventTime is when an event happened. The clock of the device may be wrong, so the time from the
// event until it was sent counts; without that time, the date that it was given.
func eventTime(raw, sentAt wire.Value, now time.Time) time.Time {
	offset, err := strconv.ParseInt(raw.Get("offset").Spelling(), 10, 64)
	if err == nil && offset >= 0 && offset <= oldestOffset.Milliseconds() {
		return now.Add(-time.Duration(offset) * time.Millisecond)
	}

	date, ok := parseDate(raw.Get("timestamp"))
	if !ok {
		return now
	}
	if sentAt.IsNull() {
		sentAt = raw.Get("sent_at")
	}
	if deviceTime, isSent := parseDate(sentAt); isSent {
		date = byServerClock(date, deviceTime, now)
	}
	return plausible(date, now)
}

// byServerClock returns a time of a device by the server's clock, which shows now when the device's shows sent.
func byServerClock(date, sentAt, now time.Time) time.Time { return now.Add(-sentAt.Sub(date)) }

// plausible returns a time, or now for one that is too far ahead or too long ago.
func plausible(date, now time.Time) time.Time {
	if date.After(now.Add(aheadAtMost)) || date.Before(now.Add(-oldestOffset)) {
		return now
	}
	return date
}

// parseDate returns the date in a JSON string.
func parseDate(raw wire.Value) (time.Time, bool) {
	if !raw.IsText() {
		return time.Time{}, false
	}
	return wire.ParseTimestamp(raw.Text())
}

// PersonChange is what an event says about its person.
type PersonChange struct {
	// IsKnown is set when the person is to be known at all.
	IsKnown bool
	// Alias is a further distinct ID of the person; it is empty if there is none. Insists is set when an app
	// wants two persons merged, whoever they are.
	Alias   string
	Insists bool
	// Once are properties that the person has from now on unless it has them already, Set those
	// that replace others, and Unset the names of those that are removed.
	Once, Set wire.Fields
	Unset     []string
}

// The events that name a further distinct ID of a person.
const (
	identify   = "$identify"
	alias      = "$create_alias"
	mergeAnyID = "$merge_dangerously"
)

// groupIdentify is the event that says what a group has.
const groupIdentify = "$groupidentify"

// unrelated are events that change no properties of a person, whatever they have.
var unrelated = []string{groupIdentify, "$exception", "$$heatmap"}

// PersonChange is what the event says about its person. Of people who are not to be known, which
// the SDKs mark, nothing is kept.
func (e Event) PersonChange() PersonChange {
	if e.Outcome.Result == resultWarning || e.Properties.Get("$process_person_profile").Spelling() == "false" {
		return PersonChange{}
	}
	change := PersonChange{IsKnown: true}
	if slices.Contains(unrelated, e.Name) {
		return change
	}

	switch e.Name {
	case identify:
		change.Alias = distinctIDText(e.Properties, "$anon_distinct_id")
	case alias, mergeAnyID:
		change.Alias, change.Insists = distinctIDText(e.Properties, "alias"), e.Name == mergeAnyID
	}

	change.Once, change.Set = seenProperties(e.Properties)
	for _, holder := range []wire.Value{e.Properties, e.raw} {
		change.Once = withMembers(change.Once, holder.Get("$set_once"))
		change.Set = withMembers(change.Set, holder.Get("$set"))
	}
	change.Unset = listNames(e.Properties.Get("$unset"))
	return change
}

// withMembers adds the members of an object to a map. A request may have many events, most of them
// without such members: for these, withMembers allocates nothing.
func withMembers(fields wire.Fields, object wire.Value) wire.Fields {
	switch {
	case !object.IsObject():
		return fields
	case fields == nil:
		return object.Fields()
	}
	maps.Copy(fields, object.Fields())
	return fields
}

// listNames returns the strings of a list, or the names of the members of an object.
func listNames(raw wire.Value) []string {
	var names []string
	switch {
	case raw.IsObject():
		for name := range raw.Fields() {
			names = append(names, name)
		}
	case raw.IsArray():
		for _, item := range raw.Items() {
			if item.IsText() {
				names = append(names, item.Text())
			}
		}
	}
	return names
}

// propertyNames are the properties of events that PostHog also keeps of their person: where and with
// what the app is used, and which campaign led there.
var propertyNames = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`$app_build $app_name $app_namespace $app_version
		$browser $browser_version $device_type $current_url $pathname $os $os_name $os_version $referring_domain $referrer
		$screen_height $screen_width $viewport_height $viewport_width $raw_user_agent
		utm_source utm_medium utm_campaign utm_content utm_name utm_term gclid gad_source gclsrc dclid gbraid wbraid
		fbclid msclkid twclid li_fat_id mc_cid igshid ttclid rdt_cid irclid _kx epik qclid sccid`) {
		names[name] = true
	}
	return names
}()

// seenProperties returns the properties of a person that come with each event: the first ones, which
// stay, and the latest.
func seenProperties(properties wire.Value) (first, latest wire.Fields) {
	for _, m := range properties.Members() {
		name := m.Name
		if !propertyNames[name] {
			continue
		}
		if name == "$os_name" {
			name = "$os"
		}
		if latest == nil {
			first, latest = wire.Fields{}, wire.Fields{}
		}
		latest[name] = m.Value
		first["$initial_"+strings.TrimPrefix(name, "$")] = m.Value
	}
	return first, latest
}
