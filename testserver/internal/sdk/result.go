package sdk

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// The results of an event in capture v1. One that was warned of is kept without its person, one to retry is
// not kept, and may be sent again.
const (
	taken   = "ok"
	dropped = "drop"
	warned  = "warning"
	retried = "retry"
)

// askedDetails are why an event has a result that a fault asks for.
var askedDetails = map[string]string{
	dropped: "billing_limit_exceeded", warned: withoutPerson, retried: "not_persisted",
}

// withoutPerson is why an event is kept without its person.
const withoutPerson = "person_processing_disabled"

// Outcome is what becomes of an event, and why; the zero value is one that is taken.
type Outcome struct{ Result, Details string }

// isKept reports whether the event is kept.
func (o Outcome) isKept() bool { return o.Result != dropped && o.Result != retried }

// json is the outcome as SDKs read it.
func (o Outcome) json() json.RawMessage {
	if o.Result == "" {
		o.Result = taken
	}
	object := wire.Pairs{{Name: "result", Value: wire.Quote(o.Result)}}
	if o.Details != "" {
		object = append(object, wire.Pair{Name: "details", Value: wire.Quote(o.Details)})
	}
	return object.JSON()
}

// illegalIDs are the distinct ids that stand for nobody, in lower case: mistakes of an SDK's caller.
var illegalIDs = strings.Fields(`0 00000000-0000-0000-0000-000000000000 anonymous anonymous-user backend distinct_id distinctid
	email false guest id nan none not_authenticated null system true undefined user`)

// isIllegalID reports whether a distinct id stands for nobody.
func isIllegalID(id string) bool {
	id = strings.ToLower(id)
	return id == "[object object]" || slices.Contains(illegalIDs, id)
}

// outcome is what becomes of an event of some bytes, whose options are valid or not.
func (e *Event) outcome(size int, hasValidOptions bool) Outcome {
	switch {
	case e.Name == "$performance_event":
		return Outcome{dropped, "dropped_performance_event"}
	case len(e.Name) > maxEventName:
		return Outcome{dropped, "event_name_too_long"}
	case len(e.DistinctID) > maxDistinctID:
		return Outcome{dropped, "distinct_id_too_large"}
	case e.Properties != nil && !wire.IsObject(e.Properties):
		return Outcome{dropped, "malformed_event_properties"}
	case !hasValidOptions:
		return Outcome{dropped, "invalid_options"}
	case size > maxEvent:
		return Outcome{dropped, "event_too_big"}
	case isIllegalID(e.DistinctID):
		return Outcome{warned, withoutPerson}
	}
	return Outcome{}
}

// ask gives events the results that a fault asks for; one that is dropped stays dropped.
func ask(events []Event, results []string) {
	if len(results) == 0 {
		return
	}
	for i := range events {
		if events[i].Outcome.Result == dropped {
			continue
		}
		if asked := results[min(i, len(results)-1)]; asked != taken {
			events[i].Outcome = Outcome{asked, askedDetails[asked]}
		}
	}
}

// resultsResponse is the response with the result of each event.
func resultsResponse(events []Event) wire.Response {
	var results wire.Pairs
	isRetried := false
	for _, e := range events {
		results = append(results, wire.Pair{Name: e.UUID.String(), Value: e.Outcome.json()})
		isRetried = isRetried || e.Outcome.Result == retried
	}

	reply := wire.JSONResponse(http.StatusOK, wire.Pairs{{Name: "results", Value: results.JSON()}}.JSON())
	if isRetried {
		reply.Header = http.Header{"Retry-After": {retryAfter}}
	}
	return reply
}
