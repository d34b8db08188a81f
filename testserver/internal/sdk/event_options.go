package sdk

import (
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// eventOptions are the options of an event in capture v1.
type eventOptions struct {
	// properties are the event properties that represent the options on other paths.
	properties []wire.Member
	// keepsClock reports whether the event keeps the device's time.
	keepsClock bool
}

// knownOptions maps the options that PostHog reads to properties.
var knownOptions = []struct {
	name, property string
	isText         bool
}{
	{name: "cookieless_mode", property: "$cookieless_mode"},
	{name: "disable_skew_correction", property: "$ignore_sent_at"},
	{name: "product_tour_id", property: "$product_tour_id", isText: true},
	{name: "process_person_profile", property: "$process_person_profile"},
}

// readOptions reads the options of an event. ok is false if they are invalid.
func readOptions(object wire.Value) (options eventOptions, ok bool) {
	if object.IsNull() {
		return options, true
	}
	if !object.IsObject() {
		return options, false
	}

	for _, option := range knownOptions {
		raw := object.Get(option.name)
		if raw.IsNull() {
			continue
		}
		value := booleanOption(raw)
		if option.isText {
			value = textOption(raw)
		}
		if value.IsAbsent() {
			return options, false
		}
		options.properties = append(options.properties, wire.Member{Name: option.property, Value: value})
		options.keepsClock = options.keepsClock || option.property == "$ignore_sent_at" && value.Spelling() == "true"
	}
	return options, true
}

// booleanOption returns a Boolean option in any of the forms that PostHog accepts, and an absent value for
// other forms.
func booleanOption(raw wire.Value) wire.Value {
	switch {
	case raw.IsBool():
		return raw
	case raw.IsText():
		switch strings.ToLower(strings.TrimSpace(raw.Text())) {
		case "true", "1":
			return wire.NewBool(true)
		case "false", "0":
			return wire.NewBool(false)
		}
		return wire.Value{}
	}
	number, err := strconv.ParseFloat(raw.Spelling(), 64)
	if err != nil {
		return wire.Value{}
	}
	return wire.NewBool(number != 0)
}

// textOption returns an option that is a string or an integer, and an absent value for other types.
func textOption(raw wire.Value) wire.Value {
	if raw.IsText() {
		return raw
	}
	if _, err := strconv.ParseInt(raw.Spelling(), 10, 64); err != nil {
		return wire.Value{}
	}
	return wire.NewText(raw.Spelling())
}
