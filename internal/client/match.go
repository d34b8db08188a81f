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
func matchesRequest(object, body any, ignored []string) bool {
	var f, s any
	if !remarshal(object, &f) || !remarshal(body, &s) {
		return false
	}
	return matching{ignored: ignored}.sameValue(f, s)
}

// holds reports whether an object certainly has what an update sent: every field, unlike
// [matchesRequest], and to the letter but for white space around it.
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

// addFlagFields adds to a survey the fields that requests have for its targeting flag.
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

// matching says how a found value is compared with a sent one.
type matching struct {
	// ignored are fields that prove nothing.
	ignored []string
	// isStrict is set if a field that is not found is empty, and text with markup is itself.
	isStrict bool
}

func remarshal(value any, into *any) bool {
	raw, err := json.Marshal(value)
	return err == nil && jsonvalue.Unmarshal(raw, into) == nil
}

// sameValue reports whether a found value is equivalent to a sent one.
func (m matching) sameValue(actual, expected any) bool {
	if isBlank(expected) && isBlank(actual) {
		return true
	}

	// The service returns some values as a string with their JSON.
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

// sameText compares texts without surrounding white space, and instants by their time. A
// text with markup counts as equal, since the service may have cleaned it.
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

// isBlank reports whether a value says nothing. A text of white space does not either, since
// the service trims it.
func isBlank(value any) bool {
	text, isText := value.(string)
	return isText && strings.TrimSpace(text) == "" || jsonvalue.IsEmpty(value)
}

// hasNaturalKey reports whether a found app may be the one to create: by its address, or
// by its name where one of them has no address.
func hasNaturalKey(app api.PipelineImportApp, body api.PipelineImportAppRequest) bool {
	address, _ := body.URL.Get()
	if foundAddress, err := app.URL.Get(); err == nil && address != "" {
		return withoutQuery(foundAddress) == withoutQuery(address)
	}

	name, _ := body.Name.Get()
	foundName, _ := app.Name.Get()
	return strings.TrimSpace(foundName) == strings.TrimSpace(name)
}

// withoutQuery is an address as the service shows it: a query may hold a token.
func withoutQuery(address string) string {
	address, _, _ = strings.Cut(strings.TrimSpace(address), "?")
	return address
}

// fieldsFromCode are the fields that the service fills from the code at the address.
func fieldsFromCode(address string) []string {
	if address == "" {
		return nil
	}
	return []string{"url", "name", "description", "icon", "tag", "config_schema", "public_jobs", "capabilities", "metrics", "plugin_type"}
}

// isURLConflict reports whether an app from the address is installed, in this
// organization or another.
func isURLConflict(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusBadRequest && strings.HasSuffix(strings.TrimSuffix(e.Detail, "!"), "already installed")
}
