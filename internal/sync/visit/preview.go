package visit

import (
	"html/template"
	"net/http"
	"net/url"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
)

// rendererStyle is the hash of the only stylesheet that the renderer adds to a page. If this stylesheet
// changes, browsers report a violation of the policy with the new hash.
const rendererStyle = "sha256-pe9WpxnnJw6N46e35WA1JkiLkXDxgh2fITKjbCaQyfY="

// policy allows a page to load only from its own server, and blocks inline scripts and stylesheets. It
// allows style attributes, because survey texts contain them, respondents see their effect, and they cannot
// run scripts.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' '" + rendererStyle + "'; style-src-attr 'unsafe-inline'; " +
	"img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Preview serves a list of surveys at / and a page for each survey at /surveys/LABEL. guard decides which
// requests are allowed.
func Preview(surveys []Survey, guard *web.Guard) http.Handler {
	return guardPages("preview", guard, routes(surveys))
}

// routes returns the handler for the preview's paths.
func routes(surveys []Survey) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		writePage(w, pages, "list.html", policy, list{Surveys: surveys, Renderer: RendererVersion()})
	})
	mux.HandleFunc("GET /surveys/{label}", func(w http.ResponseWriter, r *http.Request) {
		i := slices.IndexFunc(surveys, func(s Survey) bool { return s.Label == r.PathValue("label") })
		if i < 0 {
			http.NotFound(w, r)
			return
		}
		writePage(w, pages, "survey.html", policy, surveys[i].view(r.URL.Query()))
	})

	mux.Handle("GET /assets/", noSniff(http.FileServerFS(assets)))
	// The renderer's translation module imports two functions from its package.
	mux.HandleFunc("GET /renderer/utils/index.mjs", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, assets, "assets/predicates.js")
	})
	mux.Handle("GET /renderer/", noSniff(http.StripPrefix("/renderer/", http.FileServerFS(web.PosthogJS()))))
	return mux
}

// RendererVersion returns the version of the posthog-js that renders the surveys.
func RendererVersion() string { return web.PosthogJSVersion() }

// list contains the values for the template of the survey list.
type list struct {
	Surveys  []Survey
	Renderer string
}

// view contains the values for the template of a survey's page.
type view struct {
	Survey

	// Data is the input of the page's script.
	Data data
	Flow template.HTML
	// Renderer is the version of posthog-js.
	Renderer string
	// Controls lets the user select what the page shows.
	Controls []control
}

// data is the input of the page's script.
type data struct {
	Survey map[string]any `json:"survey"`
	Shown  shownState     `json:"shown"`
	Intro  bool           `json:"intro"`
	Thanks bool           `json:"thanks"`
	Tab    bool           `json:"tab"`
}

// shownState is a page's initial state: a screen, a language, and a device. Language is empty for the
// survey's original language. Device is empty for the device that fits the window.
type shownState struct {
	Question Screen `json:"question"`
	Language string `json:"language"`
	Device   Device `json:"device"`
}

// Device is a type of device that respondents use.
type Device string

// The devices.
const (
	Desktop Device = "desktop"
	Phone   Device = "phone"
)

// control is a row of choices. Each choice is a link.
type control struct {
	Name    string
	Choices []choice
}

// choice is one of a control's choices. Its key and value are part of the URL query.
type choice struct{ Key, Value, Label string }

// Link returns the URL of a choice.
func (c choice) Link() string { return query(c.Key, c.Value) }

// query returns a relative URL for the same page with the given query.
func query(key, value string) string { return "?" + url.Values{key: {value}}.Encode() }

// view returns the values for a survey's page in the requested state.
func (s Survey) view(params url.Values) view {
	link := func(place string) string { return query("question", place) }
	return view{
		Survey: s, Renderer: RendererVersion(), Controls: s.controls(),
		Data: data{Survey: s.wire, Shown: s.parseState(params), Intro: hasIntro(s.wire), Thanks: hasThanks(s.wire), Tab: hasTab(s.wire)},
		// The rendered flow has already escaped all texts.
		Flow: template.HTML(flow.LinkedSVG(s.Name, s.flow, link)), //nolint:gosec // escaped
	}
}

// parseState returns the requested state. It replaces unsupported values with defaults.
func (s Survey) parseState(params url.Values) shownState {
	state := shownState{
		Question: Screen(params.Get("question")), Language: params.Get("language"), Device: Device(params.Get("device")),
	}

	if state.Question != End && !slices.Contains(s.screens(), state.Question) {
		state.Question = s.first()
	}
	if !slices.Contains(s.Languages, state.Language) {
		state.Language = ""
	}
	if state.Device != Desktop && state.Device != Phone {
		state.Device = ""
	}
	return state
}

// first returns the first screen that respondents see.
func (s Survey) first() Screen {
	switch {
	case hasIntro(s.wire):
		return Intro
	case len(s.flow) > 0:
		return question(0)
	}
	return End
}

// controls returns the controls that apply to a survey.
func (s Survey) controls() []control {
	screens := control{Name: "Screen"}
	for _, screen := range append(s.screens(), End) {
		label, isNamed := map[Screen]string{Tab: "Tab", Intro: "Intro", question(0): "Questions", End: "End"}[screen]
		isListed := slices.ContainsFunc(screens.Choices, func(c choice) bool { return c.Value == string(screen) })
		if isNamed && !isListed {
			screens.Choices = append(screens.Choices, choice{"question", string(screen), label})
		}
	}

	controls := []control{screens}
	if len(s.Languages) > 0 {
		languages := control{Name: "Language", Choices: []choice{{"language", "", "Original"}}}
		for _, language := range s.Languages {
			languages.Choices = append(languages.Choices, choice{"language", language, language})
		}
		controls = append(controls, languages)
	}
	return append(controls, control{Name: "Device", Choices: []choice{{"device", string(Desktop), "Desktop"}, {"device", string(Phone), "Phone"}}})
}
