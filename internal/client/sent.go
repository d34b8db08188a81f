package client

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"time"
)

// What the service works out itself or tells in another form than it was sent, at
// any depth of a survey: such fields prove nothing.
var rewritten = []string{
	"_create_in_folder", "targeting_flag_filters", "targeting_flag_id", "remove_targeting_flag",
	"iteration_start_dates", "current_iteration", "current_iteration_start_date", "response_sampling_daily_limits",
	"base_language", "translations",
}

// tells reports whether an object of the service is what a request asked for: every
// field that was sent and that the object tells has the value sent, by the meaning
// of its JSON. The service may fill in more keys, trim texts, write dates otherwise,
// clean texts that hold markup, and write JSON inside of text.
func tells(found, sent any, ignored []string) bool {
	var f, s any
	if !remarshal(found, &f) || !remarshal(sent, &s) {
		return false
	}
	return meansSame(f, s, ignored)
}

func remarshal(value any, into *any) bool {
	raw, err := json.Marshal(value)
	if err != nil {
		return false
	}
	return decodeNumbers(raw, into)
}

func decodeNumbers(raw []byte, into *any) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into) == nil
}

func meansSame(found, sent any, ignored []string) bool {
	if isNothing(sent) {
		return isNothing(found)
	}
	if text, ok := found.(string); ok {
		if _, same := sent.(string); !same {
			var inside any
			return decodeNumbers([]byte(text), &inside) && meansSame(inside, sent, ignored)
		}
	}
	switch sent := sent.(type) {
	case map[string]any:
		found, ok := found.(map[string]any)
		return ok && sameFields(found, sent, ignored)
	case []any:
		found, ok := found.([]any)
		return ok && slices.EqualFunc(found, sent, func(f, s any) bool { return meansSame(f, s, ignored) })
	case string:
		found, ok := found.(string)
		return ok && sameText(found, sent)
	case json.Number:
		found, ok := found.(json.Number)
		return ok && sameNumber(found, sent)
	}
	return found == sent
}

// sameFields compares what both sides tell.
func sameFields(found, sent map[string]any, ignored []string) bool {
	for name, value := range sent {
		told, ok := found[name]
		if ok && !slices.Contains(ignored, name) && !meansSame(told, value, ignored) {
			return false
		}
	}
	return true
}

func sameText(found, sent string) bool {
	if strings.TrimSpace(found) == strings.TrimSpace(sent) || strings.ContainsAny(sent, "<&") {
		return true
	}
	f, err := time.Parse(time.RFC3339Nano, found)
	if err != nil {
		return false
	}
	s, err := time.Parse(time.RFC3339Nano, sent)
	return err == nil && f.Equal(s)
}

func sameNumber(found, sent json.Number) bool {
	f, ok := new(big.Rat).SetString(found.String())
	if !ok {
		return false
	}
	s, ok := new(big.Rat).SetString(sent.String())
	return ok && f.Cmp(s) == 0
}

// isNothing tells null and what the service may store in its place.
func isNothing(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case bool:
		return !value
	case string:
		return strings.TrimSpace(value) == ""
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return false
}
