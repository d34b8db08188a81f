package sdk

import (
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Results of an event in capture v1. If the result is warning, PostHog stores the event without its person. If it is
// retry, PostHog does not store the event, and the SDK resends the event.
const (
	resultOK      = "ok"
	resultDrop    = "drop"
	resultWarning = "warning"
	resultRetry   = "retry"
)

// faultDetails are the details of results that a fault sets.
var faultDetails = map[string]string{
	resultDrop: "billing_limit_exceeded", resultWarning: withoutPerson, resultRetry: "not_persisted",
}

// withoutPerson is the reason why PostHog stores an event without its person.
const withoutPerson = "person_processing_disabled"

// Outcome is the result of an event and the reason for it. The zero value is resultOK.
type Outcome struct{ Result, Details string }

// isKept reports whether the server stores the event.
func (o Outcome) isKept() bool { return o.Result != resultDrop && o.Result != resultRetry }

// json encodes the outcome for SDKs.
func (o Outcome) json() wire.Value {
	if o.Result == "" {
		o.Result = resultOK
	}
	object := []wire.Member{{Name: "result", Value: wire.NewText(o.Result)}}
	if o.Details != "" {
		object = append(object, wire.Member{Name: "details", Value: wire.NewText(o.Details)})
	}
	return wire.NewObject(object...)
}

// illegalIDs are distinct IDs, in lower case, that an app sends by mistake. Many respondents would share
// them.
var illegalIDs = strings.Fields(`0 00000000-0000-0000-0000-000000000000 anonymous anonymous-user backend distinct_id distinctid
	email false guest id nan none not_authenticated null system true undefined user`)

// isIllegalID reports whether PostHog rejects a distinct ID as a likely mistake.
func isIllegalID(id string) bool {
	id = strings.ToLower(id)
	return id == "[object object]" || slices.Contains(illegalIDs, id)
}

// outcome determines the result of an event that is size bytes long.
func (e *Event) outcome(size int, hasValidOptions bool) Outcome {
	switch {
	case e.Name == "$performance_event":
		return Outcome{resultDrop, "dropped_performance_event"}
	case len(e.Name) > maxEventName:
		return Outcome{resultDrop, "event_name_too_long"}
	case len(e.DistinctID) > maxDistinctID:
		return Outcome{resultDrop, "distinct_id_too_large"}
	case !e.Properties.IsAbsent() && !e.Properties.IsObject():
		return Outcome{resultDrop, "malformed_event_properties"}
	case !hasValidOptions:
		return Outcome{resultDrop, "invalid_options"}
	case size > maxEvent:
		return Outcome{resultDrop, "event_too_big"}
	case isIllegalID(e.DistinctID):
		return Outcome{resultWarning, withoutPerson}
	}
	return Outcome{}
}

// setResults sets the results that a fault requests. It does not change the results of dropped events.
func setResults(events []Event, results []string) {
	if len(results) == 0 {
		return
	}
	for i := range events {
		if events[i].Outcome.Result == resultDrop {
			continue
		}
		if result := results[min(i, len(results)-1)]; result != resultOK {
			events[i].Outcome = Outcome{result, faultDetails[result]}
		}
	}
}

// resultsResponse returns the response with the results of all events.
func resultsResponse(events []Event) wire.Response {
	var results []wire.Member
	hasRetry := false
	for _, e := range events {
		results = append(results, wire.Member{Name: e.UUID.String(), Value: e.Outcome.json()})
		hasRetry = hasRetry || e.Outcome.Result == resultRetry
	}

	reply := wire.JSONResponse(http.StatusOK, wire.NewObject(wire.Member{Name: "results", Value: wire.NewObject(results...)}))
	if hasRetry {
		reply.Header = http.Header{"Retry-After": {retryAfter}}
	}
	return reply
}
