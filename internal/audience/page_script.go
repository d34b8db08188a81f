package audience

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/selector"
)

// verdict is the result of evaluating a condition in posthog-js. posthog-js does not check types: an unexpected value
// throws an exception in the loop over all surveys, and no survey is shown.
type verdict int

const (
	isMet verdict = iota
	isNotMet
	throws
)

// scriptValues contains the conditions on a page as decoded JSON of any type.
type scriptValues map[string]any

func (s *Survey) scriptValues() scriptValues {
	var values map[string]any
	_ = json.Unmarshal([]byte(toText(s.Conditions)), &values) // a value that is not an object has no conditions
	return values
}

// onURL evaluates the condition on the page's URL.
func (v scriptValues) onURL(visited string) verdict {
	if isFalsy(v["url"]) {
		return isMet
	}
	return compareScript(v["urlMatchType"], []any{v["url"]}, visited)
}

// onDevice evaluates the condition on the device type.
func (v scriptValues) onDevice(device string) verdict {
	list, isList := v["deviceTypes"].([]any)
	matchType := matchTypeName(v["deviceTypesMatchType"])
	switch {
	case isFalsy(v["deviceTypes"]) || isList && len(list) == 0:
		return isMet
	case !isList && device != "" && matchType != "gt" && matchType != "lt":
		return throws
	}
	return compareScript(v["deviceTypesMatchType"], list, device)
}

// onSelector evaluates the selector for a page that contains the element.
func (v scriptValues) onSelector() verdict {
	if !isFalsy(v["selector"]) && selector.Check(scriptText(v["selector"])) != nil {
		return throws
	}
	return isMet
}

// on returns the verdict of the first condition that is not met, in the order in which posthog-js evaluates them.
func (v scriptValues) on(page Page) verdict {
	for _, check := range []func() verdict{
		func() verdict { return v.onURL(page.URL) }, func() verdict { return v.onDevice(page.Device) }, v.onSelector,
	} {
		if result := check(); result != isMet {
			return result
		}
	}
	return isMet
}

// everywhere returns the verdict that applies to all pages and devices. It returns isMet if the verdicts differ.
func (v scriptValues) everywhere() verdict {
	const some = "x" // if one value throws, all values do
	if isFalsy(v["url"]) {
		if v.onDevice(some) == throws || isEmptyList(v["deviceTypes"]) && v.onSelector() == throws {
			return throws
		}
		return isMet
	}
	if v.onURL(some) == throws {
		return throws
	}
	return isMet
}

func isEmptyList(value any) bool {
	list, isList := value.([]any)
	return isFalsy(value) || isList && len(list) == 0
}

// compareScript compares a value like posthog-js's table of match types.
func compareScript(matchType any, targets []any, value string) verdict {
	if value == "" {
		return isNotMet // an unknown value meets no condition
	}
	result := func(isMatch bool) verdict {
		if isMatch {
			return isMet
		}
		return isNotMet
	}
	isEqual := func(target any) bool { return target == value }
	isMatch := func(target any) bool { return matchesScript(value, scriptText(target)) }
	contains := func(target any) bool {
		text, _ := target.(string)
		return strings.Contains(strings.ToLower(value), strings.ToLower(text))
	}

	name := matchTypeName(matchType)
	if strings.HasSuffix(name, "icontains") && slices.ContainsFunc(targets, func(target any) bool { _, isText := target.(string); return !isText }) {
		return throws
	}
	switch name {
	case "exact":
		return result(slices.ContainsFunc(targets, isEqual))
	case "is_not":
		return result(!slices.ContainsFunc(targets, isEqual))
	case "regex":
		return result(slices.ContainsFunc(targets, isMatch))
	case "not_regex":
		return result(!slices.ContainsFunc(targets, isMatch))
	case "icontains":
		return result(slices.ContainsFunc(targets, contains))
	case "not_icontains":
		return result(!slices.ContainsFunc(targets, contains))
	case "gt", "lt":
		return isNotMet // URLs and devices are not numbers
	}
	return throws
}

// matchTypeName returns the match type that posthog-js looks up in its table.
func matchTypeName(matchType any) string {
	if matchType == nil {
		return "icontains"
	}
	return scriptText(matchType)
}

// isFalsy reports whether a value is falsy in JavaScript.
func isFalsy(value any) bool {
	return value == nil || value == false || value == "" || value == 0.0
}

// scriptText converts a value to text like JavaScript.
func scriptText(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case string:
		return value
	case bool:
		return strconv.FormatBool(value)
	case float64:
		return strconv.FormatFloat(value, 'g', -1, 64)
	case []any:
		texts := make([]string, len(value))
		for i, item := range value {
			if item != nil {
				texts[i] = scriptText(item)
			}
		}
		return strings.Join(texts, ",")
	}
	return "[object Object]"
}

// Hiding is a survey setting that makes posthog-js throw an exception. None of the project's surveys is then shown. If
// the setting belongs to a widget, only the surveys after this one are hidden.
type Hiding struct {
	// Attribute is conditions or appearance, and Key is a key in it.
	Attribute, Key string
	// Text continues a sentence that starts with the key.
	Text string
}

// HidesAll returns the settings with which a survey hides other surveys. Only apps that use posthog-js are affected.
func (s *Survey) HidesAll() []Hiding {
	if s.Type == External {
		return nil
	}
	const consequence = "posthog-js throws an error, and then shows no survey of the project"
	var hidings []Hiding
	v := s.scriptValues()
	if !isFalsy(v["url"]) && v.onURL("x") == throws {
		hidings = append(hidings, v.explain("url", "urlMatchType", "a text", consequence))
	}
	if !isEmptyList(v["deviceTypes"]) && v.onDevice("x") == throws {
		hidings = append(hidings, v.explain("deviceTypes", "deviceTypesMatchType", "a list of texts", consequence))
	}
	if text := refusedSelector(v["selector"]); text != "" {
		hidings = append(hidings, Hiding{"conditions", "selector", text + consequence})
	}

	var appearance map[string]any
	_ = json.Unmarshal([]byte(toText(s.Appearance)), &appearance) // a value that is not an object has no settings
	isUsed := s.Type == "widget" && appearance["widgetType"] == "selector" || s.Type == "popover" && appearance["position"] == "next_to_trigger"
	if text := refusedSelector(appearance["widgetSelector"]); isUsed && text != "" {
		hidings = append(hidings, Hiding{"appearance", "widgetSelector", text + "posthog-js throws an error, and shows no survey after this one"})
	}
	return hidings
}

// refusedSelector explains why browsers reject a selector. The text starts a sentence. It is empty if browsers accept
// the selector.
func refusedSelector(value any) string {
	if isFalsy(value) {
		return ""
	}
	text := scriptText(value)
	if err := selector.Check(text); err != nil {
		return fmt.Sprintf("is %q, which is not a CSS selector: %v. ", text, err)
	}
	return ""
}

// explain returns whichever of two keys makes posthog-js throw.
func (v scriptValues) explain(key, matchKey, want, consequence string) Hiding {
	if comparisons[matchTypeName(v[matchKey])] == "" {
		return Hiding{"conditions", matchKey, fmt.Sprintf("is %s. Known values: %s. %s", toJSON(v[matchKey]), strings.Join(MatchTypes(), ", "), strings.Replace(consequence, "an error", "an error for any other value", 1))}
	}
	return Hiding{"conditions", key, fmt.Sprintf("is %s, not %s. %s", toJSON(v[key]), want, consequence)}
}

// checkHiding reports the settings with which the survey hides other surveys.
func (s *Survey) checkHiding() []Finding {
	var findings []Finding
	for _, hiding := range s.HidesAll() {
		check := "conditions"
		if hiding.Attribute == "appearance" {
			check = "display"
		}
		findings = append(findings, Finding{Failed, check, hiding.String()})
	}
	return findings
}

func (h Hiding) String() string { return h.Key + " " + h.Text }

// MatchTypes returns the match types for URLs and device types.
func MatchTypes() []string {
	return []string{"regex", "not_regex", "exact", "is_not", "icontains", "not_icontains"}
}

// HidesAllSurveys explains why posthog-js shows a person no survey because of this one. The reason is empty if that
// does not happen. If page is nil, isCertain reports whether the answer is the same for all pages.
func (s *Survey) HidesAllSurveys(e *Evaluator, page *Page) (reason string, isCertain bool) {
	hidings := slices.DeleteFunc(s.HidesAll(), func(h Hiding) bool { return h.Attribute == "appearance" })
	if len(hidings) == 0 || !s.IsRunning() || len(s.personal(e)) > 0 {
		return "", true
	}
	if flag := s.Internal; flag != nil && !flag.Active && !s.ComesAgain() {
		return "", true
	}
	v := s.scriptValues()
	switch {
	case page == nil:
		return hidings[0].String(), v.everywhere() == throws
	case v.on(*page) == throws:
		return hidings[0].String(), true
	}
	return "", true
}
