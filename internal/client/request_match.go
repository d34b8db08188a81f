package client

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// rewrittenFields are fields, at any depth of a survey, that the service computes or
// returns in another form than it was sent: they prove nothing.
var rewrittenFields = []string{
	"_create_in_folder", "targeting_flag_filters", "targeting_flag_id", "remove_targeting_flag",
	"iteration_start_dates", "current_iteration", "current_iteration_start_date", "response_sampling_daily_limits",
	"base_language", "translations",
}

// matchesRequest reports whether an object matches a request: every field of both has the
// same value, compared as JSON. The service may add keys, trim texts, format dates
// differently, clean texts with markup, and return JSON as a string.
func matchesRequest(found, sent any, ignored []string) bool {
	var f, s any
	if !remarshal(found, &f) || !remarshal(sent, &s) {
		return false
	}
	return sameValue(f, s, ignored)
}

func remarshal(value any, into *any) bool {
	raw, err := json.Marshal(value)
	return err == nil && jsonvalue.Unmarshal(raw, into) == nil
}

// sameValue reports whether a found value is equivalent to a sent one.
func sameValue(found, sent any, ignored []string) bool {
	if isBlank(sent) && isBlank(found) {
		return true
	}

	// The service returns some values as a string with their JSON.
	if text, ok := found.(string); ok {
		if _, isText := sent.(string); !isText {
			inside, err := jsonvalue.Decode(text)
			return err == nil && sameValue(inside, sent, ignored)
		}
	}

	switch sent := sent.(type) {
	case map[string]any:
		found, ok := found.(map[string]any)
		return ok && len(sent) > 0 && sameFields(found, sent, ignored)
	case []any:
		found, ok := found.([]any)
		return ok && slices.EqualFunc(found, sent, func(f, s any) bool { return sameValue(f, s, ignored) })
	case string:
		found, ok := found.(string)
		return ok && sameText(found, sent)
	}
	return jsonvalue.Equal(found, sent)
}

// sameFields compares the fields that both sides have.
func sameFields(found, sent map[string]any, ignored []string) bool {
	for name, value := range sent {
		has, ok := found[name]
		if ok && !slices.Contains(ignored, name) && !sameValue(has, value, ignored) {
			return false
		}
	}
	return true
}

// sameText compares texts without surrounding white space, and instants by their time. A
// text with markup counts as equal, since the service may have cleaned it.
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

// isBlank reports whether a value says nothing. A text of white space does not either, since
// the service trims it.
func isBlank(value any) bool {
	text, isText := value.(string)
	return isText && strings.TrimSpace(text) == "" || jsonvalue.IsEmpty(value)
}
