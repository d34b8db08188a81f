package sdk

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// eventOptions are the options of an event.
type eventOptions struct {
	// properties are the options as the properties that other paths have.
	properties wire.Pairs
	// keepsClock is set when the time of the event stays as it was raw.
	keepsClock bool
}

// knownOptions are the options that PostHog reads, each with its property.
var knownOptions = []struct {
	name, property string
	isText         bool
}{
	{name: "cookieless_mode", property: "$cookieless_mode"},
	{name: "disable_skew_correction", property: "$ignore_sent_at"},
	{name: "product_tour_id", property: "$product_tour_id", isText: true},
	{name: "process_person_profile", property: "$process_person_profile"},
}

// readOptions reads options; false for those that are not valid.
func readOptions(object json.RawMessage) (options eventOptions, ok bool) {
	if wire.IsNull(object) {
		return options, true
	}
	if !wire.IsObject(object) {
		return options, false
	}

	for _, option := range knownOptions {
		raw := wire.Lookup(object, option.name)
		if wire.IsNull(raw) {
			continue
		}
		value := booleanOption(raw)
		if option.isText {
			value = textOption(raw)
		}
		if value == nil {
			return options, false
		}
		options.properties = append(options.properties, wire.Pair{Name: option.property, Value: value})
		options.keepsClock = options.keepsClock || option.property == "$ignore_sent_at" && string(value) == "true"
	}
	return options, true
}

// booleanOption is an option that is a boolean, in any of the forms that PostHog reads; nil for others.
func booleanOption(raw json.RawMessage) json.RawMessage {
	switch raw[0] {
	case 't', 'f':
		return raw
	case '"':
		switch strings.ToLower(strings.TrimSpace(wire.Unquote(raw))) {
		case "true", "1":
			return wire.Bool(true)
		case "false", "0":
			return wire.Bool(false)
		}
		return nil
	}
	number, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return nil
	}
	return wire.Bool(number != 0)
}

// textOption is an option that is a text or a whole number; nil for others.
func textOption(raw json.RawMessage) json.RawMessage {
	if wire.IsString(raw) {
		return raw
	}
	if _, err := strconv.ParseInt(string(raw), 10, 64); err != nil {
		return nil
	}
	return wire.Quote(string(raw))
}
