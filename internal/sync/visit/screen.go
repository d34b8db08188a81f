package visit

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// Screen is one thing that respondents see: a question, by its place, or one of the others.
type Screen string

// The screens that are no questions.
const (
	// Tab is the tab at the border of the window that opens a widget.
	Tab Screen = "tab"
	// Intro is what comes before the first question.
	Intro Screen = "intro"
	// End is what comes after the last question: the thank-you message, or nothing.
	End Screen = "end"
)

// question is the screen of the question at a place.
func question(place int) Screen { return Screen(strconv.Itoa(place)) }

// Screens are what respondents may see of a survey, in the order in which they do.
func (s Survey) Screens() []Screen {
	var screens []Screen
	if hasTab(s.wire) {
		screens = append(screens, Tab)
	}
	if hasIntro(s.wire) {
		screens = append(screens, Intro)
	}
	for place := range s.flow {
		screens = append(screens, question(place))
	}
	if hasThanks(s.wire) {
		screens = append(screens, End)
	}
	return screens
}

// appearance is the appearance of a survey.
func appearance(wire map[string]any) map[string]any {
	look, _ := wire["appearance"].(map[string]any)
	return look
}

// hasTab reports whether a tab opens the survey.
func hasTab(wire map[string]any) bool {
	return wire["type"] == "widget" && appearance(wire)["widgetType"] == "tab"
}

// hasIntro reports whether respondents see an intro screen: one without a text is left out.
func hasIntro(wire map[string]any) bool {
	look := appearance(wire)
	header, _ := look["introScreenHeader"].(string)
	description, _ := look["introScreenDescription"].(string)
	return look["displayIntroScreen"] == true && header+description != ""
}

// hasThanks reports whether respondents see a message at the end.
func hasThanks(wire map[string]any) bool { return appearance(wire)["displayThankYouMessage"] == true }

// languages are the languages of the translations of a survey and of its questions.
func languages(wire map[string]any) []string {
	found := map[string]bool{}
	add := func(of map[string]any) {
		translations, _ := of["translations"].(map[string]any)
		for language := range translations {
			found[language] = true
		}
	}

	add(wire)
	questions, _ := wire["questions"].([]any)
	for _, asked := range questions {
		if attributes, ok := asked.(map[string]any); ok {
			add(attributes)
		}
	}
	return slices.Sorted(maps.Keys(found))
}

var (
	// described are the keys whose texts may be HTML.
	described = regexp.MustCompile(`(?i)description$`)
	// styleURL is an address in a style.
	styleURL = regexp.MustCompile(`(?i)url\(\s*["']?([^"')\s]+)`)
	// host is a name or an address with a port, as a policy can name it.
	host = regexp.MustCompile(`^[A-Za-z0-9.-]+(:[0-9]+)?$`)
)

// imageOrigins are the origins of the images in the texts of a survey, in all languages.
func imageOrigins(wire map[string]any) []string {
	found := map[string]bool{}
	var walk func(key string, value any)
	walk = func(key string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for inner, of := range value {
				walk(inner, of)
			}
		case []any:
			for _, element := range value {
				walk(key, element)
			}
		case string:
			if described.MatchString(key) {
				addOrigins(value, found)
			}
		}
	}

	walk("", wire)
	return slices.Sorted(maps.Keys(found))
}

// addOrigins adds the origins of the images in a text.
func addOrigins(text string, found map[string]bool) {
	tokens := html.NewTokenizer(strings.NewReader(text))
	for tokens.Next() != html.ErrorToken {
		token := tokens.Token()
		for _, attribute := range token.Attr {
			switch {
			case attribute.Key == "src" && token.Data == "img":
				addOrigin(attribute.Val, found)
			case attribute.Key == "style":
				for _, match := range styleURL.FindAllStringSubmatch(attribute.Val, -1) {
					addOrigin(match[1], found)
				}
			}
		}
	}
}

// addOrigin adds the origin of an address. What has none is of the page itself.
func addOrigin(address string, found map[string]bool) {
	parsed, err := url.Parse(strings.TrimSpace(address))
	if err != nil || !host.MatchString(parsed.Host) {
		return
	}

	switch parsed.Scheme {
	case "http", "https":
		found[parsed.Scheme+"://"+strings.ToLower(parsed.Host)] = true
	case "":
		// As on a page over http; a policy that names it allows https, too.
		found["http://"+strings.ToLower(parsed.Host)] = true
	}
}
