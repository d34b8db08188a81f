package check

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// The validation rules for answers to open questions.
const (
	minLength = "min_length"
	maxLength = "max_length"
	email     = "email"
)

// checkAnswerRules checks the rules for the answer to an open question.
func checkAnswerRules(p location, q survey.Question, found *Findings) {
	p = p.attribute("validation")
	bounds := map[string]types.Int64{}
	for i, element := range q.Validation.Elements() {
		object, ok := element.(types.Object)
		if !ok || !attribute.IsKnown(object) {
			continue
		}
		spot := p.element(i)

		kind, okKind := object.Attributes()["type"].(types.String)
		value, okValue := object.Attributes()["value"].(types.Int64)
		if !okKind || !okValue || kind.IsUnknown() || value.IsUnknown() {
			continue
		}

		switch rule := kind.ValueString(); {
		case kind.IsNull():
			found.errorf(spot.attribute("type"), "Missing rule type", "must be set: %s, %s or %s.", minLength, maxLength, email)
		case rule == email && !value.IsNull():
			found.warnf(spot.attribute("value"), "Unused value", "has no meaning for the rule email.")
		case rule == email:
		case rule != minLength && rule != maxLength:
			found.errorf(spot.attribute("type"), "Unknown rule type", "is %q. Known values: %s, %s, %s.", rule, minLength, maxLength, email)
		case value.ValueInt64() < 1:
			found.errorf(spot.attribute("value"), "Invalid number of characters", "must be 1 or more for the rule %s.", rule)
		default:
			bounds[rule] = value
		}
	}

	least, most := bounds[minLength], bounds[maxLength]
	if attribute.IsKnown(least) && attribute.IsKnown(most) && least.ValueInt64() > most.ValueInt64() {
		found.errorf(p, "min_length is greater than max_length", "asks for %d characters at least and %d at most.", least.ValueInt64(), most.ValueInt64())
	}
}
