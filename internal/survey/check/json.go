package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// shape checks a value inside an attribute's JSON. It always accepts null, which is equivalent to an omitted key.
type shape func(p location, v any, findings *Findings)

func (s shape) check(p location, v any, findings *Findings) {
	if v != nil {
		s(p, v, findings)
	}
}

// decodeAttribute decodes the JSON of an attribute. It returns false if the attribute is null or unknown.
func decodeAttribute(text jsontypes.Normalized) (any, bool) {
	if !attribute.IsKnown(text) {
		return nil, false
	}
	v, err := jsonvalue.Decode(text.ValueString())
	return v, err == nil && v != nil
}

// objectKeys returns the keys of an attribute's JSON object, or none if the JSON is not an object.
func objectKeys(text jsontypes.Normalized) map[string]any {
	v, _ := decodeAttribute(text)
	keys, _ := v.(map[string]any)
	return keys
}

// decodedObject decodes an attribute's JSON, which must be an object. It adds a finding if the JSON is a different
// value.
func decodedObject(p location, text jsontypes.Normalized, findings *Findings) (map[string]any, bool) {
	v, ok := decodeAttribute(text)
	if !ok {
		return nil, false
	}
	keys, ok := v.(map[string]any)
	if !ok {
		findings.errorf(p, notJSONObject, "is %s.", excerptJSON(v)).remedy = mappingRemedy
	}
	return keys, ok
}

// excerptJSON quotes the beginning of a JSON value.
func excerptJSON(v any) string {
	const most = 60
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if text := []rune(string(raw)); len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(raw)
}

func anyShape(location, any, *Findings) {}

// stringShape accepts a string. It accepts a number or boolean with a warning: apps show it, but PostHog and its
// clients expect a string.
func stringShape(p location, v any, findings *Findings) {
	switch v.(type) {
	case string:
	case json.Number, bool:
		findings.warnf(p, notAString, `is %s. Write it as a string, in quotes.`, excerptJSON(v))
	default:
		findings.errorf(p, notAString, "is %s. It must be a string.", excerptJSON(v))
	}
}

// strictStringShape accepts only strings, as PostHog does.
func strictStringShape(p location, v any, findings *Findings) {
	if _, ok := v.(string); !ok {
		findings.errorf(p, notAString, "is %s. It must be a string.", excerptJSON(v))
	}
}

func boolShape(p location, v any, findings *Findings) {
	if _, ok := v.(bool); !ok {
		findings.errorf(p, notBool, "is %s. It must be true or false, without quotes.", excerptJSON(v))
	}
}

// numberShape accepts numbers of at least 0.
func numberShape(p location, v any, findings *Findings) {
	n, ok := v.(json.Number)
	if !ok {
		findings.errorf(p, notNumber, "is %s. It must be a number, without quotes.", excerptJSON(v))
	} else if strings.HasPrefix(n.String(), "-") && strings.Trim(n.String(), "-0.") != "" {
		findings.errorf(p, negativeNumber, "is %s. It must be 0 or more.", n)
	}
}

// integerShape accepts integers of at least 0.
func integerShape(p location, v any, findings *Findings) {
	n, ok := v.(json.Number)
	if _, err := n.Int64(); ok && err != nil {
		findings.errorf(p, notWhole, "is %s. It must be a whole number.", n)
		return
	}
	numberShape(p, v, findings)
}

func enumeration(words ...string) shape { return wordShape(diag.SeverityError, words) }

// openEnumeration warns of a value that no known client supports. PostHog accepts any value.
func openEnumeration(words ...string) shape { return wordShape(diag.SeverityWarning, words) }

func wordShape(severity diag.Severity, words []string) shape {
	return func(p location, v any, findings *Findings) {
		word, ok := v.(string)
		if !ok || !slices.Contains(words, word) {
			findings.add(severity, p, unknownValue.of(p.last()), fmt.Sprintf("is %s. Known values: %s.", excerptJSON(v), strings.Join(words, ", ")))
		}
	}
}

func listShape(items shape) shape {
	return func(p location, v any, findings *Findings) {
		list, ok := v.([]any)
		if !ok {
			findings.errorf(p, notList, "is %s. It must be a list.", excerptJSON(v))
		}
		for i, item := range list {
			items.check(p.item(i), item, findings)
		}
	}
}

// mapShape accepts an object with arbitrary keys.
func mapShape(values shape) shape {
	return func(p location, v any, findings *Findings) {
		keys, ok := v.(map[string]any)
		if !ok {
			findings.errorf(p, notObject, "is %s. It must be an object.", excerptJSON(v))
		}
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			values.check(p.key(key), keys[key], findings)
		}
	}
}

// objectShape accepts an object with known keys. Unknown keys are sent unchanged, so that keys from newer PostHog
// versions can be used. An unknown key that resembles a missing known key gets a warning.
type objectShape map[string]shape

func (k objectShape) shape(p location, v any, findings *Findings) {
	object, ok := v.(map[string]any)
	if !ok {
		findings.errorf(p, notObject, "is %s. It must be an object.", excerptJSON(v))
		return
	}
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(k)) {
		if _, ok := object[name]; !ok {
			missing = append(missing, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if keyShape, ok := k[name]; ok {
			keyShape.check(p.key(name), object[name], findings)
		} else if meant, ok := attribute.Nearest(name, missing); ok {
			findings.warnf(p.key(name), unknownKey, "is not a known key. Did you mean %s? The key is sent unchanged.", p.key(meant))
		}
	}
}

// checkExtra rejects keys in extra for which an attribute exists, because the response would fill the attribute. A
// value that the attribute cannot hold stays in extra. PostHog rejects such values for text and list attributes.
func checkExtra(p location, q survey.Question, findings *Findings) {
	p = p.attribute("extra")
	values, extra := q.ByWireName(), attribute.ObjectKeys(q.Extra)
	for _, key := range slices.Sorted(maps.Keys(extra)) {
		set, isOwn := values[key]
		if !isOwn {
			if meant, ok := attribute.Nearest(key, slices.Sorted(maps.Keys(values))); ok {
				findings.warnf(p.key(key), unknownKey, "is not a known key. Did you mean the attribute %s?", meant)
			}
			continue
		}

		_, isText := set.(types.String)
		_, isList := set.(types.List)
		isRefused := (isText || isList) && !attribute.IsJSONNull(extra[key])
		if !set.IsNull() || survey.CanHold(key, extra[key]) || isRefused {
			findings.errorf(p.key(key), setThroughExtra, "is an attribute of the question. Set the attribute, and remove the key from extra.")
		}
	}
}
