package audience

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Never reports survey settings that no page and no person can meet.
func (s *Survey) Never() []Finding {
	c, _ := s.conditions()
	var findings []Finding
	findings = append(findings, c.neverOnURL()...)
	return append(findings, c.neverOnTriggers()...)
}

// CannotOpen reports a widget that nothing opens.
func (s *Survey) CannotOpen() []Finding {
	var appearance struct {
		Type     string `json:"widgetType"`
		Selector string `json:"widgetSelector"`
	}
	isWidget := json.Unmarshal([]byte(cmp.Or(toText(s.Appearance), "null")), &appearance) == nil && s.Type == "widget"
	switch {
	case isWidget && appearance.Type == "":
		return []Finding{{Failed, "display", `appearance.widgetType is not set, so nothing opens the widget: set it to "tab" or "selector", or to "button" if your own code opens it`}}
	case isWidget && appearance.Type == "selector" && appearance.Selector == "":
		return []Finding{{Failed, "display", `appearance.widgetType is "selector", but appearance.widgetSelector is not set: set it to the CSS selector of the element that opens the survey`}}
	}
	return nil
}

// neverOnURL reports a URL condition that no page can meet. A condition that excludes pages is reported if it excludes
// no page.
func (c conditions) neverOnURL() []Finding {
	say := func(result Result, format string, args ...any) []Finding {
		return []Finding{{result, "conditions", fmt.Sprintf(format, args...)}}
	}
	result, effect := Failed, "matches no page"
	if strings.HasPrefix(c.URLMatchType, "not_") || c.URLMatchType == "is_not" {
		result, effect = Warning, "excludes no page"
	}

	switch c.URLMatchType {
	case "regex", "not_regex":
		if _, err := compileScript(c.URL); err != nil {
			return say(result, "url %q is not a regular expression, so it %s: %v", c.URL, effect, err)
		}
		return nil
	case "", "exact", "is_not", "icontains", "not_icontains":
	default:
		return nil
	}

	if encoded := encodedURL(c.URL); encoded != c.URL {
		if trimmed := strings.TrimSpace(c.URL); trimmed != c.URL {
			return say(result, "url %q starts or ends with a space, which no page URL does, so it %s: remove the space, as in %q", c.URL, effect, trimmed)
		}
		return say(result, "url %q contains characters that browsers encode, so it %s: write %s", c.URL, effect, encoded)
	}
	if placeholder := placeholders.FindString(c.URL); placeholder != "" {
		return say(Warning, "%q in url %q is compared literally, so it %s unless a page URL contains exactly this text: remove it, or set urlMatchType = %q and use a pattern",
			placeholder, c.URL, effect, regexType(c.URLMatchType))
	}
	if address := addressLike(c.URL); address != "" && (c.URLMatchType == "exact" || c.URLMatchType == "is_not") {
		replacement := "icontains"
		if c.URLMatchType == "is_not" {
			replacement = "not_icontains"
		}
		return say(result, "urlMatchType is %q, and no page has the URL %q: use a complete URL, such as %s, or set urlMatchType = %q", c.URLMatchType, c.URL, address, replacement)
	}
	return nil
}

// regexType returns the match type for a pattern that includes or excludes pages like matchType.
func regexType(matchType string) string {
	if strings.HasPrefix(matchType, "not_") || matchType == "is_not" {
		return "not_regex"
	}
	return "regex"
}

// placeholders matches common placeholders for arbitrary text: wildcards and route parameters.
var placeholders = regexp.MustCompile(`\*+|/:[A-Za-z_]\w*|\{\w+\}`)

// encodedURL encodes a part of a URL like browsers do.
func encodedURL(text string) string {
	var b strings.Builder
	for _, r := range strings.TrimSpace(text) {
		if r <= ' ' || r > '~' || strings.ContainsRune(`"<>`, r) {
			for _, octet := range []byte(string(r)) {
				fmt.Fprintf(&b, "%%%02X", octet)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// addressLike suggests a complete URL for text that no browser shows as a page URL. Browser URLs have a scheme and a
// host in lower case, no default port, and a path. It returns an empty string if the text may be such a URL.
func addressLike(text string) string {
	parsed, err := url.Parse(text)
	switch {
	case text == "" || err != nil || parsed.Scheme != "" && parsed.Host == "":
		return ""
	case parsed.Scheme == "" && parsed.Host != "":
		return "https:" + text
	case parsed.Scheme == "" && strings.Contains(strings.Split(text, "/")[0], "."):
		return "https://" + text // a host without a scheme
	case parsed.Scheme == "":
		return "https://www.example.com/" + strings.TrimLeft(text, "/")
	case !strings.HasPrefix(parsed.Scheme, "http"):
		return ""
	}

	_, rest, _ := strings.Cut(text, "://")
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host, behind := strings.ToLower(rest[:end]), rest[end:]
	host = strings.TrimSuffix(host, map[string]string{"http": ":80", "https": ":443"}[parsed.Scheme])
	if !strings.HasPrefix(behind, "/") {
		behind = "/" + behind
	}
	if canonical := parsed.Scheme + "://" + host + behind; canonical != text {
		return canonical
	}
	return ""
}
