package preview

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

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
