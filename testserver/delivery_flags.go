package testserver

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// serveFlags responds with the values that the flags of a project have for a person. A token that
// no project has gets none. The flags are evaluated once the store is free again, since a
// regular expression can take its time.
func serveFlags(x *exchange) (response, *field.Failure) {
	query := x.request.URL.Query()
	q, refusal := readFlagsQuery(x.delivery.body, query)
	if refusal != "" {
		return *plainText(http.StatusBadRequest, refusal), nil
	}

	shape := shapeOfFlags(strings.HasPrefix(x.request.URL.Path, "/decide"), query)
	request := x.ids().String()
	now := x.now()
	var config rawjson.Pairs
	flags := &projectFlags{}

	if p := x.delivery.project; p != nil {
		if shape.hasConfig {
			config = x.remoteConfig()
		}
		flags = x.contents.flags.ofProject(x.store, p)
		ids := []string{q.person.DistinctID}
		if known := x.store.Person(p.ID, q.person.DistinctID); known != nil {
			ids = slices.Clone(known.DistinctIDs)
			q.knowFrom(known.Properties)
		}
		q.person.Cohorts = flags.listed(ids)
	}

	x.delivery.unlocked = func() response {
		values := flags.evaluate(&q, now)
		members := append(shape.members(values),
			rawjson.Member{Name: "errorsWhileComputingFlags", Value: rawjson.Boolean(false)},
			rawjson.Member{Name: "requestId", Value: rawjson.Quote(request)},
			rawjson.Member{Name: "evaluatedAt", Value: rawjson.Encode(now.UnixMilli())},
		)
		return x.withObject(append(members, config...))
	}
	return response{}, nil
}

// flagValue is a flag with its value for a person.
type flagValue struct {
	*evaluatedFlag
	audience.Value
	// Payload is what an app gets with the value; nil for none.
	Payload json.RawMessage
}

// evaluate decides about the flags that are asked for.
func (p *projectFlags) evaluate(q *flagsQuery, now time.Time) []flagValue {
	evaluator := p.Evaluator(&q.person, now)
	values := []flagValue{}
	for _, flag := range p.served {
		if !q.asksFor(flag) {
			continue
		}
		value := flagValue{evaluatedFlag: flag, Value: evaluator.Value(flag.Flag)}
		switch {
		case value.Variant != nil:
			value.Payload = flag.payloads[*value.Variant]
		case value.Enabled:
			value.Payload = flag.payloads["true"]
		}
		values = append(values, value)
	}
	return values
}
