package testserver

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// flagsShape is how the response to a request for flags is written, which SDKs choose by path and
// version.
type flagsShape struct {
	append func(b []byte, values []flagValue) []byte
	// hasConfig is set when the remote config stands beside the flags, as SDKs expect that ask
	// for nothing else.
	hasConfig bool
}

// appendFlags appends the members that hold the flags.
func (s flagsShape) appendFlags(b []byte, values []flagValue) []byte { return s.append(b, values) }

func shapeOfFlags(isDecide bool, query url.Values) flagsShape {
	asked := query.Get("v")
	version, err := strconv.Atoi(asked)
	if err != nil {
		version = 1
	}

	shape := flagsShape{append: appendFlagValues, hasConfig: isOn(query, "config")}
	if isDecide && !query.Has("config") || asked == "" && !query.Has("config") {
		shape.hasConfig = true
	}
	switch {
	case isDecide && version >= 4, !isDecide && (version >= 2 || asked == "" && !query.Has("config")):
		shape.append = appendFlagDetails
	case isDecide && version == 2:
		shape.append = appendEnabledFlags
	case isDecide && version != 3:
		shape.append = appendEnabledKeys
	}
	return shape
}

// appendFlagDetails appends the flags with their reasons, as all present SDKs ask for.
func appendFlagDetails(b []byte, values []flagValue) []byte {
	return appendByKey(append(b, `"flags":`...), values, func(b []byte, v flagValue) []byte {
		b = rawjson.AppendQuoted(append(b, `{"key":`...), v.Key)
		b = strconv.AppendBool(append(b, `,"enabled":`...), v.Enabled)
		b = append(b, `,"variant":`...)
		if v.Variant == nil {
			b = append(b, "null"...)
		} else {
			b = rawjson.AppendQuoted(b, *v.Variant)
		}

		b = rawjson.AppendQuoted(append(b, `,"reason":{"code":`...), string(v.Reason.Code))
		b = append(b, `,"condition_index":`...)
		if v.Reason.Condition < 0 {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendInt(b, int64(v.Reason.Condition), 10)
		}
		b = rawjson.AppendQuoted(append(b, `,"description":`...), v.Reason.Description())

		b = strconv.AppendInt(append(b, `},"metadata":{"id":`...), v.ID, 10)
		b = append(append(b, `,"version":`...), v.version...)
		b = append(b, `,"description":null,"payload":`...)
		if v.Payload == nil {
			b = append(b, "null"...)
		}
		b = append(b, v.Payload...)
		return append(b, `,"has_experiment":false}}`...)
	})
}

// appendFlagValues appends the values of the flags, and what goes with them apart.
func appendFlagValues(b []byte, values []flagValue) []byte {
	b = appendByKey(append(b, `"featureFlags":`...), values, appendFlagValue)

	var with []flagValue
	for _, v := range values {
		if v.Payload != nil {
			with = append(with, v)
		}
	}
	return appendByKey(append(b, `,"featureFlagPayloads":`...), with, func(b []byte, v flagValue) []byte {
		return append(b, v.Payload...)
	})
}

// appendEnabledFlags appends the values of the flags that are on.
func appendEnabledFlags(b []byte, values []flagValue) []byte {
	return appendByKey(append(b, `"featureFlags":`...), enabled(values), appendFlagValue)
}

// appendEnabledKeys appends the keys of the flags that are on.
func appendEnabledKeys(b []byte, values []flagValue) []byte {
	return rawjson.AppendArray(append(b, `"featureFlags":`...), slices.All(enabled(values)), func(b []byte, v flagValue) []byte {
		return rawjson.AppendQuoted(b, v.Key)
	})
}

func enabled(values []flagValue) []flagValue {
	var on []flagValue
	for _, v := range values {
		if v.Enabled {
			on = append(on, v)
		}
	}
	return on
}

// appendFlagValue appends the variant of a flag, or whether it is on when it has none.
func appendFlagValue(b []byte, v flagValue) []byte {
	if v.Variant != nil {
		return rawjson.AppendQuoted(b, *v.Variant)
	}
	return strconv.AppendBool(b, v.Enabled)
}

// appendByKey appends an object with a member for each flag.
func appendByKey(b []byte, values []flagValue, appendValue func(b []byte, v flagValue) []byte) []byte {
	b = append(b, '{')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(rawjson.AppendQuoted(b, v.Key), ':')
		b = appendValue(b, v)
	}
	return append(b, '}')
}
