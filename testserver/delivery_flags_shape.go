package testserver

import (
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

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
func (s flagsShape) members(values []flagValue) rawjson.Pairs {
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
		return rawjson.Pairs{{Name: "flags", Value: rawjson.Encode(details)}}
	}
	return rawjson.Pairs{{Name: "featureFlags", Value: rawjson.Encode(plain)}, {Name: "featureFlagPayloads", Value: rawjson.Encode(payloads)}}
}
