package sdk

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// serveFlags responds with the values that the flags of a project have for a person. A token that
// no project has gets none. The flags are evaluated once the store is free again, since a
// regular expression can take its time.
func serveFlags(x *Call) (wire.Response, *wire.Failure) {
	query := x.Request.URL.Query()
	q, refusal := readFlagsQuery(x.Body, query)
	if refusal != "" {
		return *plainText(http.StatusBadRequest, refusal), nil
	}

	shape := shapeOfFlags(strings.HasPrefix(x.Request.URL.Path, "/decide"), query)
	request := x.IDs().String()
	now := x.Now
	var config wire.Pairs
	flags := &projectFlags{}

	if p := x.project; p != nil {
		if shape.hasConfig {
			config = x.remoteConfig()
		}
		flags = flagsOf(x.Store, p)
		ids := []string{q.person.DistinctID}
		if known := x.Store.Person(p.ID, q.person.DistinctID); known != nil {
			ids = slices.Clone(known.DistinctIDs)
			q.knowFrom(known.Properties)
		}
		q.person.Cohorts = flags.listed(ids)
	}

	x.unlocked = func() wire.Response {
		values := flags.evaluate(&q, now)
		members := append(shape.members(values),
			wire.Pair{Name: "errorsWhileComputingFlags", Value: wire.Bool(false)},
			wire.Pair{Name: "requestId", Value: wire.Quote(request)},
			wire.Pair{Name: "evaluatedAt", Value: wire.Encode(now.UnixMilli())},
		)
		return wire.JSONResponse(http.StatusOK, append(members, config...).JSON())
	}
	return wire.Response{}, nil
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

// flagsShape is how the response to a request for flags is written, which SDKs choose by path and
// version.
type flagsShape struct {
	// hasDetails is set for flags with their reasons, as all present SDKs ask for; without it there
	// are their values alone.
	hasDetails bool
	// hasConfig is set when the remote config stands beside the flags, as SDKs expect that ask
	// for nothing else.
	hasConfig bool
}

func shapeOfFlags(isDecide bool, query url.Values) flagsShape {
	asked := query.Get("v")
	version, err := strconv.Atoi(asked)
	if err != nil {
		version = 1
	}
	isPlain := asked == "" && !query.Has("config")
	return flagsShape{
		hasDetails: isDecide && version >= 4 || !isDecide && (version >= 2 || isPlain),
		hasConfig:  isOn(query, "config") || isDecide && !query.Has("config") || isPlain,
	}
}

// flagDetail is a flag with its value and the reason for it.
type flagDetail struct {
	Key      string       `json:"key"`
	Enabled  bool         `json:"enabled"`
	Variant  *string      `json:"variant"`
	Reason   flagReason   `json:"reason"`
	Metadata flagMetadata `json:"metadata"`
}

type flagReason struct {
	Code        string `json:"code"`
	Condition   *int   `json:"condition_index"`
	Description string `json:"description"`
}

type flagMetadata struct {
	ID            int64           `json:"id"`
	Version       json.RawMessage `json:"version"`
	Description   *string         `json:"description"`
	Payload       json.RawMessage `json:"payload"`
	HasExperiment bool            `json:"has_experiment"`
}

// members are the members of the response that hold the flags.
func (s flagsShape) members(values []flagValue) wire.Pairs {
	details, plain, payloads := map[string]flagDetail{}, map[string]any{}, map[string]json.RawMessage{}
	for _, v := range values {
		d := flagDetail{
			Key: v.Key, Enabled: v.Enabled, Variant: v.Variant, Metadata: flagMetadata{ID: v.ID, Version: v.version, Payload: v.Payload},
			Reason: flagReason{Code: string(v.Reason.Code), Description: v.Reason.Description()},
		}
		if v.Reason.Condition >= 0 {
			d.Reason.Condition = &v.Reason.Condition
		}
		details[v.Key], plain[v.Key] = d, v.Enabled
		if v.Variant != nil {
			plain[v.Key] = v.Variant
		}
		if v.Payload != nil {
			payloads[v.Key] = v.Payload
		}
	}

	if s.hasDetails {
		return wire.Pairs{{Name: "flags", Value: wire.Encode(details)}}
	}
	return wire.Pairs{{Name: "featureFlags", Value: wire.Encode(plain)}, {Name: "featureFlagPayloads", Value: wire.Encode(payloads)}}
}
