package page

// Faults are the rules by which the server misbehaves.
type Faults struct {
	Rules []Rule
	// Operations are the operations that a rule can select.
	Operations []string
	// Draft is a rule that was refused, for its author to correct.
	Draft string
}

// Rule is an active rule.
type Rule struct {
	// Number identifies the rule.
	Number int64
	// JSON is the rule as it was set.
	JSON string
	// Hits is the number of requests that it hit.
	Hits int64
}

// HitsText formats the number of hits.
func (r Rule) HitsText() string {
	if r.Hits == 0 {
		return "no hit yet"
	}
	return count(r.Hits, "hit")
}

// Group is a kind of common faults.
type Group struct {
	Name    string
	Presets []Preset
}

// Preset is a common fault for which the page has a button.
type Preset struct {
	// Name is its name in forms, Label the text of the button and Title a description.
	Name, Label, Title string
	// Effect is the JSON of the effects of its rule.
	Effect string
}

// Groups are the most common faults by kind.
func (Faults) Groups() []Group { return groups }

// PresetNamed finds a preset.
func PresetNamed(name string) (Preset, bool) {
	for _, group := range groups {
		for _, preset := range group.Presets {
			if preset.Name == name {
				return preset, true
			}
		}
	}
	return Preset{}, false
}

var groups = []Group{
	{"Refuse", []Preset{
		{"429", "429 Too Many Requests", "Refuse, and ask to wait for two seconds", `{"status":429,"retry_after":"2"}`},
		{"403", "403 Forbidden", "Refuse for lack of a permission", `{"status":403}`},
		{"500", "500 Internal Server Error", "Fail without doing the work", `{"status":500}`},
		{"503", "503 Service Unavailable", "Refuse like a service that is down", `{"status":503}`},
		{"throttle", "10 requests a minute", "Refuse requests above the limit", `{"throttle":{"requests":10,"per_seconds":60}}`},
	}},
	{"Connection", []Preset{
		{"slow", "Wait 5 seconds", "Wait for five seconds before the work", `{"delay_ms":5000}`},
		{"drop-before", "Drop before the work", "Close the connection without doing the work", `{"drop":"before"}`},
		{"drop-after", "Drop after the work", "Do the work, and close the connection without a response", `{"drop":"after"}`},
		{"cut", "Cut the response", "Close the connection after 20 bytes of the response", `{"cut_body":20}`},
	}},
	{"Content", []Preset{
		{"html", "HTML page", "Respond with a web page, like a proxy or a login", `{"html":true}`},
		{"reorder", "Reorder keys", "Send every object with its keys in reverse order", `{"reorder_keys":true}`},
		{"empty", "Empty for null", "Send the empty string in place of null", `{"empty_for_null":true}`},
	}},
}
