package survey

import "github.com/surveys-as-code/terraform-provider-posthog/internal/api"

var appearanceKeys = func() keys {
	k := keys{
		"whiteLabel": aFlag, "autoDisappear": aFlag, "displayThankYouMessage": aFlag, "shuffleQuestions": aFlag, "allowGoBack": aFlag,
		"surveyPopupDelaySeconds":               aNumber,
		"thankYouMessageDescriptionContentType": oneOf(string(api.Text), string(api.HTML)),
		"widgetType":                            oneOf("button", "tab", "selector"),
		"position": oneOf("top_left", "top_center", "top_right", "middle_left", "middle_center", "middle_right",
			"left", "center", "right", "next_to_trigger"),
	}
	for _, name := range []string{
		"backgroundColor", "submitButtonColor", "submitButtonText", "submitButtonTextColor", "textColor", "descriptionTextColor",
		"textSubtleColor", "ratingButtonColor", "ratingButtonActiveColor", "ratingButtonHoverColor", "borderColor", "borderRadius",
		"boxShadow", "boxPadding", "inputBackground", "placeholder", "fontFamily", "maxWidth", "zIndex", "disabledButtonOpacity",
		"thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText",
		"widgetSelector", "widgetLabel", "widgetColor", "backButtonText",
	} {
		k[name] = aText
	}
	return k
}()

func checkAppearance(s subject, found *findings) {
	p := at("appearance")
	if appearance, ok := decodedObject(p, s.Appearance, found); ok {
		appearanceKeys.shape(p, appearance, found)
	}
}

// checkShuffle: places to go to mean nothing when the questions come in any order.
func checkShuffle(s subject, found *findings) {
	v, _ := decoded(s.Appearance)
	appearance, _ := v.(map[string]any)
	if appearance["shuffleQuestions"] != true {
		return
	}
	for _, question := range s.list {
		if isKnown(question.Branching) {
			found.wrong(at("appearance").key("shuffleQuestions"), "Shuffled questions cannot branch",
				"is true, and a question has branching. Questions that come in any order cannot branch: take out one of the two.")
			return
		}
	}
}
