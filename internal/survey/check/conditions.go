package check

import (
	"errors"
	"regexp/syntax"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

var matchTypes = audience.MatchTypes()

var conditionKeys = newObjectShape(conditionTable)

func checkConditions(s candidate, findings *Findings) {
	p := atAttribute("conditions")
	conditions, ok := decodedObject(p, s.Conditions, findings)
	if !ok {
		return
	}

	conditionKeys.shape(p, conditions, findings)

	for i, action := range valueList(conditions["actions"]) {
		id := p.key("actions").key("values").item(i).key("id")
		if object, ok := action.(map[string]any); ok && object["id"] == nil {
			findings.errorf(id, missingActionID, "must be set, because actions are linked by ID.")
		} else if ok {
			integerShape(id, object["id"], findings)
		}
	}

	for _, key := range []string{"events", "cancelEvents"} {
		for i, event := range valueList(conditions[key]) {
			if object, ok := event.(map[string]any); ok && (object["name"] == nil || object["name"] == "") {
				findings.errorf(p.key(key).key("values").item(i).key("name"), missingEventName, "must be set, because events are identified by name.")
			}
		}
	}

	url, _ := conditions["url"].(string)
	if matchType, _ := conditions["urlMatchType"].(string); matchType == "regex" || matchType == "not_regex" {
		if reason, ok := regexpError(url); ok {
			findings.warnf(p.key("url"), invalidRegularExpression, "is %q: %s. No URL would match it.", url, reason)
		}
	}
}

// checkHiding rejects values that make posthog-js throw an exception, which hides all of the project's surveys.
func checkHiding(s candidate, findings *Findings) {
	for _, hiding := range hidings(s) {
		p := atAttribute(hiding.Attribute).key(hiding.Key)
		*findings = slices.DeleteFunc(*findings, func(f finding) bool { return f.question < 0 && f.inside == p.inside })
		findings.errorf(p, hidesAll, "%s.", hiding.Text)
	}
}

func hidings(s candidate) []audience.Hiding {
	return (&audience.Survey{Type: s.Type.ValueString(), Conditions: jsonText(s.Conditions), Appearance: jsonText(s.Appearance)}).HidesAll()
}

// jsonText returns an attribute's JSON, or "null" if it is unknown.
func jsonText(text jsontypes.Normalized) string {
	if !attribute.IsKnown(text) {
		return "null"
	}
	return text.ValueString()
}

// valueList returns a conditions object's values list.
func valueList(v any) []any {
	object, _ := v.(map[string]any)
	list, _ := object["values"].([]any)
	return list
}

// regexpError reports a regular expression that no engine accepts. It accepts syntax that only Go does not support,
// such as lookahead.
func regexpError(pattern string) (string, bool) {
	_, err := syntax.Parse(pattern, syntax.Perl)
	parsed, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return "", false
	}
	switch parsed.Code {
	case syntax.ErrMissingBracket, syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrTrailingBackslash, syntax.ErrMissingRepeatArgument:
		return parsed.Code.String(), true
	default:
		return "", false
	}
}
