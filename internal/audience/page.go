package audience

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
)

// Page is the page that a respondent visits.
type Page struct {
	// URL is the URL of the page. Device is the device type: Mobile, Tablet, Desktop, Console, or Wearable. An empty
	// string means unknown.
	URL, Device string
}

// conditions decide where a survey is shown.
type conditions struct {
	URL               string   `json:"url"`
	URLMatchType      string   `json:"urlMatchType"`
	Selector          string   `json:"selector"`
	DeviceTypes       []string `json:"deviceTypes"`
	DevicesMatchType  string   `json:"deviceTypesMatchType"`
	LinkedFlagVariant string   `json:"linkedFlagVariant"`
	WaitDays          float64  `json:"seenSurveyWaitPeriodInDays"`
	Events            triggers `json:"events"`
	Actions           triggers `json:"actions"`
}

// conditions parses the conditions, which are either an object or its JSON text.
func (s *Survey) conditions() (conditions, error) {
	var c conditions
	if json.Unmarshal([]byte(cmp.Or(toText(s.Conditions), "null")), &c) != nil {
		return c, errors.New("they are not an object with known keys")
	}
	return c, nil
}

// ComesAgain reports whether SDKs show the survey again to people who have answered it, and therefore ignore its
// internal flag.
func (s *Survey) ComesAgain() bool {
	c, _ := s.conditions()
	return s.Schedule == "always" || c.Events.RepeatedActivation && len(c.Events.Values) > 0
}

// Needs returns a sorted list of the things that must happen in the app before the survey appears.
func (s *Survey) Needs() []string {
	c, _ := s.conditions()
	needs := append(c.ofPage(), c.ofURL(), c.ofDevice())
	if c.WaitDays > 0 {
		needs = append(needs, fmt.Sprintf("no survey was shown for %g days, this one included", c.WaitDays))
	}
	return sortWords(needs)
}

// ofPage describes the conditions that depend on the page's content.
func (c conditions) ofPage() []string {
	var needs []string
	if c.Selector != "" {
		needs = append(needs, "an element matches "+c.Selector)
	}
	if triggers := c.ofTriggers(); triggers != "" {
		needs = append(needs, triggers)
	}
	return needs
}

// ofURL describes the condition on a page's URL, and ofDevice the condition on the device. Both return an empty string
// if there is no condition.
func (c conditions) ofURL() string {
	if c.URL == "" {
		return ""
	}
	return fmt.Sprintf("the URL %s %q", cmp.Or(comparisons[c.URLMatchType], c.URLMatchType, "contains"), c.URL)
}

func (c conditions) ofDevice() string {
	types := strings.Join(c.DeviceTypes, ", ")
	switch {
	case types == "":
		return ""
	case strings.HasPrefix(c.DevicesMatchType, "not_") || c.DevicesMatchType == "is_not":
		return "the device is none of " + types
	}
	return "the device is one of " + types
}

// comparisons describes the URL match types.
var comparisons = map[string]string{
	"exact": "is", "is_not": "is not", "icontains": "contains", "not_icontains": "does not contain", "regex": "matches", "not_regex": "does not match",
}

// sortWords returns the nonempty texts, sorted.
func sortWords(words []string) []string {
	words = slices.DeleteFunc(words, func(word string) bool { return word == "" })
	slices.Sort(words)
	return words
}

// checkConditions reports conditions that can never be met, and lists those that must be met.
func (s *Survey) checkConditions() []Finding {
	findings := s.checkHiding()
	c, err := s.conditions()
	if err != nil {
		return append(findings, Finding{Warning, "conditions", "cannot be read: " + err.Error()})
	}
	findings = append(findings, s.Never()...)
	findings = append(findings, s.CannotOpen()...)
	findings = append(findings, s.IgnoredTriggers()...)
	if want := c.LinkedFlagVariant; want != "" && want != "any" {
		switch {
		case s.Linked == nil:
			findings = append(findings, Finding{Warning, "conditions", fmt.Sprintf("linkedFlagVariant is %q, but no flag is linked, so everyone is asked: set linked_flag_id, or remove linkedFlagVariant", want)})
		case s.Linked.Filters != nil && !s.Linked.hasVariant(want):
			findings = append(findings, Finding{Failed, "conditions", fmt.Sprintf("linkedFlagVariant is %q, but feature flag %q does not have this variant", want, s.Linked.Key)})
		}
	}
	if needs := s.Needs(); len(needs) > 0 {
		findings = append(findings, Finding{OK, "conditions", "shown only when " + strings.Join(needs, ", and ")})
	}
	return findings
}

// on returns the reasons why a survey is not shown on a page.
func (s *Survey) on(page Page) []Finding {
	c, _ := s.conditions()
	var findings []Finding
	say := func(text string) { findings = append(findings, Finding{Failed, "conditions", text}) }
	v := s.scriptValues()
	if v.onURL(page.URL) == isNotMet {
		url := "the visit has no URL"
		if page.URL != "" {
			url = fmt.Sprintf("the URL of the visit is %q", page.URL)
		}
		say(url + ", but the survey is shown only when " + cmp.Or(c.ofURL(), "conditions.url is a text"))
	}
	if v.onDevice(page.Device) == isNotMet {
		say(fmt.Sprintf("the device of the visit is %s, but the survey is shown only when %s", page.Device, c.ofDevice()))
	}
	if needs := sortWords(c.ofPage()); len(needs) > 0 {
		say("shown only when " + strings.Join(needs, ", and "))
	}
	return findings
}

// compileScript compiles a JavaScript pattern, which pages use to compare URLs.
func compileScript(pattern string) (*regexp2.Regexp, error) {
	compiled, err := regexp2.Compile(pattern, regexp2.ECMAScript)
	if err == nil {
		compiled.MatchTimeout = time.Second
	}
	return compiled, err
}

// matchesScript reports whether a JavaScript pattern matches. An invalid pattern matches nothing.
func matchesScript(value, pattern string) bool {
	compiled, err := compileScript(pattern)
	if err != nil {
		return false
	}
	isMatch, err := compiled.MatchString(value)
	return err == nil && isMatch
}
