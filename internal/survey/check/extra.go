package check

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// Extra refuses keys in a configured extra that have their own attribute: the response
// would fill that attribute, which contradicts the configuration.
func Extra(config survey.Fields, found *Findings) {
	for i, question := range config.Questions.List() {
		var keys map[string]json.RawMessage
		if !attribute.IsKnown(question.Extra) || json.Unmarshal([]byte(question.Extra.ValueString()), &keys) != nil {
			continue
		}

		own := question.ByWireName()
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			set, isOwn := own[key]
			if isOwn && (survey.Typed(key, keys[key]) || !set.IsNull()) {
				found.errorf(atQuestion(i).attribute("extra"), "Attribute set through extra",
					"holds %q, which is an attribute of the question. Set the attribute, and remove the key from extra.", key)
			}
		}
	}
}

// checkExtraTypes checks keys of extra whose own attribute cannot hold the value. Such a
// value comes from a service that accepted it, so it is refused only if it is new.
func checkExtraTypes(p location, q survey.Question, found *Findings) {
	p = p.attribute("extra")
	v, _ := decoded(q.Extra)
	extra, _ := v.(map[string]any)

	own := q.ByWireName()
	names := slices.Sorted(maps.Keys(own))

	for _, key := range slices.Sorted(maps.Keys(extra)) {
		_, isOwn := own[key]
		switch value := extra[key]; {
		case !isOwn:
			if meant, ok := attribute.Nearest(key, names); ok {
				found.warnf(p.key(key), "Unknown key", "is not a known key. Did you mean %s, which is an attribute of its own?", meant)
			}
		case value == nil:
		case key == "choices":
			listOf(strictStringShape).check(p.key(key), value, found)
		case key == "validation":
			listOf(mapOf(anyShape)).check(p.key(key), value, found)
		default:
			if _, isText := own[key].(types.String); isText {
				shape(strictStringShape).check(p.key(key), value, found)
			}
		}
	}
}
