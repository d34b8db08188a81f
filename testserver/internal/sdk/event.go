// Package sdk serves the requests that SDKs make in apps: the list of surveys, the values of flags,
// scripts, events of browsers and mobile devices, and PostHog's page for an external survey. It also
// reports which surveys a person is offered, and why the others are not offered.
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

// maxDistinctID is the length to which PostHog shortens distinct IDs.
const maxDistinctID = 200

// maxEvent is the maximum size of an event in PostHog.
const maxEvent = 1 << 20

// ErrEventTooLarge is the error for an event above PostHog's size limit.
var ErrEventTooLarge = fmt.Errorf("maximum event size exceeded: an event has more than %d bytes", maxEvent)

// aheadAtMost is how far an event's time may be in the future. PostHog replaces a later time with the current time.
const aheadAtMost = 23 * time.Hour

// oldestOffset is the maximum age of an event. PostHog treats an older time as a mistake.
const oldestOffset = 50 * 365 * 24 * time.Hour

// Errors for events that PostHog refuses, in PostHog's words.
var (
	errEmpty        = errors.New("empty batch")
	errNoEvent      = errors.New("event submitted with an empty event name")
	errNoDistinctID = errors.New("event submitted without a distinct_id")
	errTokens       = errors.New("batch submitted with inconsistent api_key values")
)

// Event is an event that an app sent.
type Event struct {
	// UUID is zero if the SDK sent none.
	UUID       uuid.UUID
	Name       string
	DistinctID string
	// At is the time of the event by the server's clock.
	At time.Time
	// Properties is a JSON object.
	Properties wire.Value
	// Outcome is the result of the event.
	Outcome Outcome
	// raw is the whole event, which may contain person properties. It is absent in capture v1.
	raw wire.Value
}

// Events returns the events of a body that arrived at now. The body is an event, a list, or a batch.
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

// splitEvents returns the encoded events of a body.
func splitEvents(body wire.Value) []wire.Value {
	if batch := body.Get("batch"); batch.IsArray() {
		return batch.Items()
	}
	if body.IsArray() {
		return body.Items()
	}
	return []wire.Value{body}
}

// Names returns the event names in a body, in the order in which they first occur, and the number of
// events with each name.
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
	// The server replaces an invalid or missing ID with a new one.
	e.UUID, _ = uuid.Parse(memberText(raw, "uuid"))
	return e, nil
}

// distinctIDText returns a distinct ID as text. PostHog accepts any value except null.
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

// eventTime returns the time of an event by the server's clock. The device's clock may be wrong, so eventTime prefers
// the offset between the event and the time at which it was sent. Without an offset, it uses the event's timestamp.
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

// byServerClock converts a device time to the server's clock. The server's clock showed now when the
// device's clock showed sentAt.
func byServerClock(date, sentAt, now time.Time) time.Time { return now.Add(-sentAt.Sub(date)) }

// plausible returns date, or now if date is too far in the future or in the past.
func plausible(date, now time.Time) time.Time {
	if date.After(now.Add(aheadAtMost)) || date.Before(now.Add(-oldestOffset)) {
		return now
	}
	return date
}

// parseDate parses the date in a JSON string.
func parseDate(raw wire.Value) (time.Time, bool) {
	if !raw.IsText() {
		return time.Time{}, false
	}
	return wire.ParseTimestamp(raw.Text())
}

// PersonChange is a change to a person that an event contains.
type PersonChange struct {
	// IsKnown reports whether PostHog stores the person.
	IsKnown bool
	// Alias is a further distinct ID of the person, or empty. Insists is true if the app requests that
	// PostHog merges the two persons even if both are identified.
	Alias   string
	Insists bool
	// Once are properties to set unless the person already has them, Set are properties to set or
	// replace, and Unset are the names of properties to remove.
	Once, Set wire.Fields
	Unset     []string
}

// Events that contain a further distinct ID of a person.
const (
	identify   = "$identify"
	alias      = "$create_alias"
	mergeAnyID = "$merge_dangerously"
)

// groupIdentify is the event that contains the properties of a group.
const groupIdentify = "$groupidentify"

// unrelated are events that never change the properties of a person.
var unrelated = []string{groupIdentify, "$exception", "$$heatmap"}

// PersonChange returns the person change that the event contains. It is empty if the SDK asks PostHog not
// to store the person.
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

// withMembers adds the members of an object to a map. It allocates nothing for an event without such
// members, which is the most common case in large requests.
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

// listNames returns the strings in a list, or the names of an object's members.
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

// propertyNames are the event properties that PostHog also stores in the person. They describe the page,
// the device, and the campaign.
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

// seenProperties returns the person properties that every event sets: the initial values, which PostHog
// keeps, and the latest values.
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
