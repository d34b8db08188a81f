package preview

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Picture is a picture of a screen of a survey, in a language and on a device.
type Picture struct {
	Survey Survey
	Screen Screen
	// Language is empty for the texts as they are without a translation.
	Language string
	Device   Device
	// File is the name of the picture: no other one of the surveys has it.
	File string
}

// Words say what a picture shows.
func (p Picture) Words() string {
	words := map[Screen]string{Tab: "the tab", Intro: "the intro screen", End: "the message at the end"}[p.Screen]
	if place, err := strconv.Atoi(string(p.Screen)); err == nil {
		words = fmt.Sprintf("question %d of %d (place %d)", place+1, p.Survey.Size(), place)
	}
	if p.Language != "" {
		words += ", " + p.Language
	}
	return words + ", " + string(p.Device)
}

// address is the path of the page that shows it.
func (p Picture) address() string {
	asked := url.Values{"question": {string(p.Screen)}, "language": {p.Language}, "device": {string(p.Device)}}
	return "/surveys/" + url.PathEscape(p.Survey.Label) + "?" + asked.Encode()
}

// pictures are all pictures of a survey, in the order in which respondents see the screens.
// taken are the names that those of other surveys have.
func (s Survey) pictures(taken map[string]bool) []Picture {
	var all []Picture
	for _, language := range append([]string{""}, s.Languages...) {
		for _, device := range []Device{Desktop, Phone} {
			for _, screen := range s.Screens() {
				p := Picture{Survey: s, Screen: screen, Language: language, Device: device}
				p.File = unique(p.name(), taken) + ".png"
				all = append(all, p)
			}
		}
	}
	return all
}

// notInNames is what no part of the name of a picture has: a language is a text of other
// people.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9-]+`)

// name names the file of a picture, without its extension. Names of questions sort by their
// places.
func (p Picture) name() string {
	parts := []string{p.Survey.Label}
	if p.Language != "" {
		parts = append(parts, strings.Trim(notInNames.ReplaceAllString(p.Language, "-"), "-"))
	}
	if p.Device != Desktop {
		parts = append(parts, string(p.Device))
	}

	screen := string(p.Screen)
	if place, err := strconv.Atoi(screen); err == nil {
		screen = fmt.Sprintf("%0*d", max(2, len(strconv.Itoa(p.Survey.Size()-1))), place)
	}
	return strings.Join(append(parts, screen), "_")
}
