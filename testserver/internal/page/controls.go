package page

import (
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// Faults is the section with the fault rules.
type Faults struct {
	Rules []Rule
	// Operations are the operations that a rule can select.
	Operations []string
	// Draft is a refused rule, which the form shows again for correction.
	Draft string
}

// Rule is an active rule.
type Rule struct {
	// Number identifies the rule.
	Number int64
	// JSON is the rule as the user entered it.
	JSON string
	// Hits is the number of requests that the rule affected.
	Hits int64
}

// HitsText formats the number of hits.
func (r Rule) HitsText() string {
	if r.Hits == 0 {
		return "no hit yet"
	}
	return count(r.Hits, "hit")
}

// Group is a group of similar presets.
type Group struct {
	Name    string
	Presets []Preset
}

// Preset is a common fault for which the page has a button.
type Preset struct {
	// Name is the preset's name in forms, Label is the text of its button, and Title describes it.
	Name, Label, Title string
	// Effect is the JSON of the rule's effects.
	Effect string
}

// Groups returns the presets by group.
func (Faults) Groups() []Group { return groups }

// FindPreset returns the preset with the given name.
func FindPreset(name string) (Preset, bool) {
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
		{"500", "500 Internal Server Error", "Fail without processing the request", `{"status":500}`},
		{"503", "503 Service Unavailable", "Refuse like a service that is down", `{"status":503}`},
		{"throttle", "10 requests a minute", "Refuse requests above the limit", `{"throttle":{"requests":10,"per_seconds":60}}`},
	}},
	{"Connection", []Preset{
		{"slow", "Wait 5 seconds", "Wait for five seconds before processing the request", `{"delay_ms":5000}`},
		{"drop-before", "Drop before processing", "Close the connection without processing the request", `{"drop":"before"}`},
		{"drop-after", "Drop after processing", "Process the request, and close the connection without a response", `{"drop":"after"}`},
		{"cut", "Cut the response", "Close the connection after 20 bytes of the response", `{"cut_body":20}`},
	}},
	{"Content", []Preset{
		{"html", "HTML page", "Respond with a web page, like a proxy or a login", `{"html":true}`},
		{"reorder", "Reorder keys", "Send every object with its keys in reverse order", `{"reorder_keys":true}`},
		{"empty", "Empty for null", "Send the empty string instead of null", `{"empty_for_null":true}`},
	}},
}

// Notice is the result of a form, or an error about the page's URL.
type Notice struct {
	// Form is the form next to which the notice is shown. The zero value is the top of the page.
	Form Form
	Text string
	// Problem reports whether the form failed and changed nothing.
	Problem bool
}

// Form identifies a form that shows its own notice.
type Form string

// The forms.
const (
	RulesForm   Form = "rules"
	PresetForm  Form = "preset"
	RuleForm    Form = "rule"
	ClockForm   Form = "clock"
	StoreForm   Form = "store"
	RemovedForm Form = "removed"
	JournalForm Form = "journal"
)

var forms = map[Form]bool{RulesForm: true, PresetForm: true, RuleForm: true, ClockForm: true, StoreForm: true, RemovedForm: true, JournalForm: true}

// Tab returns the section that contains the form.
func (f Form) Tab() string {
	switch f {
	case RulesForm, PresetForm, RuleForm:
		return FaultsTab
	case ClockForm:
		return ClockTab
	case RemovedForm:
		return AppsTab
	default:
		return ""
	}
}

// FindForm returns the form with the given name, or "" if it does not exist.
func FindForm(name string) Form {
	if form := Form(name); forms[form] {
		return form
	}
	return ""
}

// results maps the words that a URL may contain to the results of forms. A URL can't put any other text
// on the page.
var results = map[string]string{
	"on":        "Switched on.",
	"off":       "Switched off.",
	"no-faults": "No fault is active.",
	"runs":      "The clock runs.",
	"stopped":   "The clock is stopped.",
	"jobs":      "The periodic jobs have run.",
	"reset":     "The store was reset. The journal and the faults are unchanged.",
	"empty":     "The journal is empty.",
	"removed":   "The import app routes are removed. The apps stay in the store.",
	"back":      "The import app routes are restored.",
}

// Result returns the result for a word in a URL, or "" if there is none.
func Result(word string) string { return results[word] }

// FormNotice returns the notice of a form. It is empty unless this form was sent last.
func (p *Page) FormNotice(form Form) Notice {
	if p.Notice.Form == form {
		return p.Notice
	}
	return Notice{Form: form}
}

// ID returns the ID of the notice's element.
func (n Notice) ID() string {
	if n.Form == "" {
		return "notice"
	}
	return string(n.Form) + "-notice"
}

// maxCurlBody is the maximum length of a body in a command line. It is below Linux's limit for one
// argument.
const maxCurlBody = 100 << 10

// Curl returns a command that repeats a request. The command reads the API key from the environment.
func Curl(method, address, contentType, body string) string {
	parts := []string{"curl"}
	if strings.ContainsAny(address, "[]{}") { // curl would expand these characters
		parts = append(parts, "--globoff")
	}
	switch {
	case method == "GET" && body == "":
	case method == "HEAD" && body == "":
		parts = append(parts, "--head")
	default:
		parts = append(parts, "-X "+escape.Shell(method))
	}

	parts = append(parts, escape.Shell(address), `-H "Authorization: Bearer $POSTHOG_API_KEY"`)
	if body == "" {
		return strings.Join(parts, " ")
	}
	// curl adds a Content-Type to every body unless an empty header disables it.
	parts = append(parts, "-H "+escape.Shell(strings.TrimSpace("Content-Type: "+contentType)))
	if len(body) > maxCurlBody {
		return strings.Join(append(parts, "--data-binary @body"), " ")
	}
	return strings.Join(append(parts, "--data-raw "+escape.Shell(body)), " ")
}
