package client

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// rewrittenFields are the fields, at any depth of a survey, that PostHog computes or returns in a
// different form. They are ignored in comparisons.
var rewrittenFields = []string{
	"_create_in_folder", "targeting_flag_filters", "targeting_flag_id", "remove_targeting_flag",
	"iteration_start_dates", "current_iteration", "current_iteration_start_date", "response_sampling_daily_limits",
	"base_language", "translations",
}

// matchesRequest reports whether an object matches a request: every field that both contain has the
// same value when compared as JSON. PostHog may add keys, trim texts, format dates differently,
// clean markup, and return JSON as a string.
func matchesRequest(object, body any, ignored []string) bool {
	var f, s any
	if !remarshal(object, &f) || !remarshal(body, &s) {
		return false
	}
	return matching{ignored: ignored}.sameValue(f, s)
}

// holds reports whether an object certainly contains the values that an update sent. Unlike
// [matchesRequest], it requires every field, and identical text except for surrounding white space.
func holds(object, body any) bool {
	var f, s any
	if !remarshal(object, &f) || !remarshal(body, &s) {
		return false
	}
	fields, isObject := f.(map[string]any)
	expected, ok := s.(map[string]any)
	if !isObject || !ok {
		return false
	}
	addFlagFields(fields)
	for name, value := range expected {
		if actual, ok := fields[name]; !ok || !(matching{isStrict: true}).sameValue(actual, value) {
			return false
		}
	}
	return true
}

// addFlagFields adds to a survey the fields that requests use for its targeting flag.
func addFlagFields(survey map[string]any) {
	flag, ok := survey["targeting_flag"]
	if !ok {
		return
	}
	survey["remove_targeting_flag"] = flag == nil
	if fields, ok := flag.(map[string]any); ok {
		survey["targeting_flag_id"], survey["targeting_flag_filters"] = fields["id"], fields["filters"]
	}
}

// matching configures the comparison of an object with a request.
type matching struct {
	// ignored are fields that do not count.
	ignored []string
	// isStrict makes a missing field equal only to an empty one, and requires identical markup.
	isStrict bool
}

func remarshal(value any, into *any) bool {
	raw, err := json.Marshal(value)
	return err == nil && jsonvalue.Unmarshal(raw, into) == nil
}

// sameValue reports whether a returned value is equivalent to a sent one.
func (m matching) sameValue(actual, expected any) bool {
	if isBlank(expected) && isBlank(actual) {
		return true
	}

	// PostHog returns some values as JSON in a string.
	if text, ok := actual.(string); ok {
		if _, isText := expected.(string); !isText {
			nested, err := jsonvalue.Decode(text)
			return err == nil && m.sameValue(nested, expected)
		}
	}

	switch expected := expected.(type) {
	case map[string]any:
		actual, ok := actual.(map[string]any)
		return ok && len(expected) > 0 && m.sameFields(actual, expected)
	case []any:
		actual, ok := actual.([]any)
		return ok && slices.EqualFunc(actual, expected, func(f, s any) bool { return m.sameValue(f, s) })
	case string:
		actual, ok := actual.(string)
		return ok && m.sameText(actual, expected)
	}
	return jsonvalue.Equal(actual, expected)
}

// sameFields compares the fields of two objects.
func (m matching) sameFields(actual, expected map[string]any) bool {
	for name, value := range expected {
		actualValue, ok := actual[name]
		if (ok || m.isStrict) && !slices.Contains(m.ignored, name) && !m.sameValue(actualValue, value) {
			return false
		}
	}
	return true
}

// sameText compares texts without surrounding white space, and timestamps by time. Text with markup
// counts as equal unless isStrict is set, because PostHog may have cleaned it.
func (m matching) sameText(actual, expected string) bool {
	if strings.TrimSpace(actual) == strings.TrimSpace(expected) || !m.isStrict && strings.ContainsAny(expected, "<&") {
		return true
	}

	f, err := time.Parse(time.RFC3339Nano, actual)
	if err != nil {
		return false
	}
	s, err := time.Parse(time.RFC3339Nano, expected)
	return err == nil && f.Equal(s)
}

// isBlank reports whether a value is empty. This includes white space, because PostHog trims it.
func isBlank(value any) bool {
	text, isText := value.(string)
	return isText && strings.TrimSpace(text) == "" || jsonvalue.IsEmpty(value)
}

// hasNaturalKey reports whether an app may be the one to create: the URLs match, or the names match if
// either the app or the request has no URL.
func hasNaturalKey(app api.PipelineImportApp, body api.PipelineImportAppRequest) bool {
	address, _ := body.URL.Get()
	if foundAddress, err := app.URL.Get(); err == nil && address != "" {
		return withoutQuery(foundAddress) == withoutQuery(address)
	}

	name, _ := body.Name.Get()
	foundName, _ := app.Name.Get()
	return strings.TrimSpace(foundName) == strings.TrimSpace(name)
}

// withoutQuery returns a URL as PostHog shows it: without the query, which may contain a token.
func withoutQuery(address string) string {
	address, _, _ = strings.Cut(strings.TrimSpace(address), "?")
	return address
}

// fieldsFromCode returns the fields that PostHog fills from the code at a URL.
func fieldsFromCode(address string) []string {
	if address == "" {
		return nil
	}
	return []string{"url", "name", "description", "icon", "tag", "config_schema", "public_jobs", "capabilities", "metrics", "plugin_type"}
}

// isURLConflict reports whether an app with the URL is already installed, in this organization or
// another one.
func isURLConflict(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusBadRequest && strings.HasSuffix(strings.TrimSuffix(e.Detail, "!"), "already installed")
}
